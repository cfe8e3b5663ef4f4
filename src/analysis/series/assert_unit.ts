import { ArgumentError } from "../../api/errors.ts";
import { productionColumns } from "../../frames/production/production_columns.ts";
import { type FactorKind, suspectUnit } from "../../screening/values/wrong_unit.ts";

/**
 * Checks that production is of a turbine of such a rated power, in the unit of its column.
 *
 * @param factors Production divided by what rated power gives in the same time; missing is NaN
 * @param of Whether values are of hours or of longer periods
 * @param what Action, for messages
 * @throws {ArgumentError} If these are not capacity factors of a turbine
 */
export function assertUnit(factors: Float64Array, of: FactorKind, what: string): void {
  const [doubt] = suspectUnit(factors, of);
  if (!doubt) return;
  const [, { name, unit }] = productionColumns[of === "hours" ? "hour" : "month"];
  throw new ArgumentError(
    `Cannot ${what}: column "${name}" (${unit}) of the production has a ${doubt.message}`,
  );
}
