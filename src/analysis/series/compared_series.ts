import type { DataFrame } from "nodejs-polars";
import { addedColumn, type Column, pickColumns } from "../../api/columns/column.ts";
import { month, monthlyIndicesFrame } from "../../api/columns/columns.ts";
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
import { buildHourlyGrid, HOUR, type HourlyGrid, placeOnGrid } from "../../time/hourly.ts";
import { monthNumberOf, monthOfNumber, startOfMonth } from "../../time/zones.ts";
import { computeMonthlyEnergies, MIN_COMPLETENESS } from "../../windindex/index/monthly_energy.ts";
import { convertToHours } from "./hours.ts";
import { readTurbineZone } from "./turbine_stamps.ts";

/** Smallest share of a month's hours that must be compared to show the month like a complete one. */
export const MIN_COMPARED: number = MIN_COMPLETENESS;

const [completeness] = pickColumns(monthlyIndicesFrame, ["completeness"]);

/** The frame of `compareActual()`: one row a month. */
export const comparisonColumns: readonly Column[] = [
  month,
  addedColumn(
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
  addedColumn("ratio", "f64", "Ratio", "Produced over predicted energy.", "%"),
  {
    name: "hours",
    dtype: "i32",
    unit: "h",
    range: [0, null],
    label: "Hours compared",
    description: "Hours valid in both, if both are hourly, or valid hours of monthly production.",
    tag: "ours",
  },
  {
    ...completeness,
    description: "Share of the month's hours that are compared; with monthly production, " +
      "from its valid hours and the completeness of the prediction.",
    optional: false,
  },
];

/** First and last month, each as months since year 0: year x 12 + month - 1. */
export type MonthSpan = readonly [first: number, last: number];

/** Finds the first and last of some months. */
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

/** Lists all months of a span with their real hours: 743 or 745 in months of a clock change. */
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

/** Hourly mean power. */
export interface HourlySeries {
  readonly kind: "hour";
  /** The hours from the first row to the last, in order of time, and the positions of the rows on them. */
  readonly grid: HourlyGrid;
  /** Mean power of each hour, kW; missing is NaN. */
  readonly power: Float64Array;
  /** Zone that sets the months: the zone of the timestamps, or the one in the frame. */
  readonly timeZone: string;
  /** Sentences on averaged steps below an hour. */
  readonly notes: readonly string[];
}

/** A month; unknown figures are NaN. */
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
  readonly kind: "month";
  /** Its months, in the order of the rows; only those that have a row. */
  readonly months: readonly ComparedMonth[];
  /** Sentences on months whose valid hours are unknown. */
  readonly notes: readonly string[];
}

/** Columns that identify hours and months of production or prediction. */
export interface SideColumns {
  /** Action, for messages. @default {"compare"} */
  readonly action?: string;
  /** Name of the side, for messages. */
  readonly subject: string;
  /** Timestamp and power. */
  readonly hourly: readonly [Column, Column];
  /** Month and energy. */
  readonly monthly: readonly [Column, Column];
}

/** Columns of production. */
export const productionSide: SideColumns = {
  subject: "the production",
  hourly: productionColumns.hour as readonly [Column, Column],
  monthly: productionColumns.month as readonly [Column, Column],
};

/**
 * Reads one side of a comparison.
 *
 * @param side Columns of hours and of months
 * @param completeness Column with the completeness of a month, used if the frame has it
 * @throws {ArgumentError} If columns are missing, of another type, or repeat an hour or a month
 */
export function readComparedSeries(
  rows: DataFrame,
  side: SideColumns,
  completeness: Column,
): HourlySeries | MonthlySeries {
  const frame = addDays(rows);
  const names = frame.columns;
  const has = (columns: readonly Column[]) => columns.every(({ name }) => names.includes(name));
  const refuse: Refuse = buildRefuse(
    side.action === undefined ? `compare ${side.subject}` : `${side.action} from ${side.subject}`,
  );
  if (frame.height === 0) refuse("it has no rows. Give a frame with at least one row");
  if (has(side.hourly)) return readHourlySeries(frame, side, refuse);
  if (has(side.monthly)) return readMonthlySeries(frame, side, completeness, refuse);
  const wanted = [side.hourly, side.monthly].map((columns) =>
    columns.map(({ name, unit }) => unit ? `"${name}" (${unit})` : `"${name}"`).join(" and ")
  );
  return refuse(
    `it needs the columns ${wanted.join(", or ")}, but has ${
      names.join(", ") || "none"
    }. Add or rename the columns`,
  );
}

function readHourlySeries(
  rows: DataFrame,
  { hourly: [time, power], subject }: SideColumns,
  refuse: Refuse,
): HourlySeries {
  const { frame, notes } = convertToHours(rows, subject, refuse);
  const sorted = frame.sort(time.name);
  const { epochs, timeZone } = readStamps(sorted, time.name, refuse);
  if (epochs.some((stamp, i) => stamp === epochs[i - 1])) {
    refuse("it repeats an hour. Keep one turbine, and one row an hour");
  }
  const grid = buildHourlyGrid(epochs, { file: subject, clockShift: epochs[0] % HOUR });
  return {
    kind: "hour",
    grid,
    notes,
    power: placeOnGrid(grid, readNumbers(sorted, power.name, refuse)),
    timeZone: readTurbineZone(frame) ?? timeZone,
  };
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
    kind: "month",
    months: numbers.map((number, i) => ({
      number,
      energy: energies[i],
      completeness: shares?.[i] ?? NaN,
      validHours: valid?.[i] ?? NaN,
    })),
    notes: valid ? describeUnknownShares(frame, ["valid_hours"]) : [],
  };
}

/**
 * Sums hours to the energy of months, from the first month to the last: scaled to all hours in complete months, unknown
 * in others.
 */
export function sumMonths({ grid, power, timeZone }: HourlySeries): ComparedMonth[] {
  return computeMonthlyEnergies(power, grid.axis, timeZone).map((month) => ({
    number: monthNumberOf(month),
    energy: (month.energy ?? NaN) / 1000,
    completeness: month.completeness,
    validHours: NaN,
  }));
}
