import pl, { type DataFrame, type Expr } from "nodejs-polars";
import { type Column, ownColumn, pickColumns } from "../../api/columns/column.ts";
import { month, monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { buildNumbers } from "../../frames/frame.ts";
import {
  countHours,
  describeUnknownShares,
  readValidHoursColumn,
} from "../../frames/production/period_shares.ts";
import { addDays } from "../../frames/production/to_months.ts";
import { productionColumns } from "../../frames/production/production.ts";
import {
  buildRefuse,
  readMonths,
  readNumbers,
  readStamps,
  type Refuse,
} from "../../frames/read_columns.ts";
import { HOUR } from "../../time/hourly.ts";
import { monthOfNumber, startOfMonth } from "../../time/zones.ts";
import { MIN_COMPLETENESS } from "../../windindex/index/monthly_energy.ts";
import { convertToHours } from "./hours.ts";
import { readTurbineZone } from "./turbine_stamps.ts";

/** Smallest share of a month's hours that must be compared for the month to be shown like a whole one. */
export const MIN_COMPARED: number = MIN_COMPLETENESS;

const [completeness] = pickColumns(monthlyIndicesFrame, ["completeness"]);

/** The frame of `compareActual()`: one row a month. */
export const comparisonColumns: readonly Column[] = [
  month,
  ownColumn(
    "produced",
    "f64",
    "Produced",
    "Energy that the turbine produced: in the hours compared, or in the whole month.",
    "MWh",
  ),
  {
    name: "predicted",
    dtype: "f64",
    unit: "MWh",
    range: [0, null],
    label: "Predicted",
    description: "Energy that the model predicts: for the hours compared, or for the whole month.",
    tag: "ours",
  },
  ownColumn("ratio", "f64", "Ratio", "Produced over predicted energy.", "%"),
  {
    name: "hours",
    dtype: "i32",
    unit: "h",
    range: [0, null],
    label: "Hours compared",
    description:
      "Hours valid in both, where both are hourly, or valid hours of monthly production.",
    tag: "ours",
  },
  {
    ...completeness,
    description: "Share of the month's hours that are compared; with monthly production, " +
      "that of its valid hours and the completeness of the prediction.",
    optional: false,
  },
];

/** First and last month, each as months since year 0: year x 12 + month - 1. */
export type MonthSpan = readonly [first: number, last: number];

/** Builds the expression for the month of a date or a local datetime, in months since year 0, as `number`. */
function buildMonthNumber(date: Expr): Expr {
  return date.dt.year().cast(pl.Int32).mul(pl.lit(12)).add(date.dt.month().cast(pl.Int32))
    .sub(pl.lit(1)).cast(pl.Int32).alias("number");
}

/** Builds the expression for the local month in which an hour starts. (A cast of the stamp to a date would give the month in UTC.) */
export function buildLocalMonthNumber(timeZone: string): Expr {
  return buildMonthNumber(pl.col("time").cast(pl.Datetime("us", timeZone)));
}

/** Finds first and last of some months. */
export function findMonthSpan(numbers: readonly number[]): MonthSpan {
  return numbers.reduce<MonthSpan>(
    ([first, last], number) => [Math.min(first, number), Math.max(last, number)],
    [Infinity, -Infinity],
  );
}

/** Formats a span of months: "2018-01 to 2018-12". */
export function formatMonthSpan([first, last]: MonthSpan): string {
  return `${monthOfNumber(first)} to ${monthOfNumber(last)}`;
}

/** Lists all months of a span with their real hours: 743 or 745 where the clock changes. */
export function listMonths(
  [first, last]: MonthSpan,
  timeZone: string,
): { readonly number: number; readonly hours: number }[] {
  return Array.from({ length: last - first + 1 }, (_, i) => {
    const number = first + i;
    const month = monthOfNumber(number);
    const end = startOfMonth(month.add({ months: 1 }), timeZone);
    return { number, hours: (end - startOfMonth(month, timeZone)) / HOUR };
  });
}

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

/** A month; what is not known is NaN. */
export interface ComparedMonth {
  /** Months since year 0. */
  readonly number: number;
  /** Energy, MWh. */
  readonly energy: number;
  /** Share of its hours that are valid. */
  readonly completeness: number;
  /** Hours for which the energy is known. */
  readonly validHours: number;
}

/** Monthly energy. */
export interface MonthlySeries {
  /** Kind of the series. */
  readonly kind: "monthly";
  /** Its months, in the order of the rows; those without a row are left out. */
  readonly months: readonly ComparedMonth[];
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

/** Columns of production. */
export const productionSide: SideColumns = {
  what: "the production",
  hourly: productionColumns.hour as readonly [Column, Column],
  monthly: productionColumns.month as readonly [Column, Column],
};

/**
 * Reads one side of a comparison.
 *
 * @param side Columns of hours and of months
 * @param completeness Column with the completeness of a month, where the frame has it
 * @throws {ArgumentError} If columns are missing, of another type, or repeat an hour or a month
 */
export function readComparedSeries(
  given: DataFrame,
  side: SideColumns,
  completeness: Column,
): HourlySeries | MonthlySeries {
  const frame = addDays(given);
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

function readHourlySeries(
  given: DataFrame,
  { hourly: [time, power], what }: SideColumns,
  refuse: Refuse,
): HourlySeries {
  const { frame, notes } = convertToHours(given, what, refuse);
  const { timeZone } = readStamps(frame, time.name, refuse);
  const sorted = pl.DataFrame([
    frame.getColumn(time.name).cast(pl.Datetime("us", "UTC")).rename("time"),
    buildNumbers("power", readNumbers(frame, power.name, refuse)),
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
  const energies = readNumbers(frame, energy.name, refuse);
  if (new Set(numbers).size < numbers.length) {
    refuse("it repeats a month. Keep one turbine, and one row a month");
  }
  const shares = frame.columns.includes(completeness.name)
    ? readNumbers(frame, completeness.name, refuse)
    : undefined;
  return {
    kind: "monthly",
    months: numbers.map((number, i) => ({
      number,
      energy: energies[i],
      completeness: shares?.[i] ?? NaN,
      validHours: valid?.[i] ?? NaN,
    })),
    notes: valid ? describeUnknownShares(frame, ["valid_hours"]) : [],
  };
}

/** Adds up the energy of months from hours, from the first month to the last: scaled to all hours in complete months, unknown in others. */
export function sumMonths({ frame, timeZone }: HourlySeries): ComparedMonth[] {
  const numbered = frame.withColumn(buildLocalMonthNumber(timeZone));
  const sums = numbered.filter(pl.col("power").isNotNull()).groupBy("number").agg(
    pl.col("power").sum().div(pl.lit(1000)).alias("sum"),
    pl.col("power").count().cast(pl.Float64).alias("valid"),
  );
  const [numbers, energies, valid] = ["number", "sum", "valid"]
    .map((name) => sums.getColumn(name).toArray() as number[]);
  const rows = new Map(numbers.map((number, i) => [number, i]));
  const span = findMonthSpan(numbered.getColumn("number").toArray() as number[]);
  return listMonths(span, timeZone).map(({ number, hours }) => {
    const row = rows.get(number);
    const completeness = row === undefined ? 0 : valid[row] / hours;
    const energy = row === undefined || completeness < MIN_COMPLETENESS
      ? NaN
      : energies[row] / completeness;
    return { number, energy, completeness, validHours: NaN };
  });
}
