import { turbineId } from "../../api/columns/columns.ts";
import { type Call, textOf } from "./call.ts";
import { describeUnknownName } from "./unknown_name.ts";
import { listCoveredTurbines } from "../licences/covered_turbines.ts";
import { coversTurbine } from "../licences/licences.ts";
import { Refusal } from "../../storage/jobs/refusal.ts";
import type { StoredTurbine } from "../../sites/keep/site_record.ts";
import { sitesOf } from "../../sites/keep/sites.ts";

/**
 * Finds the turbine of a request, if the licence covers it.
 *
 * @param otherwise Meaning of the refusal where the turbine is unknown or of another licence
 * @throws {Refusal} If the licence does not cover the turbine
 */
export async function findTurbine(
  call: Call,
  otherwise: "no_data" | "no_access" | "not_found",
): Promise<StoredTurbine> {
  const id = textOf(call, turbineId.name);
  const stored = coversTurbine(call.licence, id)
    ? await sitesOf(call.store).turbine(id)
    : undefined;
  if (stored) return stored;
  throw new Refusal(otherwise, describeUnknownName("turbine", id, await listFew(call)));
}

/** Names that may be meant, of a fleet of one page; comparing more would keep other requests waiting. */
async function listFew({ licence, store }: Call): Promise<readonly string[]> {
  const pages = listCoveredTurbines(licence, sitesOf(store));
  const first = await pages.next();
  return first.done || !(await pages.next()).done ? [] : first.value;
}
