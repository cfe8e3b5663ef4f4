import pl, { type DataFrame, type Series } from "nodejs-polars";
import type { Column } from "../../api/columns/column.ts";
import { buildNumbers } from "../../frames/frame.ts";
import {
  countHours,
  describeUnknownShares,
  readValidHoursColumn,
} from "../../frames/production/period_shares.ts";
import {
  buildRefuse,
  readMonths,
  readNumbers,
  readStamps,
  type Refuse,
} from "../../frames/read_columns.ts";
import { convertToHours } from "./convert_to_hours.ts";
import { readTurbineZone } from "./turbine_zone.ts";

/** Hourly mean power, in the order of time. */
export interface HourlySeries {
  /** Kind of the series. */
  readonly kind: "hourly";
  /** `time` in UTC and `power` in kW, null where it is unknown. */
  readonly frame: DataFrame;
  /** Zone that sets the months. */
  readonly timeZone: string;
  /** How steps below an hour were averaged, in sentences. */
  readonly notes: readonly string[];
}

/** Monthly energy. */
export interface MonthlySeries {
  /** Kind of the series. */
  readonly kind: "monthly";
  /** `number` of the month, `energy` in MWh, `completeness` and `valid_hours`, null where they are not known. */
  readonly frame: DataFrame;
  /** Which valid hours are unknown, in sentences. */
  readonly notes: readonly string[];
}

/** Columns that identify hours and months of production or prediction. */
export interface SideColumns {
  /** Action, for messages. @default {"compare"} */
  readonly action?: string;
  /** Name of the side, for messages. */
  readonly what: string;
  /** Stamp and power. */
  readonly hourly: readonly [Column, Column];
  /** Month and energy. */
  readonly monthly: readonly [Column, Column];
}

/**
 * Reads one side of a comparison.
 *
 * @param side Columns of hours and of months
 * @param completeness Column with the completeness of a month, where the frame has it
 * @throws {ArgumentError} If columns are missing, of another type, or repeat an hour or a month
 */
export function readComparedSeries(
  frame: DataFrame,
  side: SideColumns,
  completeness: Column,
): HourlySeries | MonthlySeries {
  const names = frame.columns;
  const has = (columns: readonly Column[]) => columns.every(({ name }) => names.includes(name));
  const refuse: Refuse = buildRefuse(
    side.action === undefined ? `compare ${side.what}` : `${side.action} from ${side.what}`,
  );
  if (has(side.hourly)) return readHourlySeries(frame, side, refuse);
  if (has(side.monthly)) return readMonthlySeries(frame, side, completeness, refuse);
  const wanted = [side.hourly, side.monthly].map((columns) =>
    columns.map(({ name, unit }) => unit ? `"${name}" (${unit})` : `"${name}"`).join(" and ")
  );
  return refuse(
    `it needs the columns ${wanted.join(", or ")}; it has ${names.join(", ") || "none"}`,
  );
}

/** A column as numbers, by another name, in which NaN and infinity are null. */
function readColumn(frame: DataFrame, column: Column, name: string, refuse: Refuse): Series {
  return buildNumbers(name, readNumbers(frame, column.name, refuse));
}

function readHourlySeries(
  given: DataFrame,
  { hourly: [time, power], what }: SideColumns,
  refuse: Refuse,
): HourlySeries {
  const { frame, notes } = convertToHours(given, what, refuse);
  const { timeZone } = readStamps(frame, time.name, refuse);
  const sorted = pl.DataFrame([
    frame.getColumn(time.name).cast(pl.Datetime("us", "UTC")).rename("time"),
    readColumn(frame, power, "power", refuse),
  ]).sort("time");
  if (sorted.getColumn("time").nUnique() < sorted.height) {
    refuse("it repeats an hour. Keep one turbine, and one row an hour");
  }
  return { kind: "hourly", frame: sorted, timeZone: readTurbineZone(frame) ?? timeZone, notes };
}

function readMonthlySeries(
  frame: DataFrame,
  { monthly: [month, energy] }: SideColumns,
  completeness: Column,
  refuse: Refuse,
): MonthlySeries {
  const numbers = readMonths(frame, month.name, refuse);
  const hours = numbers.map((number) => countHours("month", number));
  const valid = readValidHoursColumn(frame, hours, refuse);
  const read = pl.DataFrame([
    pl.Series("number", numbers, pl.Int32),
    readColumn(frame, energy, "energy", refuse),
    buildNumbers("valid_hours", valid ?? new Float64Array(numbers.length).fill(NaN)),
  ]);
  if (read.getColumn("number").nUnique() < read.height) {
    refuse("it repeats a month. Keep one turbine, and one row a month");
  }
  const share = frame.columns.includes(completeness.name)
    ? readColumn(frame, completeness, "completeness", refuse)
    : pl.lit(null).cast(pl.Float64).alias("completeness");
  const notes = valid ? describeUnknownShares(frame, ["valid_hours"]) : [];
  return { kind: "monthly", frame: read.withColumns(share), notes };
}
