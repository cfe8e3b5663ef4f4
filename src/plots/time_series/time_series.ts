import {
  chooseDecimals,
  formatNumber,
  formatShare,
  joinNames,
  lowerFirst,
} from "../../show/text/numbers.ts";
import type { DataFrame } from "nodejs-polars";
import { time as timeColumn } from "../../api/columns/columns.ts";
import { ArgumentError } from "../../api/errors.ts";
import { assembleChart, type Spec } from "../parts/assemble.ts";
import type { Chart } from "../drawing/chart.ts";
import { chooseCalendarUnit, computeCompleteness } from "./completeness.ts";
import { findColumn } from "../parts/find_column.ts";
import { averageDirections, isDirection } from "../parts/direction.ts";
import { readOrigin, requireColumns } from "../parts/read_columns.ts";
import { buildWatermark } from "../parts/marks.ts";
import { choosePlotSize } from "../parts/size.ts";
import { chooseSpeedColumn } from "../parts/speed_columns.ts";
import { formatSubject, formatTitle } from "../parts/subject.ts";
import { isPooled, thinSeries } from "./thin_series.ts";
import { buildCurveView, type Curve, isBanded, roundToSixDigits, type Span } from "./time_curve.ts";
import { formatEnds } from "../parts/months.ts";
import { buildTimeChannel, formatDay } from "../parts/time_axis.ts";
import { formatClock } from "../../time/zones.ts";
import {
  findTimeStep,
  formatStampSpan,
  readFiniteNumbers,
  readZonedStamps,
  sortStamps,
} from "../parts/values.ts";
import { type PlotOptions, plotOptions } from "../parts/plot_options.ts";
import { checkOptions, nameOptions } from "../../show/options/check_options.ts";
import { buildFigureField } from "../parts/lines.ts";
import { palette } from "../drawing/theme.ts";

/** Height of the strip, pixels. */
const STRIP_HEIGHT = 14;

/** Bars as high as the completeness, in front of a grey band of 100 %. */
function buildCompletenessView({ completeness }: Curve, span: Span, last: boolean): Spec {
  const { from, to, zone, width } = span;
  const by = chooseCalendarUnit(from, to);
  const rows = completeness.map((part) => ({
    // Calendar months extend beyond the first and the last value; the picture does not.
    from: Math.max(part.from, from),
    to: Math.min(part.to, to),
    share: roundToSixDigits(100 * part.share),
    label: by === "day"
      ? formatDay(part.from, zone)
      : formatDay(part.from, zone).replace(/^\d+ /, ""),
  }));
  const x = buildTimeChannel("from", from, to, zone, width, last);
  return {
    data: { values: rows },
    width,
    height: STRIP_HEIGHT,
    layer: [
      {
        data: { values: [{}] },
        mark: { type: "rect", color: palette.missing, tooltip: null },
        encoding: {
          x: { value: 0 },
          x2: { value: width },
          y: { value: 0 },
          y2: { value: STRIP_HEIGHT },
        },
      },
      {
        mark: { type: "rect", color: palette.paleBlue, stroke: palette.paleBlue, strokeWidth: 0.4 },
        encoding: {
          x,
          x2: { field: "to" },
          y: {
            field: "share",
            type: "quantitative",
            scale: { domain: [0, 100] },
            axis: { title: null, values: [0, 100], labelExpr: "datum.value + ' %'", grid: false },
          },
          y2: { datum: 0 },
          tooltip: [
            { field: "label", title: by === "day" ? "Day" : "Month", type: "nominal" },
            buildFigureField("share", "Completeness (%)", ".1f"),
          ],
        },
      },
    ],
  };
}

/** Options of {@linkcode plotTimeSeries}. */
export interface PlotTimeSeriesOptions extends PlotOptions {
  /** Columns to plot, one above the other, at most 6. @default the wind speed */
  readonly columns?: readonly string[];
}

const WHAT = "the time series";
/** Columns that a title names. */
const MAX_LABELS = 3;

const MADE_BY = "modelData() or orderAndWait()";

/** Columns of one chart. */
const MAX_COLUMNS = 6;

/** Lowest and highest value of a column, or mean direction, and the completeness, in words. */
function formatFacts({ column, series }: Curve, expected: number, zone: string): string {
  const { epochs, values } = series;
  let [low, high, count] = [-1, -1, 0];
  for (let i = 0; i < values.length; i++) {
    if (Number.isNaN(values[i])) continue;
    count++;
    if (low === -1 || values[i] < values[low]) low = i;
    if (high === -1 || values[i] > values[high]) high = i;
  }
  if (count === 0) return `${column.label}: no value`;
  const unit = column.unit ? ` ${column.unit}` : "";
  const share = formatShare(Math.min(1, count / expected));
  if (series.direction) {
    const mean = averageDirections(values);
    const words = mean === null
      ? "no mean direction"
      : `mean direction ${formatNumber(Math.round(mean) % 360)}${unit}`;
    return `${column.label}: ${words}, ${share} % complete`;
  }
  const largest = Math.max(Math.abs(values[low]), Math.abs(values[high]));
  const [lowest, highest] = [low, high].map((i) =>
    formatNumber(values[i], chooseDecimals(column.unit, largest) ?? 2) + unit
  );
  return `${column.label}: lowest ${lowest} at ` +
    `${formatClock(epochs[low], zone)}, highest ${highest} at ` +
    `${formatClock(epochs[high], zone)}, ${share} % complete`;
}

function chooseColumns(frame: DataFrame, options: PlotTimeSeriesOptions): string[] {
  const names = [...new Set(options.columns ?? [chooseSpeedColumn(frame, undefined)])];
  if (names.length === 0 || names.length > MAX_COLUMNS) {
    throw new ArgumentError(
      `Cannot plot ${WHAT} of ${names.length} columns: give 1 to ${MAX_COLUMNS}`,
    );
  }
  return names;
}

const OPTIONS = nameOptions<PlotTimeSeriesOptions>()("columns", plotOptions);

/**
 * Plots columns over time, one above the other, each with a strip of its completeness. Where a pixel has several
 * values it shows their mean and a band from the lowest to the highest. Directions are points, and their mean is
 * that of their vectors. Gaps stay gaps.
 *
 * @param frame Frame with `time` from `modelData()` or `orderAndWait()`, of one turbine or place
 * @param options Columns, title, source and size
 * @returns A chart that shows itself in notebooks
 * @throws {ArgumentError} If a column is missing or not numeric, there is no value at all, a stamp is duplicated, the
 * stamps have no zone or several, or the rows are of several turbines
 *
 * @example
 * ```ts
 * import { modelData, plotTimeSeries } from "@vindkit/vindkit";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const hours = await modelData("T1", { from: 2021, to: 2023 });
 * const chart = plotTimeSeries(hours, { columns: ["wind_speed", "power"] });
 * assertStringIncludes(chart.altText, "Power: lowest");
 * ```
 */
export function plotTimeSeries(frame: DataFrame, options: PlotTimeSeriesOptions = {}): Chart {
  checkOptions("plotTimeSeries()", options, OPTIONS);
  const names = chooseColumns(frame, options);
  requireColumns(frame, [timeColumn.name, ...names], WHAT, MADE_BY);
  const { width, height } = choosePlotSize(options, names.length === 1 ? 200 : 110, WHAT);
  const origin = readOrigin(frame, options);
  const subject = formatSubject(frame, origin, WHAT);
  const stamps = readZonedStamps(frame, WHAT);
  const { zone } = stamps;
  const order = sortStamps(stamps, WHAT);
  const epochs = Float64Array.from(order, (i) => stamps.epochs[i]);
  const step = findTimeStep(epochs);
  const [from, to] = [epochs[0], epochs[epochs.length - 1] + step];
  const curves = names.map((name): Curve => {
    const all = readFiniteNumbers(frame, name, WHAT);
    const column = findColumn(name, [frame, options.source]);
    const values = Float64Array.from(order, (i) => all[i]);
    const series = { epochs, values, step, direction: isDirection(column) };
    return {
      column,
      series,
      pieces: thinSeries(series, from, to, width),
      pooled: isPooled(series, from, to, width),
      completeness: computeCompleteness(series, to, zone),
    };
  });
  const shown = curves.filter(({ series }) => !series.values.every(Number.isNaN));
  if (shown.length === 0) {
    throw new ArgumentError(
      `Cannot plot ${WHAT}: no value in ${names.map((name) => `"${name}"`).join(", ")} of ` +
        `${formatNumber(epochs.length)} rows. Choose other columns with { columns }`,
    );
  }
  const span = { from, to, zone, width, height };
  const labels = shown.map(({ column: { label } }, i) => i === 0 ? label : lowerFirst(label));
  const title = options.title ??
    formatTitle(
      labels.length <= MAX_LABELS ? joinNames(labels) : `${labels.length} time series`,
      subject,
      formatStampSpan(frame),
    );
  const expected = Math.round((to - from) / step);
  const empty = curves.filter((curve) => !shown.includes(curve));
  const banded = shown.some(isBanded);
  const pointed = shown.some(({ series, pooled }) => series.direction && pooled);
  const days = formatEnds([from, to - 1].map((at) => ({ label: formatDay(at, zone) })));
  const facts = curves.map((curve) => formatFacts(curve, expected, zone));
  return assembleChart({
    title,
    subtitle: [
      days,
      (banded ? "Line: mean; band: lowest to highest of each pixel. " : "") +
      (pointed ? "Points: mean direction of each pixel. " : "") +
      `Strip below: share of each ${chooseCalendarUnit(from, to)} with a value`,
    ],
    views: shown.flatMap((curve, i) => [
      buildCurveView(curve, span, buildWatermark(origin, width, height)),
      buildCompletenessView(curve, span, i === shown.length - 1),
    ]),
    notes: [
      ...empty.map(({ column }) => `${column.label} is left out: it has no value`),
      ...(curves.length === 1 ? [facts[0]] : []),
    ],
    width,
    altText: `Line chart. ${title}. ${days}, times in ${zone}. ${facts.join(". ")}.`,
    origin,
    theme: options.theme,
  });
}
