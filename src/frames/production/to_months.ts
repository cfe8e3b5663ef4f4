import pl, { type DataFrame } from "nodejs-polars";
import { readOptions } from "../../show/options/read_options.ts";
import { time, turbineId } from "../../api/columns/columns.ts";
import { checkFrame } from "../../show/check_frame.ts";
import { dayAt, monthAsDays, monthOfNumber, startOfDay } from "../../time/zones.ts";
import { DAY, HOUR } from "../../time/hourly.ts";
import { buildFrame, buildNumbers, extractEpochs, toFloats, zoneOf } from "../frame.ts";
import { describeFrame, provenance } from "../origin/provenance.ts";
import { buildRefuse, readTexts, type Refuse } from "../read_columns.ts";
import { countDayHours, readValidHoursColumn } from "./period_shares.ts";
import { productionColumns, productionExtras } from "./production_columns.ts";
import { averageToHours, TO_HOURS_OPTIONS, type ToHoursOptions } from "./to_hours.ts";

const [, power] = productionColumns.hour;
const [month, energy] = productionColumns.month;
const { validHours } = productionExtras;

/** Whether the rows of a frame are days: they begin days, and are 23 hours or more apart, some at most 25. */
function hasDays(frame: DataFrame): boolean {
  if (![time, power].every(({ name }) => frame.columns.includes(name))) return false;
  const column = frame.getColumn(time.name);
  const zone = zoneOf(column.dtype);
  if (zone === undefined || column.nullCount() > 0) return false;
  const stamps = extractEpochs(frame, time.name);
  let least = Infinity;
  for (let row = 1; row < stamps.length && least >= DAY - HOUR; row++) {
    least = Math.min(least, Math.abs(stamps[row] - stamps[row - 1]));
  }
  return Math.abs(least - DAY) <= HOUR &&
    stamps.every((stamp) => stamp === startOfDay(dayAt(stamp, zone), zone)); // not an hour of each day
}

/** Adds up days to months, as {@linkcode toMonths} does; returns other frames unchanged. */
export function addDays(frame: DataFrame): DataFrame {
  return hasDays(frame) ? toMonths(frame) : frame;
}

/** Weighs rows by their hours, in columns `energy` (MWh) and `valid_hours`. */
function weighDays(frame: DataFrame, refuse: Refuse): DataFrame {
  const zone = zoneOf(frame.getColumn(time.name).dtype)!;
  const hours = extractEpochs(frame, time.name).map((start) => countDayHours(start, zone));
  const powers = toFloats(frame.getColumn(power.name));
  const valid = readValidHoursColumn(frame, [...hours], refuse) ?? hours;
  return frame.withColumns(
    buildNumbers(energy.name, powers.map((kW, row) => kW * hours[row] / 1000)),
    buildNumbers(
      validHours.name,
      powers.map((kW, row) =>
        Number.isNaN(kW) ? NaN : Number.isNaN(valid[row]) ? hours[row] : valid[row]
      ),
    ),
  );
}

/**
 * Adds up production by calendar months, from days, hours or shorter steps: each counts in the month of its zone.
 *
 * @param frame `time` with a zone and `power` (kW), as `readProduction()` or `modelData()` return them; optionally
 * `turbine_id`, and `valid_hours` of days
 * @param options `minShare` of an hour, as of `toHours()`, which averages shorter steps
 * @returns A frame of `turbine_id` (String, if the hours have it), `month` (Date, first day), `energy` (Float64, MWh,
 * of the valid hours, not scaled to the month; null without any) and `valid_hours` (Float64, h), sorted by turbine and
 * month, including months in between without hours; analyses accept it like any monthly production
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
  const days = hasDays(frame);
  const { frame: rows, notes } = days
    ? { frame: weighDays(frame, refuse), notes: [] }
    : averageToHours(frame, options, refuse);
  const [sum, valid] = days
    ? [pl.col(energy.name).sum(), pl.col(validHours.name).sum()]
    : [pl.col(power.name).sum().div(pl.lit(1000)), pl.col(power.name).count().cast(pl.Float64)];
  const turbines = Object.keys(rows).includes(turbineId.name) ? [turbineId] : [];
  const keys = [...turbines.map(({ name }) => name), "number"];
  const stamp = pl.col(time.name);
  const sums = rows.withColumn(
    stamp.dt.year().cast(pl.Int32).mul(pl.lit(12)).add(stamp.dt.month().cast(pl.Int32))
      .sub(pl.lit(1)).alias("number"),
  ).groupBy(...keys).agg(
    sum.alias(energy.name),
    valid.alias(validHours.name),
  ).sort(keys);
  const hours = (sums.getColumn(validHours.name).toArray() as (number | null)[])
    .map((one) => one ?? 0);
  const energies = sums.getColumn(energy.name).toArray() as number[];
  const columns = [...turbines, month, energy, validHours];
  const months = buildFrame(columns, {
    ...Object.fromEntries(turbines.map(({ name }) => [name, readTexts(sums, name)])),
    [month.name]: (sums.getColumn("number").toArray() as number[])
      .map((number) => monthAsDays(monthOfNumber(number))),
    [energy.name]: energies.map((value, i) => hours[i] > 0 ? value : null),
    [validHours.name]: hours,
  });
  return describeFrame(months, columns, provenance(frame), notes);
}
