import { turbineId } from "../../api/columns/columns.ts";
import { type Call, textOf } from "./call.ts";
import { describeUnknownName } from "./unknown_name.ts";
import { coversTurbine } from "../licences/licences.ts";
import { Refusal } from "../responses/refusal.ts";
import type { StoredTurbine } from "../store/site_record.ts";

/**
 * Finds the turbine of a request, if the licence covers it.
 *
 * @param call The request
 * @param otherwise Meaning of the refusal where the turbine is unknown or of another licence
 * @throws {Refusal} If the licence does not cover the turbine
 */
export async function findTurbine(
  call: Call,
  otherwise: "no_data" | "no_access" | "not_found",
): Promise<StoredTurbine> {
  const id = textOf(call, turbineId.name);
  const stored = coversTurbine(call.licence, id) ? await call.store.sites.turbine(id) : undefined;
  if (stored) return stored;
  const known = await listTurbineIds(call);
  throw new Refusal(otherwise, describeUnknownName("turbine", id, known));
}

/**
 * Identifiers of the turbines that the licence of a request covers, in their order.
 *
 * @param call The request
 */
export async function listTurbineIds({ store, licence }: Call): Promise<string[]> {
  return (await store.sites.turbineIds()).filter((id) => coversTurbine(licence, id));
}
