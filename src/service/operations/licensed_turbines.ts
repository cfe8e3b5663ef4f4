import { turbineId } from "../../api/columns/columns.ts";
import { type Call, textOf } from "./call.ts";
import { coversTurbine, listCoveredTurbines } from "../licences/licences.ts";
import { Refusal } from "../../storage/jobs/refusal.ts";
import type { StoredTurbine } from "../../sites/keep/site_record.ts";
import { sitesOf } from "../../sites/keep/sites.ts";
import { suggestName } from "../../show/options/suggest.ts";

/** Largest number of names that a message lists; of more it lists none. */
const MAX_NAMES = 10;

/**
 * Reports that a name is unknown, and suggests similar ones.
 *
 * @param kind Kind of thing, such as "turbine"
 * @param known The names that the licence covers
 */
export function describeUnknownName(kind: string, name: string, known: readonly string[]): string {
  const near = suggestName(name, known);
  if (near !== undefined) return `there is no ${kind} "${name}". Did you mean "${near}"?`;
  const among = known.length > 0 && known.length <= MAX_NAMES ? ` among ${known.join(", ")}` : "";
  return `there is no ${kind} "${name}"${among}`;
}

/**
 * Finds the turbine of a request, if the licence covers it.
 *
 * @param otherwise Meaning of the refusal if the turbine is unknown or belongs to another licence
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

/** Similar names in a fleet of one page; comparing more would keep other requests waiting. */
async function listFew({ licence, store }: Call): Promise<readonly string[]> {
  const pages = listCoveredTurbines(licence, sitesOf(store));
  const first = await pages.next();
  return first.done || !(await pages.next()).done ? [] : first.value;
}
