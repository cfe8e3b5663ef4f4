import { turbineId } from "../../api/columns.ts";
import { type Call, textOf } from "../call.ts";
import { coversTurbine } from "../licences.ts";
import { Refusal } from "../refusal.ts";
import type { StoredTurbine } from "../store/site_record.ts";

/**
 * The turbine of a request, if the licence covers it.
 *
 * @param call The request
 * @param otherwise What it means where there is no such turbine, which is what another licence's looks like
 * @throws {Refusal} If the licence covers none with that identifier
 */
export async function turbineOf(
  call: Call,
  otherwise: "no_data" | "no_access" | "not_found",
): Promise<StoredTurbine> {
  const id = textOf(call, turbineId.name);
  const stored = await call.store.turbine(id);
  if (stored && coversTurbine(call.licence, stored)) return stored;
  throw new Refusal(otherwise, `no turbine "${id}" among those of the licence`);
}
