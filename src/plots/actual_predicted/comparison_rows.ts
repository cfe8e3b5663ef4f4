import type { DataFrame } from "nodejs-polars";
import { type Column, pickColumns } from "../../api/columns/column.ts";
import { monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { formatNumber, formatShare } from "../../show/text/numbers.ts";
import { displayOf } from "../../show/frame_display.ts";
import type { Spec } from "../parts/assemble.ts";
import type { StateColor } from "../parts/bands.ts";
import { readNumberColumn } from "../parts/read_columns.ts";
import { buildMonthRows, requireSingleTurbine, valueAt } from "../parts/month_rows.ts";
import { palette } from "../drawing/theme.ts";

const [predictedProduction, monthIndex, completenessColumn] = pickColumns(
  monthlyIndicesFrame,
  ["predicted_production", "month_index", "completeness"],
);

/** State of a month without a ratio. */
const NO_RATIO = "Nothing to compare";

/** Columns of energies and their ratio, as the frame declares them. */
export interface ComparisonLabels {
  readonly produced: Column;
  readonly predicted: Column;
  readonly ratio: Column;
}

/** A month with what was produced and predicted. */
export interface ComparisonRow extends Spec {
  month: string;
  label: string;
  produced: number | null;
  predicted: number | null;
  ratio: number | null;
  /** Share of the hours, %, rounded down. */
  completeness: number | null;
  state: string;
}

interface Comparison {
  readonly rows: readonly ComparisonRow[];
  /** States that occur, with their colours. */
  readonly states: readonly StateColor[];
  /** Months without a ratio. */
  readonly gaps: number;
  /** Months of low completeness. */
  readonly incomplete: number;
}

/** Declaration of a column in the frames, or else its name as label with the unit of `like`. */
function declareColumn(name: string, like: Column, frames: readonly DataFrame[]): Column {
  const carried = frames.flatMap((frame) => displayOf(frame)?.columns ?? [])
    .find((column) => column.name === name);
  return carried ?? { ...like, name, label: name[0].toUpperCase() + name.slice(1) };
}

/** Names and units of the columns. */
export function findComparisonLabels(frames: readonly DataFrame[]): ComparisonLabels {
  return {
    produced: declareColumn("produced", predictedProduction, frames),
    predicted: declareColumn("predicted", predictedProduction, frames),
    ratio: declareColumn("ratio", monthIndex, frames),
  };
}

/**
 * Reads the comparison, every month from the first to the last.
 *
 * @throws {ArgumentError} If it has several turbines or repeats a month, or a column is not numeric
 */
export function readComparison(
  frame: DataFrame,
  { produced, predicted, ratio }: ComparisonLabels,
  minCompleteness: number,
  what: string,
): Comparison {
  const full = produced.label;
  const low = `${full}, under ${formatNumber(100 * minCompleteness)} % of hours`;
  const months = buildMonthRows(frame, what);
  requireSingleTurbine(months, what);
  const [made, modelled, ratios, shares] = [produced, predicted, ratio, completenessColumn]
    .map(({ name }) => readNumberColumn(frame, name, what));
  const rows = months.map((row): ComparisonRow => {
    const share = valueAt(shares, row);
    const ratio = valueAt(ratios, row);
    const complete = share === null || share >= minCompleteness;
    return {
      month: row.month,
      label: row.label,
      produced: valueAt(made, row),
      predicted: valueAt(modelled, row),
      ratio,
      completeness: share === null ? null : Number(formatShare(share)),
      state: ratio === null ? NO_RATIO : complete ? full : low,
    };
  });
  const count = (state: string) => rows.filter((row) => row.state === state).length;
  const all = [[full, palette.blue], [low, palette.paleBlue], [NO_RATIO, palette.missing]] as const;
  return {
    rows,
    states: all.filter(([state]) => count(state) > 0),
    gaps: count(NO_RATIO),
    incomplete: count(low),
  };
}

/** Sums over the months that have both, in words. */
export function formatComparisonSummary(
  rows: readonly ComparisonRow[],
  { produced, predicted }: ComparisonLabels,
): string {
  const both = rows.filter((row) => row.ratio !== null);
  const sum = (name: "produced" | "predicted") =>
    both.reduce((total, row) => total + (row[name] ?? 0), 0);
  const [actual, model] = [sum("produced"), sum("predicted")];
  if (model === 0) return "No month has both energies";
  return `${produced.label} ${formatNumber(actual)} of ${formatNumber(model)} ${predicted.unit} ` +
    `${predicted.label.toLowerCase()}: ${formatNumber(100 * actual / model, 1)} % ` +
    `over ${both.length} ${both.length === 1 ? "month" : "months"}`;
}
