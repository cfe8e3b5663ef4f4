import type { DataFrame } from "nodejs-polars";
import { labelWithUnit } from "../api/columns/column.ts";
import { ArgumentError } from "../api/errors.ts";
import { formatNumber } from "../show/text/numbers.ts";
import { assembleChart, type Spec } from "./parts/assemble.ts";
import type { Chart } from "./drawing/chart.ts";
import { findColumn } from "./parts/find_column.ts";
import { readOrigin, requireColumns } from "./parts/read_columns.ts";
import { buildLineLegend } from "./parts/lines.ts";
import { buildVerticalAxis, buildWatermark } from "./parts/marks.ts";
import { assertSpeeds, chooseSpeedColumn } from "./parts/speed_columns.ts";
import { formatSubject, formatTitle } from "./parts/subject.ts";
import { chooseRowWord, formatStampSpan, readFiniteNumbers } from "./parts/values.ts";
import { fitWeibull, type Weibull, weibullBelow, weibullDensity } from "../stats/weibull.ts";
import { type PlotOptions, plotOptions } from "./parts/plot_options.ts";
import { choosePlotSize } from "./parts/size.ts";
import { palette } from "./drawing/theme.ts";
import { checkOptions, nameOptions } from "../show/options/check_options.ts";

/** Options of {@linkcode plotSpeedDistribution}. */
export interface PlotSpeedDistributionOptions extends PlotOptions {
  /** Column of wind speeds, m/s. @default {"wind_speed"}, or that of the greatest height */
  readonly speed?: string;
  /** Width of a bin, m/s. @default {1} */
  readonly binWidth?: 0.5 | 1;
}

const WHAT = "the distribution of wind speeds";
const MADE_BY = "modelData() or orderAndWait()";

function countBins(speeds: Float64Array, width: number, fit: Weibull | undefined) {
  let most = 0;
  for (const speed of speeds) most = Math.max(most, speed);
  const counts = new Array<number>(Math.floor(most / width) + 1).fill(0);
  for (const speed of speeds) counts[Math.floor(speed / width)]++;
  return counts.map((count, i) => {
    const [from, to] = [i * width, (i + 1) * width];
    return {
      from,
      to,
      label: `${from} to ${to}`,
      count,
      share: 100 * count / speeds.length,
      fitted: fit ? 100 * (weibullBelow(fit, to) - weibullBelow(fit, from)) : null,
    };
  });
}

/** Points of the fitted density, % per bin. */
function computeFitCurve(fit: Weibull, width: number, end: number): Spec[] {
  const points = 160;
  return Array.from({ length: points }, (_, i) => {
    const speed = (i + 0.5) * end / points;
    return { speed, density: 100 * width * weibullDensity(fit, speed) };
  });
}

/** Speeds of 0 or more, and a note about the other rows. */
function selectSpeeds(
  all: Float64Array,
  column: string,
  word: string,
): { readonly speeds: Float64Array; readonly note: string } {
  const speeds = all.filter((speed) => speed >= 0);
  const missing = all.filter(Number.isNaN).length;
  const negative = all.length - speeds.length - missing;
  const note = `${formatNumber(speeds.length)} ${word} counted, ` +
    (missing === 0
      ? "none without a value"
      : `${formatNumber(missing)} (${
        formatNumber(100 * missing / all.length, 1)
      } %) without a value`) +
    (negative > 0 ? `, ${formatNumber(negative)} below 0 m/s left out` : "");
  if (speeds.length === 0) {
    throw new ArgumentError(
      `Cannot plot ${WHAT}: column "${column}" has no value of 0 or more in ` +
        `${formatNumber(all.length)} ${word}. Choose another with { speed }`,
    );
  }
  assertSpeeds(speeds, column, WHAT);
  return { speeds, note };
}

function formatFit(fit: Weibull | undefined): string {
  return fit
    ? `Weibull A ${formatNumber(fit.scale, 2)} m/s, k ${formatNumber(fit.shape, 2)}`
    : "No Weibull distribution fits";
}

const OPTIONS = nameOptions<PlotSpeedDistributionOptions>()("speed binWidth", plotOptions);

/**
 * Plots how often each wind speed occurs, with a Weibull distribution. The fit is that of the European Wind Atlas: it keeps
 * the mean energy of the speeds and their share above the mean.
 *
 * @param frame Frame from `modelData()` or `orderAndWait()`, of one turbine or place
 * @param options Column, width of the bins (m/s), title, source and size
 * @returns A chart that shows itself in notebooks
 * @throws {ArgumentError} If the column is missing, has no value or one above 150 m/s, or the rows are of several turbines
 *
 * @example
 * ```ts
 * import { modelData, plotSpeedDistribution } from "@vindkit/vindkit";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const hours = await modelData("T1", { from: 2023, to: 2023 });
 * const chart = plotSpeedDistribution(hours, { binWidth: 0.5 });
 * assertStringIncludes(chart.altText, "Weibull A");
 * ```
 */
export function plotSpeedDistribution(
  frame: DataFrame,
  options: PlotSpeedDistributionOptions = {},
): Chart {
  checkOptions("plotSpeedDistribution()", options, OPTIONS);
  const { binWidth = 1 } = options;
  const { width, height } = choosePlotSize(options, 260, WHAT);
  if (binWidth !== 1 && binWidth !== 0.5) {
    throw new ArgumentError(`Cannot plot ${WHAT} in bins of ${binWidth} m/s: give 1 or 0.5`);
  }
  const name = chooseSpeedColumn(frame, options.speed);
  requireColumns(frame, [name], WHAT, MADE_BY);
  const origin = readOrigin(frame, options);
  const column = findColumn(name, [frame, options.source]);
  const word = chooseRowWord(frame);
  const title = options.title ??
    formatTitle(
      `Distribution of ${column.label.toLowerCase()}`,
      formatSubject(frame, origin, WHAT),
      formatStampSpan(frame),
    );
  const { speeds, note } = selectSpeeds(readFiniteNumbers(frame, name, WHAT), name, word);
  const fit = fitWeibull(speeds);
  const bins = countBins(speeds, binWidth, fit);
  const end = bins[bins.length - 1].to;
  const mean = speeds.reduce((sum, speed) => sum + speed, 0) / speeds.length;
  const facts = [`Mean ${formatNumber(mean, 2)} m/s, in bins of ${binWidth} m/s`, formatFit(fit)];
  const most = bins.reduce((a, b) => b.count > a.count ? b : a);
  const yTitle = `Share of ${word} (%)`;
  const y = (field: string) => ({
    field,
    type: "quantitative",
    scale: { zero: true, nice: true },
    axis: buildVerticalAxis(yTitle, height),
  });
  const x = {
    type: "quantitative",
    scale: { domain: [0, end], nice: false },
    axis: { title: labelWithUnit(column), tickCount: Math.min(15, Math.floor(width / 40)) },
  };
  const layer: Spec[] = [
    ...buildWatermark(origin, width, height),
    {
      data: { values: bins },
      mark: { type: "bar", binSpacing: 1, stroke: palette.blue, strokeWidth: 0.75 },
      encoding: {
        x: { ...x, field: "from", bin: "binned" },
        x2: { field: "to" },
        y: y("share"),
        color: {
          datum: word === "hours" ? "Hours" : "Rows",
          type: "nominal",
          scale: { range: [palette.paleBlue] },
          legend: { symbolType: "square" },
        },
        tooltip: [
          { field: "label", title: labelWithUnit(column), type: "nominal" },
          { field: "count", title: `Number of ${word}`, format: ",", type: "quantitative" },
          { field: "share", title: "Share (%)", format: ".1f", type: "quantitative" },
          ...(fit
            ? [{ field: "fitted", title: "Weibull (%)", format: ".1f", type: "quantitative" }]
            : []),
        ],
      },
    },
  ];
  if (fit) {
    layer.push({
      data: { values: computeFitCurve(fit, binWidth, end) },
      mark: { type: "line", strokeWidth: 2, tooltip: null },
      encoding: {
        x: { ...x, field: "speed" },
        y: y("density"),
        stroke: buildLineLegend("Weibull fit", palette.black),
      },
    });
  }
  return assembleChart({
    title,
    subtitle: facts,
    views: [{ width, height, layer }],
    notes: [
      note,
      ...(fit ? ["Fit: same mean energy and share above the mean (European Wind Atlas)"] : []),
    ],
    width,
    altText: `Histogram. ${title}. ${facts.join(". ")}. Most often ${most.label} m/s, ` +
      `${formatNumber(most.share, 1)} %. ${note}.`,
    origin,
    theme: options.theme,
  });
}
