import type { DataFrame } from "nodejs-polars";
import { labelWithUnit } from "../../api/columns/column.ts";
import { month as monthColumn, time as timeColumn } from "../../api/columns/columns.ts";
import { provenance } from "../../frames/origin/provenance.ts";
import { checkFrame } from "../../show/check_frame.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import { formatCount, formatNumber, lowerFirst } from "../../show/text/numbers.ts";
import { fitLine, type Regression } from "../../stats/regression.ts";
import type { Chart } from "../drawing/chart.ts";
import { drawChart, formatSubject, type PlotOptions, plotOptions } from "../grammar/chart.ts";
import { findColumn, isDirection, listNumericColumns, refusePlot } from "../grammar/read.ts";
import { clipText } from "../grammar/text.ts";
import {
  type Axis,
  buildChannels,
  buildPairs,
  buildRegression,
  haveSameUnit,
} from "./pair_layers.ts";
import { type JoinBy, joinPairs, type Pairs } from "./pairs.ts";
import { listGiven } from "../../show/text/lists.ts";

/** Formats a figure for text, with enough digits for small ones. */
function formatFigure(value: number): string {
  const size = Math.abs(value);
  return size !== 0 && (size < 0.001 || size >= 1e7)
    ? value.toExponential(2)
    : formatNumber(value, size >= 100 ? 1 : size >= 1 ? 3 : 4);
}

/** Correlation and line in words. */
function formatPairFacts(
  pairs: Pairs,
  line: Regression | undefined,
  same: boolean,
): string[] {
  const n = `n = ${formatNumber(pairs.x.length)}`;
  if (!line) {
    return [`${n}; no line: ${pairs.x.length === 1 ? "one pair" : "x is always the same"}`];
  }
  const { r, slope, intercept } = line;
  const sign = intercept < 0 ? "\u2212" : "+";
  const equation =
    `Line: y = ${formatFigure(slope)} x ${sign} ${formatFigure(Math.abs(intercept))}` +
    (same ? "; dashed: y = x" : "");
  return r === undefined
    ? [`${n}; y is always the same, so r is not defined`, equation]
    : [`r = ${r.toFixed(3)}, R2 = ${(r * r).toFixed(3)}, ${n}`, equation];
}

/** Rows without a partner in words. */
function formatLeftOut({ onlyX, onlyY, missing, neither }: Pairs, by: JoinBy): string {
  const row = by === "month" ? "month" : "timestamp";
  const rows = (count: number) => formatCount(count, row);
  const parts = [
    [onlyX, "only in x"],
    [onlyY, "only in y"],
    [missing, "without a value in x or y"],
    [neither, "in between, missing in both"],
  ] as const;
  const counts = parts.filter(([count]) => count > 0);
  if (counts.length === 0) return `Every ${row} of x is also in y`;
  return `Not shown: ${counts.map(([count, why]) => `${rows(count)} ${why}`).join(", ")}`;
}

/** Options of {@linkcode plotCorrelation}. */
export interface PlotCorrelationOptions extends PlotOptions {
  /** Column of the first frame. @default its only column of numbers */
  readonly xColumn?: string;
  /** Column of the second frame. @default its only column of numbers */
  readonly yColumn?: string;
}

const PLOT = "the correlation";

/** Default width, pixels: the plot is about as high as wide. */
const SQUARE_WIDTH = 460;

function chooseColumn(frame: DataFrame, chosen: string | undefined, name: "x" | "y"): string {
  if (chosen !== undefined) return chosen;
  const numbers = listNumericColumns(frame);
  if (numbers.length === 1) return numbers[0];
  refusePlot(
    PLOT,
    `${name} has ${numbers.length} columns of numbers` +
      (numbers.length > 0 ? `, ${clipText(numbers.join(", "), 120)}` : "") +
      `. Choose one with { ${name}Column }`,
  );
}

/** The column by which rows are paired: timestamps, or months if a frame has none. */
function chooseJoin(x: DataFrame, y: DataFrame): JoinBy {
  const isShared = (name: string) => x.columns.includes(name) && y.columns.includes(name);
  if (isShared(timeColumn.name)) return "time";
  if (isShared(monthColumn.name)) return "month";
  refusePlot(
    PLOT,
    `x and y have neither "${timeColumn.name}" nor "${monthColumn.name}" ` +
      `in common. Average both to months, or give both the same timestamps`,
  );
}

function buildAxes(
  x: DataFrame,
  y: DataFrame,
  columns: readonly [string, string],
  subjects: readonly string[],
  options: PlotCorrelationOptions,
): readonly [Axis, Axis] {
  const [first, second] = [x, y].map((frame, i): Axis => {
    const column = findColumn(columns[i], [frame, options.source]);
    const namesSubject = subjects[i] !== "" && subjects[0] !== subjects[1];
    const label = namesSubject ? `${column.label} of ${subjects[i]}` : column.label;
    return { column, label, title: labelWithUnit({ ...column, label }) };
  });
  return [first, second];
}

const OPTIONS = declareOptions<PlotCorrelationOptions>()("xColumn yColumn", {}, plotOptions);

/**
 * Plots two series against each other, with the regression line of y on x, r, R2 and the number of pairs. Many pairs are
 * counted in cells. The number of rows without a partner is below the plot.
 *
 * @param x Frame of the first series, with `time` or `month`
 * @param y Frame of the second series, with the same
 * @param options `xColumn`, `yColumn`, title, source and size
 * @returns A chart that shows itself in notebooks
 * @throws {ArgumentError} If a column is missing or ambiguous, a timestamp is duplicated, the frames share no timestamp, or
 * a frame has several turbines
 *
 * @example The indices of two turbines
 * ```ts
 * import { monthlyIndices, plotCorrelation } from "@vindkit/vindkit";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const months = { from: "2020-01", to: "2023-12" };
 * const chart = plotCorrelation(
 *   await monthlyIndices("T1", months),
 *   await monthlyIndices("T2", months),
 *   { xColumn: "month_index", yColumn: "month_index" },
 * );
 * assertStringIncludes(chart.altText, "n = 48");
 * ```
 */
export function plotCorrelation(
  x: DataFrame,
  y: DataFrame,
  options: PlotCorrelationOptions = {},
): Chart {
  const chosen = readOptions("plotCorrelation()", options, OPTIONS);
  for (const frame of [x, y]) checkFrame(frame, `plot ${PLOT}`, "modelData() or monthlyIndices()");
  const columns = [
    chooseColumn(x, chosen.xColumn, "x"),
    chooseColumn(y, chosen.yColumn, "y"),
  ] as const;
  const by = chooseJoin(x, y);
  const pairs = joinPairs(
    { frame: x, column: columns[0], name: "x" },
    { frame: y, column: columns[1], name: "y" },
    by,
    PLOT,
  );
  const subjects = [x, y].map((frame) => formatSubject(frame, provenance(frame), PLOT));
  const axes = buildAxes(x, y, columns, subjects, chosen);
  const line = fitLine(pairs.x, pairs.y);
  const facts = formatPairFacts(pairs, line, haveSameUnit(axes));
  const leftOut = formatLeftOut(pairs, by);
  return drawChart(
    PLOT,
    [x, y],
    { width: SQUARE_WIDTH, ...chosen },
    (wide) => Math.round(wide * 0.85),
    ({ width, height, view }) => {
      const channels = buildChannels(pairs, axes, height);
      return {
        title: [
          `${axes[1].label} against ${lowerFirst(axes[0].label)}`,
          subjects[0] === subjects[1] ? subjects[0] : "",
          pairs.span,
        ],
        subtitle: facts,
        views: [view([
          buildPairs(pairs, axes, channels, width, height),
          ...buildRegression(pairs, line, axes, channels),
        ])],
        notes: listGiven(
          leftOut,
          axes.some(({ column }) => isDirection(column)) &&
            "Directions: r and line treat 359 and 1 deg as far apart",
        ),
        alt: ["Scatter chart", `Pairs by ${by}. ${facts.join(". ")}. ${leftOut}`],
      };
    },
  );
}
