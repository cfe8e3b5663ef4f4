import type { DataFrame } from "nodejs-polars";
import { formatEnds } from "../parts/months.ts";
import { pickColumns } from "../../api/columns/column.ts";
import { monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { formatNumber, formatSigned } from "../../show/text/numbers.ts";
import { readTextColumn } from "../parts/read_columns.ts";
import { findLoneValues } from "../parts/lone_values.ts";
import {
  buildMonthRows,
  readIndexFigures,
  requireSingleTurbine,
  valueAt,
} from "../parts/month_rows.ts";
import { classifyRecord } from "../parts/month_state.ts";

/** The index of a month relative to one twelfth of a normal year, and to a normal month of the same name; %. */
interface MonthFigures {
  /** Month, "2023-05". */
  readonly month: string;
  readonly index: number | null;
  readonly abnormality: number | null;
}

/**
 * Energy above or below that of normal months since the first month, in % of a normal year. After whole calendar years
 * it is the sum of their indices minus 100 %. (The sum of monthly indices minus 100 would vary with the seasons.)
 * A month without an index is `null`, and counts as normal for those after it.
 */
export function computeCumulativeDeviation(months: readonly MonthFigures[]): (number | null)[] {
  // Energy of a normal month by its name, in % of one twelfth of a normal year; unknown from a month without any wind.
  const normals = new Map<string, number>();
  for (const { month, index, abnormality } of months) {
    if (index !== null && abnormality !== null && abnormality > 0) {
      normals.set(month.slice(5), 100 * index / abnormality);
    }
  }
  let sum = 0;
  return months.map(({ month, index }) => {
    const normal = normals.get(month.slice(5));
    if (index === null || normal === undefined) return null;
    sum += (index - normal) / 12;
    return sum;
  });
}

const [indexColumn, abnormalityColumn, last12Column, lastYearColumn, statusColumn] = pickColumns(
  monthlyIndicesFrame,
  [
    "month_index",
    "month_abnormality_index",
    "last12_month_index",
    "last_full_year_index",
    "status",
  ],
);

/**
 * Reads the lines from a frame of indices.
 *
 * @throws {ArgumentError} If it has several turbines or repeats a month
 */
export function readIndexLineRows(indices: DataFrame, what: string) {
  const months = buildMonthRows(indices, what);
  const turbine = requireSingleTurbine(months, what);
  const column = (name: string) => {
    const values = readIndexFigures(indices, name, what);
    return months.map((row) => valueAt(values, row));
  };
  const [index, abnormality, last12, served] = [
    indexColumn,
    abnormalityColumn,
    last12Column,
    lastYearColumn,
  ].map(({ name }) => column(name));
  // A month has the figure of the last year complete at it: it is drawn over that year.
  const years = new Map(months.map(({ month }, i) => {
    const { year, month: number } = Temporal.PlainYearMonth.from(month);
    return [number === 12 ? year : year - 1, served[i]];
  }));
  const lastYear = months.map(({ month }) =>
    years.get(Temporal.PlainYearMonth.from(month).year) ?? null
  );
  const status = readTextColumn(indices, statusColumn.name);
  const deviation = computeCumulativeDeviation(
    months.map(({ month }, i) => ({ month, index: index[i], abnormality: abnormality[i] })),
  );
  const alone = [last12, lastYear, deviation].map(findLoneValues);
  const rows = months.map((row, i) => ({
    month: row.month,
    label: row.label,
    last12: last12[i],
    lastYear: lastYear[i],
    deviation: deviation[i],
    state: classifyRecord(index[i], valueAt(status, row)),
    lone: { last12: alone[0][i], lastYear: alone[1][i], deviation: alone[2][i] },
  }));
  return { turbine, rows };
}

/** A month of the index lines. */
export type IndexLineRow = ReturnType<typeof readIndexLineRows>["rows"][number];

function findLastRow(
  rows: readonly IndexLineRow[],
  field: "last12" | "deviation",
): IndexLineRow | undefined {
  return rows.findLast((row) => row[field] !== null);
}

/** What the lines show, as text for screen readers. */
export function formatIndexLineAltText(title: string, rows: readonly IndexLineRow[]): string {
  const values = rows.flatMap((row) => row.last12 ?? []);
  const [end, sum] = [findLastRow(rows, "last12"), findLastRow(rows, "deviation")];
  const lines = end === undefined
    ? "no twelve months in a row"
    : `last 12 months index from ${formatNumber(Math.min(...values))} to ` +
      `${formatNumber(Math.max(...values))} %, ` +
      `${formatNumber(end.last12 ?? 0)} % in ${end.label}`;
  const deviation = sum === undefined
    ? ""
    : `, energy against normal months ${
      formatSigned(sum.deviation ?? 0, 1)
    } % of a normal year by ${sum.label}`;
  return `Line charts. ${title}. ${formatEnds(rows)}, ` +
    `${lines}${deviation}.`;
}
