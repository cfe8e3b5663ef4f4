import type { DataFrame } from "nodejs-polars";
import { displayOf } from "../../show/frame_display.ts";
import { assembleChart, type Spec } from "../parts/assemble.ts";
import type { Chart } from "../drawing/chart.ts";
import { readOrigin } from "../parts/read_columns.ts";
import {
  formatEnergy,
  type LongTermMarks,
  type MethodRow,
  readLongTermMarks,
  STROKES,
} from "./long_term_rows.ts";
import { buildWatermark } from "../parts/marks.ts";
import { formatSubject, formatTitle } from "../parts/subject.ts";
import { shortenName, wrapText } from "../parts/text.ts";
import { PLOT_WIDTH, type PlotOptions, plotOptions } from "../parts/plot_options.ts";
import { choosePlotSize } from "../parts/size.ts";
import { fontSize, nested, palette } from "../drawing/theme.ts";
import { checkOptions } from "../../show/options/check_options.ts";

const WHAT = "the long-term production";

/** Height of a method, with and without P75 and P90, pixels. */
const ROW = 92;
const LOW_ROW = 60;

/** Width of a figure beside its point, pixels. */
const LABEL = 80;

/** Width of the names beside the plot, pixels. */
const NAMES = 118;

/** Axis with the names of the methods in lines, and their number of months. */
function buildNamesAxis(methods: readonly MethodRow[]): Spec {
  const names = methods.map(({ method, months }) => [
    ...wrapText(shortenName(method, 2 * NAMES, fontSize.axis), NAMES, fontSize.axis),
    ...(months === null ? [] : [`${months} months`]),
  ]);
  return {
    domain: false,
    grid: false,
    labelBaseline: "middle",
    labelExpr: `${JSON.stringify(names)}[datum.value]`,
    labelLimit: 0,
    labelPadding: 8,
    ticks: false,
    title: null,
    values: methods.map((_, i) => i),
  };
}

/** Ends of the axis, with space on the left for the figures beside the points; it need not begin at zero. */
function computeDomain(energies: readonly number[], width: number): [number, number] {
  const [low, high] = [Math.min(...energies), Math.max(...energies)];
  const [left, right] = [Math.min(0.4, LABEL / width), 0.06];
  const span = (high - low || 0.1 * high || 1) / (1 - left - right);
  return [low - left * span, high + right * span];
}

function buildLayers(
  marks: LongTermMarks,
  domain: readonly number[],
  width: number,
  unit: string,
): Spec[] {
  const x = {
    type: "quantitative",
    scale: { domain, nice: false, zero: false },
    axis: {
      format: ",~f",
      grid: true,
      labelExpr: "datum.value < 0 ? '' : datum.label", // this part is space for figures
      tickCount: 6,
      title: `Energy a year (${unit})`,
    },
  };
  const y = {
    field: "y",
    type: "quantitative",
    scale: { domain: [marks.methods.length - 0.5, -0.5], nice: false, zero: false },
    axis: buildNamesAxis(marks.methods),
  };
  const names = marks.exceeded ? Object.values(STROKES) : [STROKES.interval];
  const stroke = {
    field: "what",
    type: "nominal",
    scale: {
      domain: names,
      range: [nested[3], palette.blue, palette.orange].slice(0, names.length),
    },
    legend: { columns: width < 400 ? 1 : 3, symbolStrokeWidth: 4, symbolType: "stroke" },
  };
  const ends = { x: { ...x, field: "from" }, x2: { field: "to" }, y };
  const strokes = (filter: string, strokeWidth: number) => ({
    data: { values: marks.strokes },
    transform: [{ filter }],
    mark: { type: "rule", strokeWidth, tooltip: null },
    encoding: { ...ends, stroke },
  });
  const interval = JSON.stringify(STROKES.interval);
  const text = (filter: string, mark: Spec) => ({
    data: { values: marks.points },
    transform: [{ filter }],
    mark: {
      type: "text",
      color: palette.black,
      fontSize: fontSize.axis,
      tooltip: null,
      ...mark,
    },
    encoding: { x: { ...x, field: "energy" }, y, text: { field: "label", type: "nominal" } },
  });
  return [
    strokes(`datum.what === ${interval}`, 16),
    ...(marks.exceeded ? [strokes(`datum.what !== ${interval}`, 2.5)] : []),
    {
      data: { values: marks.points },
      mark: { type: "point", color: palette.black, filled: true, opacity: 1, size: 60 },
      encoding: {
        x: { ...x, field: "energy" },
        y,
        shape: {
          field: "level",
          type: "nominal",
          scale: { domain: ["P50", "P75", "P90"], range: ["circle", "square", "diamond"] },
          legend: null,
        },
        tooltip: [
          { field: "method", title: "Method" },
          { field: "level", title: "Level" },
          { field: "what", title: "Of" },
          { field: "figure", title: `Energy a year (${unit})` },
          { field: "share", title: "Of the normal year" },
        ],
      },
    },
    text("datum.level === 'P50'", { baseline: "bottom", dy: -9, fontWeight: "bold" }),
    ...(marks.exceeded
      ? [
        text("datum.level === 'P90'", { align: "right", dx: -8 }),
        text("datum.level === 'P75'", { baseline: "bottom", dy: -7 }),
      ]
      : []),
  ];
}

/** Formats the months of the record that the methods use: "from 43 months", "from 40 to 43 months". */
function formatMonths(months: readonly number[]): string {
  if (months.length === 0) return "";
  const [least, most] = [Math.min(...months), Math.max(...months)];
  return `from ${least === most ? "" : `${least} to `}${most} ${most === 1 ? "month" : "months"}`;
}

/**
 * Plots the normal year by several methods side by side: each with its 90 % interval, and below it the energies that one
 * year and the mean of ten years exceed with a probability of 75 and 90 % (P75 and P90), if known.
 *
 * @param estimates Frame of `estimateLongTerm()`: `method`, `p50`, `low`, `high` and, where known, `p75_1`, `p90_1`,
 * `p75_10`, `p90_10` (MWh) and `months`
 * @param options Title, source and size
 * @returns A chart that shows itself in notebooks
 * @throws {ArgumentError} If a column or value is missing, or an interval does not contain its estimate
 *
 * @example Two methods
 * ```ts
 * import pl from "nodejs-polars";
 * import { plotLongTerm } from "@vindkit/vindkit";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const chart = plotLongTerm(pl.DataFrame({
 *   method: ["1200 method", "regression"],
 *   p50: [9770, 9781],
 *   low: [9622, 9650],
 *   high: [9920, 9914],
 * }));
 * assertStringIncludes(chart.altText, "1200 method 9,770 MWh, 90 % interval 9,622 to 9,920 MWh");
 * ```
 */
export function plotLongTerm(estimates: DataFrame, options: PlotOptions = {}): Chart {
  checkOptions("plotLongTerm()", options, plotOptions);
  const marks = readLongTermMarks(estimates, WHAT);
  const declared = [estimates, ...(options.source ? [options.source] : [])]
    .flatMap((frame) => displayOf(frame)?.columns ?? []).find(({ name }) => name === "p50");
  const unit = declared?.unit ?? "MWh";
  const row = marks.exceeded ? ROW : LOW_ROW;
  const { width, height } = choosePlotSize(
    options,
    row * marks.methods.length,
    WHAT,
    PLOT_WIDTH - NAMES,
  );
  const origin = readOrigin(estimates, options);
  const title = options.title ??
    formatTitle(
      "Production of a normal year",
      formatSubject(estimates, origin, WHAT),
      formatMonths(marks.methods.flatMap(({ months }) => months ?? [])),
    );
  const domain = computeDomain(marks.energies, width);
  const intervals = marks.methods.map(({ method, p50, low, high }) =>
    `${shortenName(method, 240, fontSize.axis)} ${formatEnergy(p50)} ${unit}, 90 % interval ` +
    `${formatEnergy(low)} to ${formatEnergy(high)} ${unit}`
  );
  const lowest = marks.points.filter(({ level, what }) => level === "P90" && what === STROKES.one)
    .map(({ method, figure }) => `one year exceeds ${figure} ${unit} with 90 % (${method})`);
  return assembleChart({
    title,
    subtitle: marks.exceeded
      ? ["P75 and P90 are exceeded in 75 and in 90 of 100 cases; the normal year is P50."]
      : ["The spread of the years is not known: no P75 and P90."],
    views: [{
      width,
      height,
      layer: [...buildWatermark(origin, width, height), ...buildLayers(marks, domain, width, unit)],
    }],
    notes: domain[0] > 0 ? ["The axis does not begin at zero"] : [],
    width,
    altText: `Range chart. ${title}. ${[...intervals, ...lowest].join("; ")}.`,
    origin,
    theme: options.theme,
  });
}
