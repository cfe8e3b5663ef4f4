import type { DataFrame } from "nodejs-polars";
import { type Column, labelWithUnit, pickColumns } from "../api/column.ts";
import { monthlyIndicesFrame } from "../api/columns.ts";
import { formatMonth } from "../show/month.ts";
import { formatNumber } from "../show/number.ts";
import { shownOf } from "../show/shown.ts";
import { assembleChart, type Spec } from "./_assemble.ts";
import type { Chart } from "./chart.ts";
import { monthsIn, numbersIn, originOf, requireColumns } from "./_input.ts";
import { legendColumns, missingBand, scaleWith, verticalAxis, watermark } from "./_marks.ts";
import { monthChannel, monthsBetween } from "./_months.ts";
import { PLOT_WIDTH, type PlotOptions } from "./plot_options.ts";
import { palette } from "./theme.ts";

/** Options of {@linkcode plotActualAgainstPredicted}. */
export interface PlotActualAgainstPredictedOptions extends PlotOptions {
  /** Completeness below which a month is marked. @default {0.98} */
  readonly minCompleteness?: number;
}

const WHAT = "actual against predicted";

/** Height of the view of ratios, pixels. */
const RATIO_HEIGHT = 110;

/** Least room of a month whose ratio is written beside its point, pixels. */
const FIGURE_WIDTH = 22;

/** State of a month without a ratio. */
const NOTHING = "Nothing to compare";

const [monthColumn, predictedProduction, monthIndex, completenessColumn] = pickColumns(
  monthlyIndicesFrame,
  ["month", "predicted_production", "month_index", "completeness"],
);

interface Row extends Spec {
  month: string;
  label: string;
  produced: number | null;
  predicted: number | null;
  ratio: number | null;
  completeness: number | null;
  state: string;
}

/** Label and unit that the frame carries for a column, or else its name and the unit of such values in indices. */
function declared(name: string, like: Column, frames: readonly DataFrame[]): Column {
  const carried = frames.flatMap((frame) => shownOf(frame)?.columns ?? [])
    .find((column) => column.name === name);
  return carried ?? { ...like, name, label: name[0].toUpperCase() + name.slice(1) };
}

function rowsOf(comparison: DataFrame, stateOf: (completeness: number | null) => string): Row[] {
  const months = monthsIn(comparison, monthColumn.name, WHAT);
  const [produced, predicted, ratio, completeness] = [
    "produced",
    "predicted",
    "ratio",
    completenessColumn.name,
  ].map((name) => numbersIn(comparison, name));
  return monthsBetween(months).map((month): Row => {
    const i = months.indexOf(month);
    const at = (values: readonly (number | null)[]) => i === -1 ? null : values[i];
    return {
      month,
      label: formatMonth(month),
      produced: at(produced),
      predicted: at(predicted),
      ratio: at(ratio),
      completeness: at(completeness),
      state: stateOf(at(completeness)),
    };
  });
}

interface Labels {
  readonly produced: Column;
  readonly predicted: Column;
  readonly ratio: Column;
}

function tooltipOf({ produced, predicted, ratio }: Labels): Spec[] {
  const number = (column: Column, format: string) => ({
    field: column.name,
    title: labelWithUnit(column),
    format,
    type: "quantitative",
  });
  return [
    { field: "label", title: monthColumn.label },
    number(produced, ",.1f"),
    number(predicted, ",.1f"),
    number(ratio, ".1f"),
    number(completenessColumn, ".1%"),
  ];
}

function energyView(
  x: Spec,
  rows: readonly Row[],
  width: number,
  height: number,
  labels: Labels,
  states: readonly (readonly [string, string])[],
): Spec[] {
  const title = `Energy a month (${labels.produced.unit})`;
  const y = {
    type: "quantitative",
    scale: scaleWith(0, rows.flatMap((row) => [row.produced, row.predicted])),
    axis: { ...verticalAxis(title, height), format: ",~f" },
  };
  const tooltip = tooltipOf(labels);
  return [
    {
      mark: { type: "bar" },
      encoding: {
        x,
        y: { ...y, field: "produced" },
        color: {
          field: "state",
          type: "nominal",
          scale: {
            domain: states.map(([state]) => state),
            range: states.map(([, color]) => color),
          },
          legend: { columns: legendColumns(width), symbolType: "square" },
        },
        tooltip,
      },
    },
    {
      // The stroke is there for the legend: it draws a line, not a square.
      mark: { type: "tick", fill: palette.black, opacity: 1, strokeWidth: 0, thickness: 2.5 },
      encoding: {
        x,
        y: { ...y, field: "predicted" },
        stroke: {
          datum: labels.predicted.label,
          type: "nominal",
          scale: { range: [palette.black] },
          legend: { symbolOpacity: 1, symbolStrokeWidth: 2.5, symbolType: "stroke" },
        },
        tooltip,
      },
    },
  ];
}

/** Points that hang at the line of 100 %, each with its figure on the far side. */
function ratioView(x: Spec, rows: readonly Row[], width: number, labels: Labels): Spec[] {
  const y = {
    field: "ratio",
    type: "quantitative",
    scale: { ...scaleWith(100, rows.map((row) => row.ratio)), padding: 18 },
    axis: verticalAxis(labelWithUnit(labels.ratio), RATIO_HEIGHT),
  };
  const figures = (test: string, dy: number) => ({
    transform: [{ filter: `isValid(datum.ratio) && datum.ratio ${test} 100` }],
    mark: { type: "text", color: palette.text, dy, fontSize: 9, tooltip: null },
    encoding: { x, y, text: { field: "ratio", type: "quantitative", format: ".0f" } },
  });
  const size = rows.length <= 60 ? 36 : 14;
  return [
    {
      mark: { type: "rule", color: palette.faint, strokeWidth: 1, tooltip: null },
      encoding: { x, y, y2: { datum: 100 } },
    },
    {
      data: { values: [{}] },
      mark: { type: "rule", color: palette.black, strokeWidth: 1 },
      encoding: { y: { datum: 100 } },
    },
    {
      mark: { type: "point", filled: true, opacity: 1, size, stroke: "white", strokeWidth: 1 },
      encoding: {
        x,
        y,
        color: { field: "state", type: "nominal" },
        tooltip: tooltipOf(labels),
      },
    },
    ...(width / rows.length >= FIGURE_WIDTH ? [figures(">=", -9), figures("<", 10)] : []),
  ];
}

/** Sums over the months that have both, in words. */
function summaryOf(rows: readonly Row[], { produced, predicted }: Labels): string {
  const both = rows.filter((row) => row.ratio !== null);
  const sum = (name: "produced" | "predicted") =>
    both.reduce((total, row) => total + (row[name] ?? 0), 0);
  const [actual, model] = [sum("produced"), sum("predicted")];
  if (model === 0) return "No month has both";
  return `${produced.label} ${formatNumber(actual)} of ${formatNumber(model)} ${predicted.unit} ` +
    `${predicted.label.toLowerCase()}: ${formatNumber(100 * actual / model, 1)} % ` +
    `over ${both.length} ${both.length === 1 ? "month" : "months"}`;
}

/**
 * Plots what a turbine produced against what the model predicts, and their ratio below.
 * Months of low completeness and months without data are marked.
 *
 * @param comparison Frame as `actualAgainstPredicted()` makes it
 * @param options Title, source, size and the completeness that counts as low
 * @returns A chart that shows itself in notebooks
 * @throws {ArgumentError} If a column is missing or the frame is empty
 */
export function plotActualAgainstPredicted(
  comparison: DataFrame,
  options: PlotActualAgainstPredictedOptions = {},
): Chart {
  const needed = [monthColumn.name, "produced", "predicted", "ratio"];
  requireColumns(comparison, needed, WHAT, "actualAgainstPredicted()");
  const { width = PLOT_WIDTH, height = 220, minCompleteness = 0.98 } = options;
  const frames = [comparison, ...(options.source ? [options.source] : [])];
  const labels: Labels = {
    produced: declared("produced", predictedProduction, frames),
    predicted: declared("predicted", predictedProduction, frames),
    ratio: declared("ratio", monthIndex, frames),
  };
  const full = labels.produced.label;
  const low = `${full}, under ${formatNumber(100 * minCompleteness)} % of hours`;
  const rows = rowsOf(
    comparison,
    (share) => share !== null && share < minCompleteness ? low : full,
  ).map((row): Row => row.ratio === null ? { ...row, state: NOTHING } : row);
  const colors = [[full, palette.blue], [low, palette.paleBlue], [
    NOTHING,
    palette.missing,
  ]] as const;
  const states = colors.filter(([state]) => rows.some((row) => row.state === state));
  const months = rows.map((row) => row.month);
  const x = monthChannel(months, width);
  const bare = { ...x, axis: { labels: false, ticks: false, title: null } };
  const origin = originOf(comparison, options);
  const title = options.title ?? "Produced against predicted energy";
  const summary = summaryOf(rows, labels);
  const gaps = rows.filter((row) => row.ratio === null).length;
  const incomplete = rows.filter((row) => row.state === low).length;
  const data = { values: rows };
  return assembleChart({
    title,
    subtitle: [summary],
    views: [
      {
        data,
        width,
        height,
        layer: [
          ...watermark(origin, width, height),
          missingBand("ratio", bare, height),
          ...energyView(bare, rows, width, height, labels, states),
        ],
      },
      {
        data,
        width,
        height: RATIO_HEIGHT,
        layer: [
          ...watermark(origin, width, RATIO_HEIGHT),
          missingBand("ratio", x, RATIO_HEIGHT),
          ...ratioView(x, rows, width, labels),
        ],
      },
    ],
    width,
    altText: `Bars of produced and marks of predicted energy, with their ratio below. ${title}. ` +
      `${rows[0].label} to ${rows[rows.length - 1].label}. ${summary}` +
      (gaps > 0 ? `, ${gaps} without anything to compare` : "") +
      (incomplete > 0 ? `, ${incomplete} of low completeness` : "") + ".",
    origin,
  });
}
