import type { DataFrame } from "nodejs-polars";
import { type Column, labelWithUnit, pickColumns } from "../../api/columns/column.ts";
import { monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { assembleChart, type Spec } from "../parts/assemble.ts";
import { buildMissingBand, buildStateColor, type StateColor } from "../parts/bands.ts";
import type { Chart } from "../drawing/chart.ts";
import {
  type ComparisonLabels,
  type ComparisonRow,
  findComparisonLabels,
  formatComparisonSummary,
  readComparison,
} from "./comparison_rows.ts";
import { readOrigin, requireColumns } from "../parts/read_columns.ts";
import { buildFigureField, buildLevelRule, buildLineLegend, chooseFormat } from "../parts/lines.ts";
import {
  buildLevelScale,
  buildVerticalAxis,
  buildWatermark,
  fitLegendColumns,
} from "../parts/marks.ts";
import { buildMonthChannel, formatEnds, formatSpan } from "../parts/months.ts";
import { type PlotOptions, plotOptions } from "../parts/plot_options.ts";
import { choosePlotSize } from "../parts/size.ts";
import { fontSize, palette } from "../drawing/theme.ts";
import { checkOptions, nameOptions } from "../../show/options/check_options.ts";
import { formatSubject, formatTitle } from "../parts/subject.ts";

/** Options of {@linkcode plotActualAgainstPredicted}. */
export interface PlotActualAgainstPredictedOptions extends PlotOptions {
  /** Completeness below which a month is marked. @default {0.98} */
  readonly minCompleteness?: number;
}

const WHAT = "actual against predicted";

/** Height of the view of ratios, pixels. */
const RATIO_HEIGHT = 110;

/** Width of a month from which its ratio is written beside its point, pixels. */
const MIN_FIGURE_WIDTH = 22;

const [monthColumn, completenessColumn] = pickColumns(
  monthlyIndicesFrame,
  ["month", "completeness"],
);

function buildTooltip(
  { produced, predicted, ratio }: ComparisonLabels,
  rows: readonly ComparisonRow[],
): Spec[] {
  const number = (column: Column, format: string) =>
    buildFigureField(column.name, labelWithUnit(column), format);
  const energies = rows.flatMap((row) => [row.produced, row.predicted]);
  const energy = chooseFormat(produced.unit, energies);
  return [
    { field: "label", title: monthColumn.label },
    number(produced, energy),
    number(predicted, energy),
    number(ratio, ".1f"),
    number({ ...completenessColumn, unit: "%" }, ".1f"),
  ];
}

function buildEnergyView(
  x: Spec,
  rows: readonly ComparisonRow[],
  width: number,
  height: number,
  labels: ComparisonLabels,
  states: readonly StateColor[],
): Spec[] {
  const title = `Energy a month (${labels.produced.unit})`;
  const y = {
    type: "quantitative",
    scale: buildLevelScale(0, rows.flatMap((row) => [row.produced, row.predicted])),
    axis: { ...buildVerticalAxis(title, height), format: ",~f" },
  };
  const tooltip = buildTooltip(labels, rows);
  return [
    {
      mark: { type: "bar", stroke: palette.blue, strokeWidth: 0.75 },
      encoding: {
        x,
        y: { ...y, field: "produced" },
        color: buildStateColor(states, { columns: fitLegendColumns(width), symbolType: "square" }),
        tooltip,
      },
    },
    {
      // The stroke is there for the legend: it draws a line, not a square.
      mark: { type: "tick", fill: palette.black, opacity: 1, strokeWidth: 0, thickness: 2.5 },
      encoding: {
        x,
        y: { ...y, field: "predicted" },
        stroke: buildLineLegend(labels.predicted.label, palette.black, {
          symbolOpacity: 1,
          symbolStrokeWidth: 2.5,
        }),
        tooltip,
      },
    },
  ];
}

/** Points with a stem from the line of 100 %, each with its figure beyond the point. */
function buildRatioView(
  x: Spec,
  rows: readonly ComparisonRow[],
  width: number,
  labels: ComparisonLabels,
): Spec[] {
  const y = {
    field: "ratio",
    type: "quantitative",
    scale: { ...buildLevelScale(100, rows.map((row) => row.ratio)), padding: 18 },
    axis: buildVerticalAxis(labelWithUnit(labels.ratio), RATIO_HEIGHT),
  };
  const figures = (test: string, dy: number) => ({
    transform: [{ filter: `isValid(datum.ratio) && datum.ratio ${test} 100` }],
    mark: { type: "text", color: palette.text, dy, fontSize: fontSize.axis, tooltip: null },
    encoding: { x, y, text: { field: "ratio", type: "quantitative", format: ".0f" } },
  });
  const size = rows.length <= 60 ? 36 : 14;
  return [
    {
      mark: { type: "rule", color: palette.faint, strokeWidth: 1, tooltip: null },
      encoding: { x, y, y2: { datum: 100 } },
    },
    buildLevelRule(100, palette.black),
    {
      mark: { type: "point", filled: true, opacity: 1, size, stroke: "white", strokeWidth: 1 },
      encoding: {
        x,
        y,
        color: { field: "state", type: "nominal" },
        tooltip: buildTooltip(labels, rows),
      },
    },
    ...(width / rows.length >= MIN_FIGURE_WIDTH ? [figures(">=", -9), figures("<", 10)] : []),
  ];
}

const OPTIONS = nameOptions<PlotActualAgainstPredictedOptions>()("minCompleteness", plotOptions);

/**
 * Plots what a turbine produced against what the model predicts, and their ratio below.
 * Months of low completeness and months without data are marked.
 *
 * @param comparison Frame from `compareActual()`
 * @param options Title, source, size, and `minCompleteness`, below which a month is marked
 * @returns A chart that shows itself in notebooks
 * @throws {ArgumentError} If a column is missing or not numeric, the frame is empty, has several turbines or repeats a month
 */
export function plotActualAgainstPredicted(
  comparison: DataFrame,
  options: PlotActualAgainstPredictedOptions = {},
): Chart {
  checkOptions("plotActualAgainstPredicted()", options, OPTIONS);
  const labels = findComparisonLabels([comparison, ...(options.source ? [options.source] : [])]);
  const columns = [monthColumn, labels.produced, labels.predicted, labels.ratio];
  requireColumns(comparison, columns.map(({ name }) => name), WHAT, "compareActual()");
  const { minCompleteness = 0.98 } = options;
  const { width, height } = choosePlotSize(options, 220, WHAT);
  const { rows, states, gaps, incomplete } = readComparison(
    comparison,
    labels,
    minCompleteness,
    WHAT,
  );
  const x = buildMonthChannel(rows.map((row) => row.month), width);
  const bare = { ...x, axis: { labels: false, ticks: false, title: null } };
  const origin = readOrigin(comparison, options);
  const title = options.title ?? formatTitle(
    "Produced against predicted energy",
    formatSubject(comparison, origin, WHAT),
    formatSpan(rows.map((row) => row.month)),
  );
  const summary = formatComparisonSummary(rows, labels);
  const view = (channel: Spec, viewHeight: number, layers: readonly Spec[]) => ({
    data: { values: rows },
    width,
    height: viewHeight,
    layer: [
      ...buildWatermark(origin, width, viewHeight),
      buildMissingBand("ratio", channel, viewHeight),
      ...layers,
    ],
  });
  return assembleChart({
    title,
    subtitle: [summary],
    views: [
      view(bare, height, buildEnergyView(bare, rows, width, height, labels, states)),
      view(x, RATIO_HEIGHT, buildRatioView(x, rows, width, labels)),
    ],
    width,
    altText: `Bars of produced and marks of predicted energy, with their ratio below. ${title}. ` +
      `${formatEnds(rows)}. ${summary}` +
      (gaps > 0 ? `, ${gaps} without anything to compare` : "") +
      (incomplete > 0 ? `, ${incomplete} of low completeness` : "") + ".",
    origin,
    theme: options.theme,
  });
}
