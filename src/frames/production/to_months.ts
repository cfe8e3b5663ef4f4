import pl, { type DataFrame } from "nodejs-polars";
import { readOptions } from "../../show/options/read_options.ts";
import { time, turbineId } from "../../api/columns/columns.ts";
import { checkFrame } from "../../show/check_frame.ts";
import { monthAsDays, monthOfNumber } from "../../time/zones.ts";
import { buildFrame } from "../frame.ts";
import { describeFrame, provenance } from "../provenance.ts";
import { buildRefuse, readTexts } from "../read_columns.ts";
import { productionColumns, productionExtras } from "./production_columns.ts";
import { averageToHours, TO_HOURS_OPTIONS, type ToHoursOptions } from "./to_hours.ts";

const [, power] = productionColumns.hour;
const [month, energy] = productionColumns.month;
const { validHours } = productionExtras;

/**
 * Adds up production by calendar months, from hours or shorter steps: each hour counts in the month of its zone.
 *
 * @param frame `time` with a zone and `power` (kW), as `readProduction()` or `modelData()` return them; optionally
 * `turbine_id`
 * @param options `minShare` of an hour, as of `toHours()`, which averages shorter steps
 * @returns A frame of `turbine_id` (String, where the hours have it), `month` (Date, first day), `energy` (Float64, MWh, of
 * the valid hours as they are; null where there is none) and `valid_hours` (Float64, h), sorted by turbine and month, with
 * the months in between that have no hours; analyses take it like any monthly production
 * @throws {ArgumentError} As `toHours()` does
 *
 * @example The energy of three months
 * ```ts
 * import { modelData, toMonths } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const months = toMonths(await modelData("T1", { from: "2024-01", to: "2024-03" }));
 * assertEquals(months.columns, ["month", "energy", "valid_hours"]);
 * assertEquals(months.getColumn("valid_hours").toArray(), [744, 696, 743]);
 * ```
 */
export function toMonths(frame: DataFrame, options: ToHoursOptions = {}): DataFrame {
  readOptions("toMonths()", options, TO_HOURS_OPTIONS);
  checkFrame(frame, "add up production by months", "readProduction()");
  const refuse = buildRefuse("add up production by months");
  const { frame: hours, notes } = averageToHours(frame, options, refuse);
  const turbines = Object.keys(hours).includes(turbineId.name) ? [turbineId] : [];
  const keys = [...turbines.map(({ name }) => name), "number"];
  const stamp = pl.col(time.name);
  const sums = hours.withColumn(
    stamp.dt.year().cast(pl.Int32).mul(pl.lit(12)).add(stamp.dt.month().cast(pl.Int32))
      .sub(pl.lit(1)).alias("number"),
  ).groupBy(...keys).agg(
    pl.col(power.name).sum().div(pl.lit(1000)).alias(energy.name),
    pl.col(power.name).count().cast(pl.Float64).alias(validHours.name),
  ).sort(keys);
  const valid = sums.getColumn(validHours.name).toArray() as number[];
  const energies = sums.getColumn(energy.name).toArray() as number[];
  const columns = [...turbines, month, energy, validHours];
  const months = buildFrame(columns, {
    ...Object.fromEntries(turbines.map(({ name }) => [name, readTexts(sums, name)])),
    [month.name]: (sums.getColumn("number").toArray() as number[])
      .map((number) => monthAsDays(monthOfNumber(number))),
    [energy.name]: energies.map((value, i) => valid[i] > 0 ? value : null),
    [validHours.name]: valid,
  });
  return describeFrame(months, columns, provenance(frame), notes);
}
