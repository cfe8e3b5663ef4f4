import type { DataFrame } from "nodejs-polars";
import type { MonthLike } from "../../api/calendar.ts";
import { type Column, labelWithUnit, pickColumns } from "../../api/columns/column.ts";
import { monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import { formatCount, formatNumber } from "../../show/text/numbers.ts";
import type { Chart } from "../drawing/chart.ts";
import { palette } from "../drawing/theme.ts";
import { buildMonthChannel } from "../grammar/axes.ts";
import { drawChart, type PlotOptions, plotOptions } from "../grammar/chart.ts";
import {
  buildFigureField,
  buildKindColor,
  buildLevelRule,
  buildLevels,
  buildLevelScale,
  buildLineLegend,
  buildMarkedMonth,
  buildMissingBand,
  buildVerticalAxis,
  chooseFormat,
  dot,
  fitLegendColumns,
  type KindColor,
  label,
  mark,
  PLAIN,
  quantity,
  type Spec,
  SQUARES,
} from "../grammar/marks.ts";
import { findDeclared, requireColumns } from "../grammar/read.ts";
import { buildMonthRows, fillRows, requireSingleTurbine, toPercent } from "../grammar/rows.ts";
import { formatEnds, formatSpan } from "../grammar/text.ts";

/** Options of {@linkcode plotActualAgainstPredicted}. */
export interface PlotActualAgainstPredictedOptions extends PlotOptions {
  /** Month to mark, such as the month of a report. @default none */
  readonly marked?: MonthLike;
}

const PLOT = "actual against predicted";

/** Height of the view of ratios, pixels. */
const RATIO_HEIGHT = 110;

/** Width of a month from which its ratio is written next to its point, pixels. */
const MIN_FIGURE_WIDTH = 22;

const [monthColumn, predictedProduction, monthIndex, completenessColumn] = pickColumns(
  monthlyIndicesFrame,
  ["month", "predicted_production", "month_index", "completeness"],
);

/** Completeness below which a month is pale. */
const MIN_COMPLETENESS = 0.98;

/** State of a month without a ratio. */
const NO_RATIO = "Nothing to compare";

/** Columns of energies and their ratio, as declared by the frame; else the name as label and the unit of another column. */
function findLabels(frames: readonly (DataFrame | undefined)[]) {
  const declare = (name: string, like: Column): Column =>
    findDeclared(name, frames) ?? { ...like, name, label: name[0].toUpperCase() + name.slice(1) };
  return {
    produced: declare("produced", predictedProduction),
    predicted: declare("predicted", predictedProduction),
    ratio: declare("ratio", monthIndex),
  };
}

type Labels = ReturnType<typeof findLabels>;

/** Reads the comparison, every month from the first to the last. */
function readRows(
  frame: DataFrame,
  { produced, predicted, ratio }: Labels,
  states: readonly string[],
) {
  const months = buildMonthRows(frame, PLOT);
  requireSingleTurbine(months, PLOT);
  return fillRows(frame, months, {
    produced: produced.name,
    predicted: predicted.name,
    ratio: ratio.name,
    completeness: completenessColumn.name,
  }, PLOT).map(({ turbine: _, completeness: share, ...row }) => ({
    ...row,
    completeness: toPercent(share),
    state: states[row.ratio === null ? 2 : share === null || share >= MIN_COMPLETENESS ? 0 : 1],
  }));
}

type Row = ReturnType<typeof readRows>[number];

/** Sums over the months with both energies, in words. */
function formatSummary(rows: readonly Row[], { produced, predicted }: Labels): string {
  const compared = rows.filter((row) => row.ratio !== null);
  const sum = (name: "produced" | "predicted") =>
    compared.reduce((total, row) => total + (row[name] ?? 0), 0);
  const [actual, model] = [sum("produced"), sum("predicted")];
  if (model === 0) return "No month has both energies";
  return `${produced.label} ${formatNumber(actual)} of ${formatNumber(model)} ${predicted.unit} ` +
    `${predicted.label.toLowerCase()}: ${formatNumber(100 * actual / model, 1)} % ` +
    `over ${formatCount(compared.length, "month")}`;
}

const listEnergies = (rows: readonly Row[]) => rows.flatMap((row) => [row.produced, row.predicted]);

function buildTooltip({ produced, predicted, ratio }: Labels, rows: readonly Row[]): Spec[] {
  const number = (column: Column, format: string) =>
    buildFigureField(column.name, labelWithUnit(column), format);
  const energy = chooseFormat(produced.unit, listEnergies(rows));
  return [
    { field: "label", title: monthColumn.label },
    number(produced, energy),
    number(predicted, energy),
    number(ratio, ".1f"),
    number({ ...completenessColumn, unit: "%" }, ".1f"),
  ];
}

/** Produced energy as bars, predicted energy as a tick at its height. */
function buildEnergies(
  x: Spec,
  rows: readonly Row[],
  height: number,
  { produced, predicted }: Labels,
  look: { readonly color: Spec; readonly tooltip: readonly Spec[] },
): Spec[] {
  const title = `Energy per month (${produced.unit})`;
  const y = buildLevels(0, listEnergies(rows), title, height, PLAIN);
  const line = { symbolOpacity: 1, symbolStrokeWidth: 2.5 };
  return [
    mark("bar", {
      x,
      y: y("produced"),
      ...look,
      stroke: palette.blue,
      strokeWidth: 0.75,
    }),
    // The stroke makes the legend draw a line instead of a square.
    mark("tick", {
      x,
      y: y("predicted"),
      stroke: buildLineLegend(predicted.label, palette.black, line),
      fill: palette.black,
      opacity: 1,
      strokeWidth: 0,
      thickness: 2.5,
      tooltip: look.tooltip,
    }),
  ];
}

/** Points with a stem from the line of 100 %, each with its figure beyond the point. */
function buildRatios(
  x: Spec,
  rows: readonly Row[],
  width: number,
  { ratio }: Labels,
  tooltip: readonly Spec[],
): Spec[] {
  const y = quantity(
    "ratio",
    { ...buildLevelScale(100, rows.map((row) => row.ratio)), padding: 18 },
    buildVerticalAxis(labelWithUnit(ratio), RATIO_HEIGHT),
  );
  const figures = (test: string, dy: number) =>
    label("ratio", {
      where: `isValid(datum.ratio) && datum.ratio ${test} 100`,
      x,
      y,
      dy,
      text: { field: "ratio", type: "quantitative", format: ".0f" },
      color: palette.text,
    });
  return [
    mark("rule", { x, y, y2: { datum: 100 }, color: palette.faint, strokeWidth: 1 }),
    buildLevelRule(100, palette.black),
    dot({
      x,
      y,
      color: { field: "state", type: "nominal" },
      size: rows.length <= 60 ? 36 : 14,
      stroke: "white",
      strokeWidth: 1,
      tooltip,
    }),
    ...(width / rows.length >= MIN_FIGURE_WIDTH ? [figures(">=", -9), figures("<", 10)] : []),
  ];
}

const OPTIONS = declareOptions<PlotActualAgainstPredictedOptions>()(
  "marked",
  {},
  plotOptions,
);

/**
 * Plots the produced energy of a turbine next to the energy predicted by the model, with their ratio below.
 * Months of low completeness and months without data are marked.
 *
 * @param comparison Frame from `compareActual()`
 * @param options Title, source, size
 * @returns A chart that shows itself in notebooks
 * @throws {ArgumentError} If a column is missing or not numeric, the frame is empty, has several turbines or repeats a month
 */
export function plotActualAgainstPredicted(
  comparison: DataFrame,
  options: PlotActualAgainstPredictedOptions = {},
): Chart {
  const chosen = readOptions("plotActualAgainstPredicted()", options, OPTIONS);
  const labels = findLabels([comparison, chosen.source]);
  const columns = [monthColumn, labels.produced, labels.predicted, labels.ratio];
  requireColumns(comparison, columns.map(({ name }) => name), PLOT, "compareActual()");
  const full = labels.produced.label;
  const low = `${full}, under ${formatNumber(100 * MIN_COMPLETENESS)} % of hours`;
  const rows = readRows(comparison, labels, [full, low, NO_RATIO]);
  const count = (state: string) => rows.filter((row) => row.state === state).length;
  const colors = [palette.blue, palette.paleBlue, palette.missing];
  const states = [full, low, NO_RATIO].map((state, i): KindColor => [state, colors[i]])
    .filter(([state]) => count(state) > 0);
  const summary = formatSummary(rows, labels);
  const tooltip = buildTooltip(labels, rows);
  return drawChart(PLOT, [comparison], chosen, 220, ({ width, height, view, subject }) => {
    const x = buildMonthChannel(rows.map((row) => row.month), width);
    const bare = { ...x, axis: { labels: false, ticks: false, title: null } };
    const legend = { ...SQUARES, columns: fitLegendColumns(width) };
    const color = buildKindColor("state", states, legend);
    const data = { values: rows };
    return {
      title: [
        "Produced against predicted energy",
        subject(comparison),
        formatSpan(rows.map((row) => row.month)),
      ],
      subtitle: [summary],
      views: [
        view([
          ...buildMarkedMonth(chosen.marked, bare, height),
          buildMissingBand("ratio", bare, height),
          ...buildEnergies(bare, rows, height, labels, { color, tooltip }),
        ], { data }),
        view([
          ...buildMarkedMonth(chosen.marked, x, RATIO_HEIGHT),
          buildMissingBand("ratio", x, RATIO_HEIGHT),
          ...buildRatios(x, rows, width, labels, tooltip),
        ], { data, height: RATIO_HEIGHT }),
      ],
      alt: [
        "Bars show produced energy, marks show predicted energy, and their ratio is below",
        `${formatEnds(rows)}. ${summary}` +
        (count(NO_RATIO) > 0 ? `, ${count(NO_RATIO)} with nothing to compare` : "") +
        (count(low) > 0 ? `, ${count(low)} of low completeness` : ""),
      ],
    };
  });
}
