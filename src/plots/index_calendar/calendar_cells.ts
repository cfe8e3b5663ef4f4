import type { DataFrame } from "nodejs-polars";
import { formatEnds } from "../parts/months.ts";
import { type Column, pickColumns } from "../../api/columns/column.ts";
import { monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { formatNumber } from "../../show/text/numbers.ts";
import type { Spec } from "../parts/assemble.ts";
import { readNumberColumn, readTextColumn } from "../parts/read_columns.ts";
import {
  buildMonthRows,
  readIndexFigures,
  requireSingleTurbine,
  valueAt,
} from "../parts/month_rows.ts";
import { classifyRecord } from "../parts/month_state.ts";
import { diverging } from "../drawing/theme.ts";

const [last12Column, statusColumn] = pickColumns(
  monthlyIndicesFrame,
  ["last12_month_index", "status"],
);

/** A month or a year of the calendar. */
interface Cell extends Spec {
  year: string;
  /** Calendar month, "01" to "12", or "Year". */
  column: string;
  label: string;
  value: number | null;
  state: string;
}

/**
 * Reads the months of a calendar from a frame of indices, and its years with data in all months.
 *
 * @throws {ArgumentError} If it has several turbines or repeats a month
 */
export function readCells(indices: DataFrame, figure: Column, what: string) {
  const status = readTextColumn(indices, statusColumn.name);
  const values = readIndexFigures(indices, figure.name, what);
  const last12 = readNumberColumn(indices, last12Column.name, what);
  const rows = buildMonthRows(indices, what);
  const months = rows.map((row): Cell => {
    const value = valueAt(values, row);
    const state = classifyRecord(value, valueAt(status, row));
    const [year, column] = row.month.split("-");
    return { year, column, label: row.label, value, state };
  });
  // In December the last twelve months are the calendar year.
  const years = rows.filter((row) => row.month.endsWith("-12")).flatMap((row): Cell[] => {
    const value = valueAt(last12, row);
    const year = row.month.slice(0, 4);
    const state = classifyRecord(value, valueAt(status, row));
    return value === null ? [] : [{ year, column: "Year", label: year, value, state }];
  });
  return { turbine: requireSingleTurbine(rows, what), months, years };
}

/** Share of cells in the outermost classes above which all classes get wider. */
const MAX_OUTSIDE = 0.15;

/** Bounds of the classes around 100 %: 10 % apart, or 20 % if too many values would be in the outermost ones. */
export function chooseBounds(cells: readonly Cell[]): number[] {
  const far = cells.filter(({ value }) => value !== null && Math.abs(value - 100) > 35).length;
  const step = far <= MAX_OUTSIDE * cells.length ? 10 : 20;
  return diverging.slice(1).map((_, i) => 100 + step * (i - (diverging.length - 2) / 2));
}

/** What the calendar shows, as text for screen readers. */
export function formatCalendarAltText(title: string, months: readonly Cell[]): string {
  const known = months.filter((cell) => cell.value !== null)
    .sort((a, b) => (a.value ?? 0) - (b.value ?? 0));
  const span = formatEnds(months);
  if (known.length === 0) return `Calendar of years by months. ${title}. ${span}, no data.`;
  const [low, high] = [known[0], known[known.length - 1]].map((cell) =>
    `${formatNumber(cell.value ?? 0)} % in ${cell.label}`
  );
  const gaps = months.length - known.length;
  return `Calendar of years by months. ${title}. ${span}, lowest ${low}, highest ${high}` +
    (gaps > 0 ? `, ${gaps} of ${months.length} months without data` : "") + ".";
}
