import type { DataFrame } from "nodejs-polars";
import {
  checkPerformance,
  type PerformanceCheck,
} from "../analysis/check_performance/check_performance.ts";
import type { PriceOptions } from "../analysis/series/prices.ts";
import type { MonthLike } from "../api/calendar.ts";
import type { TurbineDetails } from "../api/resources/resources.ts";
import { modelData } from "../client/calls/model_data.ts";
import { monthlyIndices } from "../client/calls/monthly_indices.ts";
import { turbineDetails } from "../client/calls/turbines.ts";
import { type CallOptions, callOptions } from "../client/connection/default_connection.ts";
import { time } from "../api/columns/columns.ts";
import { declareOptions, readOptions } from "../show/options/read_options.ts";
import type { TimeRange } from "../show/options/range.ts";

/** Options of {@linkcode checkTurbine}. */
export interface CheckTurbineOptions extends CallOptions, TimeRange, PriceOptions {
  /** The month, `"2024-03"`; for several, give `from` and `to`. @default all */
  readonly month?: MonthLike | undefined;
  /** Its details, if you have loaded them. @default they are loaded */
  readonly details?: TurbineDetails | undefined;
  /** Its monthly indices of all months, if you have loaded them. @default they are loaded */
  readonly indices?: DataFrame | undefined;
}

const OPTIONS = declareOptions<CheckTurbineOptions>()(
  "month from to details indices price currency",
  {},
  callOptions,
);

/**
 * Tells whether the wind or the turbine explains a production: loads the inputs of `checkPerformance()` and calls it. The
 * command `check` and the reports do the same, so their figures agree.
 *
 * @param turbineId Identifier of the turbine
 * @param production Hours (`time`, `power` in kW), months (`month`, `energy` in MWh) or years (`year`, `energy`) of one unit, as
 * `readProduction()` returns them
 * @param options `month`, or `from` and `to`; `price` of a MWh; `details` and `indices` if you have them;
 * `connection` and `signal`
 * @returns The answer of `checkPerformance()`: its `verdict`, the `verdicts` of all months, frames and sentences
 * @throws {ArgumentError} If a column or its unit does not fit, or production and model do not overlap
 * @throws {NoDataError} If the turbine has no indices
 *
 * @example March 2024 of a turbine
 * ```ts
 * import { exampleFile, readProduction } from "@vindkit/vindkit";
 * import { checkTurbine } from "@vindkit/vindkit/report";
 * import { assertEquals } from "@std/assert";
 *
 * const file = await exampleFile("production.csv");
 * const meter = { resolution: "hour", unit: "kW", time: "time", column: "power" } as const;
 * const march = await checkTurbine("T1", await readProduction(file, meter), { month: "2024-03" });
 * assertEquals(march.verdict.verdict, "stops");
 * ```
 */
export async function checkTurbine(
  turbineId: string,
  production: DataFrame,
  options: CheckTurbineOptions = {},
): Promise<PerformanceCheck> {
  const { month, from, to, price, currency, ...given } = readOptions(
    "checkTurbine()",
    options,
    OPTIONS,
  );
  const { details: known, indices: loaded, ...call } = given;
  const details = known ?? await turbineDetails(turbineId, call);
  const indices = loaded ?? await monthlyIndices(turbineId, call);
  const predicted = production.columns.includes(time.name)
    ? await modelData(turbineId, call)
    : indices;
  return checkPerformance(production, {
    predicted,
    indices,
    details,
    price,
    currency,
    month,
    from,
    to,
  });
}
