import type { DataFrame } from "nodejs-polars";
import { time as timeColumn } from "../../api/columns/columns.ts";
import { ArgumentError } from "../../api/errors.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import {
  chooseDecimals,
  formatNumber,
  formatShare,
  joinNames,
  lowerFirst,
} from "../../show/text/numbers.ts";
import { clockAt, formatClock } from "../../time/zones.ts";
import type { Chart } from "../drawing/chart.ts";
import { palette } from "../drawing/theme.ts";
import { buildTimeChannel, formatDay } from "../grammar/axes.ts";
import { drawChart, type PlotOptions, plotOptions } from "../grammar/chart.ts";
import {
  buildFigureField,
  buildRangeScale,
  buildVerticalAxis,
  type Channel,
  chooseFormat,
  fixedMark,
  mark,
  quantity,
  roundToSixDigits,
  type Spec,
} from "../grammar/marks.ts";
import {
  averageDirections,
  chooseSpeedColumn,
  findColumn,
  findTimeStep,
  formatStampSpan,
  isDirection,
  readFiniteNumbers,
  readZonedStamps,
  refusePlot,
  requireColumns,
  sortStamps,
} from "../grammar/read.ts";
import { formatEnds } from "../grammar/text.ts";
import { isPooled, type Piece, thinSeries, type TimeSeries } from "./thin_series.ts";
import { type Column, labelWithUnit } from "../../api/columns/column.ts";
import { HOUR } from "../../time/hourly.ts";
import { listGiven } from "../../show/text/lists.ts";

/** Completeness of a month or a day. */
interface CompletenessSpan {
  /** Start, ms since 1970 UTC. */
  readonly from: number;
  /** End, exclusive, ms since 1970 UTC. */
  readonly to: number;
  /** Share of the time with a value, 0 to 1. */
  readonly share: number;
}

/** Longest span with completeness by day, ms: by month it would have only two or three figures. */
const MAX_SPAN_BY_DAY = 62 * 24 * HOUR;

/** Chooses months or days for the completeness of a span. */
function chooseCalendarUnit(from: number, to: number): "month" | "day" {
  return to - from <= MAX_SPAN_BY_DAY ? "day" : "month";
}

/** Completeness of each month, or of each day of a short series, on the calendar of a time zone. */
export function computeCompleteness(
  series: TimeSeries,
  to: number,
  zone: string,
): CompletenessSpan[] {
  const { epochs, values, step } = series;
  const by = chooseCalendarUnit(epochs[0], to);
  const first = clockAt(epochs[0], zone).startOfDay();
  let start = by === "day" ? first : first.with({ day: 1 }).startOfDay();
  const spans: CompletenessSpan[] = [];
  let i = 0;
  while (start.epochMilliseconds < to) {
    const next = start.add(by === "day" ? { days: 1 } : { months: 1 }).startOfDay();
    const [from, end] = [start.epochMilliseconds, next.epochMilliseconds];
    let count = 0;
    for (; i < epochs.length && epochs[i] < end; i++) if (!Number.isNaN(values[i])) count++;
    spans.push({ from, to: end, share: Math.min(1, count * step / (end - from)) });
    start = next;
  }
  return spans;
}

/** A column to draw. */
interface Curve {
  readonly column: Column;
  readonly series: TimeSeries;
  readonly pieces: readonly Piece[];
  /** Whether each piece pools the values of a pixel, instead of having a single value. */
  readonly pooled: boolean;
  readonly completeness: readonly CompletenessSpan[];
}

/** Time span and size of the picture. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly zone: string;
  readonly width: number;
  readonly height: number;
}

function buildTooltip(
  column: Column,
  banded: boolean,
  extent: readonly [number, number],
): Spec[] {
  const format = chooseFormat(column.unit, extent);
  const figure = (field: string, title: string) => buildFigureField(field, title, format);
  const label = labelWithUnit(column);
  const stamp = { field: "label", title: timeColumn.label, type: "nominal" };
  if (isDirection(column)) return [stamp, buildFigureField("mean", label, ".0f")];
  return banded
    ? [stamp, figure("mean", `Mean, ${label}`), figure("low", "Lowest"), figure("high", "Highest")]
    : [stamp, figure("mean", label)];
}

/** Whether the values within some pixel differ, so a band is visible. */
function isBanded({ pieces }: Curve): boolean {
  return pieces.some(({ low, high }) => low !== high);
}

function buildRows(pieces: readonly Piece[], thinned: boolean, zone: string): Spec[] {
  return pieces.map(({ from, to, mean, low, high, alone }) => {
    const label = formatClock(from, zone);
    if (!thinned) {
      return { at: from, mean: roundToSixDigits(mean), label, ...(alone && { alone }) };
    }
    return {
      from,
      to,
      at: (from + to) / 2, // a mean is drawn in the middle of its pixel, a value at its timestamp
      mean: roundToSixDigits(mean),
      low: roundToSixDigits(low),
      high: roundToSixDigits(high),
      label: `${label} to ${formatClock(to, zone)}`,
      ...(alone && { alone }),
    };
  });
}

/** Marks of a column: a line with gaps, and a band if a pixel has several values; directions are points. */
function buildMarks(curve: Curve, x: Spec, height: number): Spec[] {
  const { column, pieces, series } = curve;
  const banded = isBanded(curve);
  const known = pieces.flatMap(({ low, high, mean }) => [low, high, mean])
    .filter((value) => value !== null);
  const extent = [Math.min(...known), Math.max(...known)] as const;
  const axis = buildVerticalAxis(labelWithUnit(column), height);
  const y: Channel = (field) => quantity(field, buildRangeScale(extent), axis);
  const tooltip = buildTooltip(column, banded, extent);
  if (series.direction) {
    const compass = { domain: [Math.min(0, extent[0]), Math.max(360, extent[1])], nice: false };
    return [mark("circle", {
      where: "isValid(datum.mean)",
      x,
      y: quantity("mean", compass, { ...axis, values: [0, 90, 180, 270, 360] }),
      color: palette.blue,
      size: 8,
      opacity: 0.8,
      tooltip,
    })];
  }
  const line = { x, y: y("mean"), color: palette.blue, tooltip };
  return listGiven(
    banded && mark("rect", {
      where: "isValid(datum.mean)",
      x: { ...x, field: "from" },
      x2: { field: "to" },
      y: y("low"),
      y2: { field: "high" },
      color: palette.paleBlue,
      stroke: palette.paleBlue,
      strokeWidth: 0.5,
      tooltip,
    }),
    mark("line", { ...line, strokeWidth: banded ? 1 : 1.5 }),
    pieces.some((piece) => piece.alone) &&
      mark("circle", { where: "datum.alone", ...line, size: 12, opacity: 1 }),
  );
}

/** The layers of a column over time, and their rows. */
function buildCurve(curve: Curve, { from, to, zone, width, height }: Span) {
  const { pieces, pooled, series } = curve;
  const thinned = pooled && (series.direction === true || isBanded(curve));
  return {
    layers: buildMarks(curve, buildTimeChannel("at", from, to, zone, width, false), height),
    rows: buildRows(pieces, thinned, zone),
  };
}

/** Height of the completeness strip, pixels. */
const STRIP_HEIGHT = 14;

/** Bars as high as the completeness, in front of a grey band of 100 %. */
function buildStrip({ completeness }: Curve, span: Span, last: boolean) {
  const { from, to, zone, width } = span;
  const by = chooseCalendarUnit(from, to);
  const rows = completeness.map((part) => ({
    // Calendar months may extend beyond the first and last value; the picture does not.
    from: Math.max(part.from, from),
    to: Math.min(part.to, to),
    share: roundToSixDigits(100 * part.share),
    label: by === "day"
      ? formatDay(part.from, zone)
      : formatDay(part.from, zone).replace(/^\d+ /, ""),
  }));
  const axis = { title: null, values: [0, 100], labelExpr: "datum.value + ' %'", grid: false };
  const layers = [
    fixedMark("rect", { x: 0, x2: width, y: 0, y2: STRIP_HEIGHT, color: palette.missing }),
    mark("rect", {
      x: buildTimeChannel("from", from, to, zone, width, last),
      x2: { field: "to" },
      y: quantity("share", { domain: [0, 100] }, axis),
      y2: { datum: 0 },
      color: palette.paleBlue,
      stroke: palette.paleBlue,
      strokeWidth: 0.4,
      tooltip: [
        { field: "label", title: by === "day" ? "Day" : "Month", type: "nominal" },
        buildFigureField("share", "Completeness (%)", ".1f"),
      ],
    }),
  ];
  return { layers, rows };
}

/** Options of {@linkcode plotTimeSeries}. */
export interface PlotTimeSeriesOptions extends PlotOptions {
  /** Columns to plot, one above the other, at most 6. @default the wind speed */
  readonly columns?: readonly string[];
}

const PLOT = "the time series";
/** Most columns that a title names. */
const MAX_LABELS = 3;

const MADE_BY = "modelData() or orderAndWait()";

/** Most columns of one chart. */
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
  return `${column.label}: lowest ${lowest} at ${
    formatClock(epochs[low], zone)
  }, highest ${highest} at ` +
    `${formatClock(epochs[high], zone)}, ${share} % complete`;
}

function chooseColumns(frame: DataFrame, options: PlotTimeSeriesOptions): string[] {
  const names = [...new Set(options.columns ?? [chooseSpeedColumn(frame, undefined)])];
  if (names.length === 0 || names.length > MAX_COLUMNS) {
    throw new ArgumentError(
      `Cannot plot ${PLOT}: "columns" has ${names.length} names. Give 1 to ${MAX_COLUMNS} names`,
    );
  }
  return names;
}

const OPTIONS = declareOptions<PlotTimeSeriesOptions>()("columns", {}, plotOptions);

/** Reads the columns of a frame in order of time, reduced to the width in pixels. */
function readCurves(frame: DataFrame, names: readonly string[], options: PlotTimeSeriesOptions) {
  const stamps = readZonedStamps(frame, PLOT);
  const order = sortStamps(stamps, PLOT);
  const epochs = Float64Array.from(order, (i) => stamps.epochs[i]);
  const step = findTimeStep(epochs);
  const [from, to] = [epochs[0], epochs[epochs.length - 1] + step];
  const all = names.map((name) => {
    const values = readFiniteNumbers(frame, name, PLOT);
    const column = findColumn(name, [frame, options.source]);
    return { column, values: Float64Array.from(order, (i) => values[i]) };
  });
  const read = (width: number) =>
    all.map(({ column, values }): Curve => {
      const series = { epochs, values, step, direction: isDirection(column) };
      return {
        column,
        series,
        pieces: thinSeries(series, from, to, width),
        pooled: isPooled(series, from, to, width),
        completeness: computeCompleteness(series, to, stamps.zone),
      };
    });
  return { from, to, zone: stamps.zone, expected: Math.round((to - from) / step), all, read };
}

const isKnown = ({ values }: { readonly values: Float64Array }) => !values.every(Number.isNaN);

/**
 * Plots columns over time, one above the other, each with a strip of its completeness. If a pixel has several values, it
 * shows their mean and a band from the lowest to the highest. Directions are points, averaged as vectors. Gaps stay gaps.
 *
 * @param frame Frame with `time` from `modelData()` or `orderAndWait()`, of one turbine or place
 * @param options Columns, title, source and size
 * @returns A chart that shows itself in notebooks
 * @throws {ArgumentError} If a column is missing or not numeric, the columns have no value at all, a timestamp is
 * duplicated, the timestamps have no zone or several, or the rows are from several turbines
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
  const chosen = readOptions("plotTimeSeries()", options, OPTIONS);
  const names = chooseColumns(frame, chosen);
  requireColumns(frame, [timeColumn.name, ...names], PLOT, MADE_BY);
  const { from, to, zone, expected, all, read } = readCurves(frame, names, chosen);
  const labels = all.filter(isKnown)
    .map(({ column: { label } }, i) => i === 0 ? label : lowerFirst(label));
  if (labels.length === 0) {
    refusePlot(
      PLOT,
      `no value in ${names.map((name) => `"${name}"`).join(", ")} of ` +
        `${formatNumber(frame.height)} rows. Choose other columns with { columns }`,
    );
  }
  const days = formatEnds([from, to - 1].map((at) => ({ label: formatDay(at, zone) })));
  return drawChart(
    PLOT,
    [frame],
    chosen,
    names.length === 1 ? 200 : 110,
    ({ width, height, view, subject }) => {
      const curves = read(width);
      const withValues = curves.filter(({ series }) => isKnown(series));
      const span = { from, to, zone, width, height };
      const pointed = withValues.some(({ series, pooled }) => series.direction && pooled);
      const facts = curves.map((curve) => formatFacts(curve, expected, zone));
      return {
        title: [
          labels.length <= MAX_LABELS ? joinNames(labels) : `${labels.length} time series`,
          subject(frame),
          formatStampSpan(frame),
        ],
        subtitle: [
          days,
          (withValues.some(isBanded)
            ? "Line: mean; band: lowest to highest value in each pixel. "
            : "") +
          (pointed ? "Points: mean direction in each pixel. " : "") +
          `Strip below: share of each ${chooseCalendarUnit(from, to)} with a value`,
        ],
        views: withValues.flatMap((curve, i) => {
          const values = buildCurve(curve, span);
          const strip = buildStrip(curve, span, i === withValues.length - 1);
          return [
            view(values.layers, { data: { values: values.rows } }),
            view(strip.layers, { data: { values: strip.rows }, height: STRIP_HEIGHT }),
          ];
        }),
        notes: listGiven(
          ...all.filter((curve) => !isKnown(curve))
            .map(({ column }) => `${column.label} is left out: it has no value`),
          curves.length === 1 && facts[0],
        ),
        alt: ["Line chart", `${days}, times in ${zone}. ${facts.join(". ")}`],
      };
    },
  );
}
