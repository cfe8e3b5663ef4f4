import type { DataFrame } from "nodejs-polars";
import { pickColumns } from "../../api/columns/column.ts";
import { monthlyIndicesFrame, monthRecord } from "../../api/columns/columns.ts";
import { formatMonth, formatNumber, formatShare } from "../../show/text/numbers.ts";
import { diverging } from "../drawing/theme.ts";
import {
  buildMonthChannel,
  buildYearChannel,
  listMonths,
  listYears,
  readYearPositions,
} from "./axes.ts";
import {
  hasColumn,
  readMonthColumn,
  readNumberColumn,
  readTextColumn,
  refusePlot,
} from "./read.ts";
import { clipText, formatEnds } from "./text.ts";

const [turbineColumn, monthColumn, last12Column] = pickColumns(
  monthlyIndicesFrame,
  ["turbine_id", "month", "last12_month_index"],
);

/** Most turbines that fit one picture. */
const MAX_TURBINES = 60;

/** A turbine and a month of a chart. */
export interface MonthRow {
  /** Displayed id; empty if the frame has no ids. */
  readonly turbine: string;
  /** Month, "2023-05". */
  readonly month: string;
  /** Month in words, "May 2023". */
  readonly label: string;
  /** Position of the row in the frame; `undefined` for a month missing there. */
  readonly at: number | undefined;
}

/** Names of ids in the picture: ids shortened to the same text get a number. */
function nameTurbines(ids: readonly string[]): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const id of new Set(ids)) {
    const short = clipText(id);
    let name = short;
    for (let i = 2; taken.has(name); i++) name = `${short} (${i})`;
    taken.add(name);
    names.set(id, name);
  }
  return names;
}

/**
 * One row per turbine and month from the first to the last month, including months missing in the frame. Turbines keep the
 * order of the frame.
 *
 * @throws {ArgumentError} If a month of a turbine is duplicated, or a date is missing
 */
export function buildMonthRows(frame: DataFrame, plot: string): MonthRow[] {
  const ids = readTextColumn(frame, turbineColumn.name).map((id) => id ?? "");
  const names = nameTurbines(ids);
  const turbines = ids.map((id) => names.get(id)!);
  const months = readMonthColumn(frame, monthColumn.name, plot);
  const positions = new Map<string, Map<string, number>>();
  months.forEach((month, i) => {
    const monthPositions = positions.get(turbines[i]) ?? new Map<string, number>();
    if (monthPositions.has(month)) {
      refusePlot(
        plot,
        `${month} of turbine "${turbines[i]}" is duplicated. Keep one row per month`,
      );
    }
    positions.set(turbines[i], monthPositions.set(month, i));
  });
  const span = listMonths(months).map((month) => ({ month, label: formatMonth(month) }));
  return [...positions].flatMap(([turbine, monthPositions]) =>
    span.map(({ month, label }) => ({ turbine, month, label, at: monthPositions.get(month) }))
  );
}

/** Converts a share to a percentage for a chart. */
export function toPercent(share: number | null): number | null {
  return share === null ? null : Number(formatShare(share));
}

/**
 * Adds a frame's figures and texts to rows of months or periods.
 *
 * @param numbers Columns of numbers, by the name of the figure
 * @param texts Columns of texts
 * @returns The rows with their figures and texts, null if missing
 */
export function fillRows<
  Row extends Pick<MonthRow, "at">,
  Name extends string,
  Text extends string = never,
>(
  frame: DataFrame,
  rows: readonly Row[],
  numbers: Readonly<Record<Name, string>>,
  plot: string,
  texts: readonly Text[] = [],
) {
  const columns = [
    ...Object.entries<string>(numbers)
      .map(([name, column]) => [name, readNumberColumn(frame, column, plot)] as const),
    ...texts.map((name) => [name, readTextColumn(frame, name)] as const),
  ];
  return rows.map(({ at, ...row }) => ({
    ...row,
    ...Object.fromEntries(
      columns.map(([name, values]) => [name, at === undefined ? null : values[at]]),
    ) as Record<Name, number | null> & Record<Text, string | null>,
  }));
}

/** If all figures are below this, they are shares (1 for a normal month), not %. */
const MIN_PERCENT = 3;

/**
 * Months of the turbines of a frame with an index, %, the index of the last twelve months, and the status.
 *
 * @throws {ArgumentError} If the column is not numeric, or has shares instead of %
 */
export function readIndexMonths(frame: DataFrame, name: string, plot: string) {
  const columns = { value: name, last12: last12Column.name };
  const rows = fillRows(frame, buildMonthRows(frame, plot), columns, plot, ["status"]);
  const known = rows.flatMap(({ value }) => value ?? []);
  const most = Math.max(...known);
  if (known.length >= 3 && most > 0 && most < MIN_PERCENT) {
    refusePlot(
      plot,
      `column "${name}" has values of at most ${most}, but an index is ` +
        `in %. Convert shares with pl.col("${name}").mul(100)`,
    );
  }
  return rows;
}

/**
 * Checks that a frame has one turbine, for charts of one.
 *
 * @throws {ArgumentError} If there are several
 */
export function requireSingleTurbine(
  rows: readonly Pick<MonthRow, "turbine">[],
  plot: string,
): void {
  const turbines = [...new Set(rows.map((row) => row.turbine))];
  if (turbines.length > 1) {
    refusePlot(
      plot,
      `the frame has ${turbines.length} turbines, but the chart shows one. ` +
        `Keep one with frame.filter(pl.col("${turbineColumn.name}").eq(pl.lit(...))), ` +
        "or plot all of them with plotFleetIndices()",
    );
  }
}

/**
 * The turbines of a chart with a panel for each, in the order of the frame.
 *
 * @throws {ArgumentError} If there are more than 60
 */
export function listTurbines(
  rows: readonly { readonly turbine: string }[],
  plot: string,
): string[] {
  const turbines = [...new Set(rows.map((row) => row.turbine))];
  if (turbines.length > MAX_TURBINES) {
    refusePlot(
      plot,
      `the frame has ${turbines.length} turbines, but at most ${MAX_TURBINES} ` +
        `fit one picture. Plot only some at a time: ` +
        `frame.filter(pl.col("${turbineColumn.name}").isIn(ids.slice(0, ${MAX_TURBINES})))`,
    );
  }
  return turbines;
}

/** Bounds of the classes of an index, in %, around 100; there is one more colour than bounds. */
export function listIndexBounds(step: number): number[] {
  return diverging.slice(1).map((_, i) => 100 + step * (i - (diverging.length - 2) / 2));
}

/** State of a month without a value. */
export const NO_DATA = "No data";

/** State of a month whose reanalysis may still be revised. */
export const PRELIMINARY = "Preliminary";

/** Whether the reanalysis of a month may still be revised. */
export function isPreliminary(status: string | null): boolean {
  return status === "preliminary";
}

/** State of a month without its sign, for charts that show the sign as the colour of a cell. */
export function classifyRecord(value: number | null, status: string | null): string {
  return value === null ? NO_DATA : isPreliminary(status) ? PRELIMINARY : "Final";
}

/** Describes an index in order of time: its period, its extremes, and the number of months without data. */
export function describeIndex(
  rows: readonly { readonly label: string; readonly value: number | null }[],
): string {
  const known = rows.filter(({ value }) => value !== null).sort((a, b) => a.value! - b.value!);
  if (known.length === 0) return `${formatEnds(rows)}, no data`;
  const [low, high] = [known[0], known[known.length - 1]]
    .map(({ label, value }) => `${formatNumber(value!)} % in ${label}`);
  return `${formatEnds(rows)}, lowest ${low}, highest ${high}${formatGaps(rows)}`;
}

/** Words for months without data; empty if there are none. */
export function formatGaps(rows: readonly { readonly value: number | null }[]): string {
  const gaps = rows.filter(({ value }) => value === null).length;
  return gaps > 0 ? `, ${gaps} of ${rows.length} months without data` : "";
}

const [yearColumn] = pickColumns(monthRecord, ["year"]);

/** A month or year of a chart. */
export interface Period {
  /** "2023-05", or "2023". */
  readonly period: string;
  /** In words, "May 2023" or "2023". */
  readonly label: string;
  /** Position of the row in the frame; `undefined` for a period missing there. */
  readonly at: number | undefined;
}

/** Column of the horizontal axis: `year` if the frame has it and no `month`, else `month`. */
export function choosePeriodColumn(frame: DataFrame): string {
  return hasColumn(frame, yearColumn.name) && !hasColumn(frame, monthColumn.name)
    ? yearColumn.name
    : monthColumn.name;
}

/**
 * Reads the periods of a frame: months, or years if it has no months.
 *
 * @param frame Frame with {@linkcode choosePeriodColumn}
 * @returns The periods, and the horizontal channel of a plot area with this width in pixels
 * @throws {ArgumentError} If a period is missing or duplicated, or there are several turbines
 */
export function readPeriods(frame: DataFrame, plot: string) {
  if (choosePeriodColumn(frame) === monthColumn.name) {
    const rows = buildMonthRows(frame, plot);
    const periods = rows.map(({ month, label, at }): Period => ({ period: month, label, at }));
    const months = rows.map((row) => row.month);
    const channel = (width: number) => ({ ...buildMonthChannel(months, width), field: "period" });
    requireSingleTurbine(rows, plot);
    return { periods, channel };
  }
  const positions = readYearPositions(frame, yearColumn.name, plot);
  const years = listYears(positions.keys());
  const periods = years.map((year): Period => {
    const period = String(year);
    return { period, label: period, at: positions.get(year) };
  });
  const channel = (width: number) => buildYearChannel(years, width, yearColumn.label);
  return { periods, channel };
}
