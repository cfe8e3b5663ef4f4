import type { DataFrame } from "nodejs-polars";
import { type Column, labelWithUnit } from "../api/column.ts";
import { time as timeColumn } from "../api/columns.ts";
import { ArgumentError } from "../api/errors.ts";
import { formatNumber } from "../show/number.ts";
import { assembleChart, type Spec } from "./_assemble.ts";
import type { Chart } from "./chart.ts";
import { type Complete, completeness, completenessBy } from "./_completeness.ts";
import { declaredColumn } from "./_declared.ts";
import { originOf, requireColumns } from "./_input.ts";
import { verticalAxis, watermark } from "./_marks.ts";
import { speedColumnIn } from "./_speed_columns.ts";
import { subjectOf, titled } from "./_subject.ts";
import { type Piece, thinned, type TimeSeries } from "./_thinned.ts";
import { formatDay, formatStamp, timeChannel } from "./_time_axis.ts";
import { finiteIn, inOrder, stampsIn, stepOf } from "./_values.ts";
import { PLOT_WIDTH, type PlotOptions } from "./plot_options.ts";
import { palette } from "./theme.ts";

/** Options of {@linkcode plotTimeSeries}. */
export interface PlotTimeSeriesOptions extends PlotOptions {
  /** Columns to plot, one above the other, at most 6. @default the wind speed */
  readonly columns?: readonly string[];
}

const WHAT = "the time series";
const MADE_BY = "modelData() or orderAndWait()";

/** Most columns of one chart. */
const MOST_COLUMNS = 6;

/** Height of the strip of completeness, pixels. */
const STRIP_HEIGHT = 20;

/** What a column is in the picture. */
interface Curve {
  readonly column: Column;
  readonly series: TimeSeries;
  readonly pieces: readonly Piece[];
  readonly complete: readonly Complete[];
}

/** Where the picture is on the time axis. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly zone: string;
  readonly width: number;
  readonly height: number;
}

function tooltipOf(column: Column, banded: boolean): Spec[] {
  const figure = (field: string, title: string) => ({
    field,
    title,
    format: ".2f",
    type: "quantitative",
  });
  const label = labelWithUnit(column);
  const stamp = { field: "label", title: timeColumn.label, type: "nominal" };
  return banded
    ? [stamp, figure("mean", `Mean, ${label}`), figure("low", "Lowest"), figure("high", "Highest")]
    : [stamp, figure("mean", label)];
}

/** Six digits are more than a picture shows; more would double its weight. */
function rounded(value: number | null): number | null {
  return value === null ? null : Number(value.toPrecision(6));
}

function rowsOf(pieces: readonly Piece[], banded: boolean, zone: string): Spec[] {
  return pieces.map(({ from, to, mean, low, high, alone }) => {
    const label = formatStamp(from, zone);
    if (!banded) return { at: from, mean: rounded(mean), label, ...(alone ? { alone } : {}) };
    return {
      from,
      to,
      at: (from + to) / 2, // a mean stands in the middle of its pixel, a value at its stamp
      mean: rounded(mean),
      low: rounded(low),
      high: rounded(high),
      label: `${label} to ${formatStamp(to, zone)}`,
      ...(alone ? { alone } : {}),
    };
  });
}

/** The values of a column: a line, with a band from the lowest to the highest where a pixel holds several. */
function valuesView({ column, pieces }: Curve, span: Span, mark: readonly Spec[]): Spec {
  const { from, to, zone, width, height } = span;
  const banded = pieces.some((piece) => piece.low !== piece.high);
  const x = timeChannel("at", from, to, zone, width, false);
  const y = (field: string) => ({
    field,
    type: "quantitative",
    scale: { zero: false, nice: true },
    axis: verticalAxis(labelWithUnit(column), height),
  });
  const tooltip = tooltipOf(column, banded);
  const band = {
    transform: [{ filter: "isValid(datum.mean)" }],
    mark: { type: "rect", color: palette.paleBlue, stroke: palette.paleBlue, strokeWidth: 0.5 },
    encoding: {
      x: { ...x, field: "from" },
      x2: { field: "to" },
      y: y("low"),
      y2: { field: "high" },
      tooltip,
    },
  };
  const points = {
    transform: [{ filter: "datum.alone" }],
    mark: { type: "circle", color: palette.blue, size: 12, opacity: 1 },
    encoding: { x, y: y("mean"), tooltip },
  };
  return {
    data: { values: rowsOf(pieces, banded, zone) },
    width,
    height,
    layer: [
      ...mark,
      ...(banded ? [band] : []),
      {
        mark: { type: "line", color: palette.blue, strokeWidth: banded ? 1 : 1.5 },
        encoding: { x, y: y("mean"), tooltip },
      },
      ...(pieces.some((piece) => piece.alone) ? [points] : []),
    ],
  };
}

/** Bars as high as the share of values that are there, before a band of what would be whole. */
function stripView({ complete }: Curve, span: Span, last: boolean): Spec {
  const { from, to, zone, width } = span;
  const by = completenessBy(from, to);
  const rows = complete.map((part) => ({
    // The calendar's months go beyond the first and the last value; the picture does not.
    from: Math.max(part.from, from),
    to: Math.min(part.to, to),
    share: rounded(100 * part.share),
    label: by === "day"
      ? formatDay(part.from, zone)
      : formatDay(part.from, zone).replace(/^\d+ /, ""),
  }));
  const x = { ...timeChannel("from", from, to, zone, width, last) };
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
        mark: { type: "rect", color: palette.faint, stroke: palette.faint, strokeWidth: 0.4 },
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
            { field: "share", title: "Completeness (%)", format: ".1f", type: "quantitative" },
          ],
        },
      },
    ],
  };
}

/** Lowest and highest value of a column and how many there are, in words. */
function factsOf({ column, series }: Curve, expected: number, zone: string): string {
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
  const share = formatNumber(Math.floor(1000 * Math.min(1, count / expected)) / 10, 1);
  return `${column.label}: lowest ${formatNumber(values[low], 2)}${unit} at ` +
    `${formatStamp(epochs[low], zone)}, highest ${formatNumber(values[high], 2)}${unit} at ` +
    `${formatStamp(epochs[high], zone)}, ${share} % complete`;
}

function checkedColumns(frame: DataFrame, options: PlotTimeSeriesOptions): string[] {
  const names = [...new Set(options.columns ?? [speedColumnIn(frame, undefined)])];
  if (names.length === 0 || names.length > MOST_COLUMNS) {
    throw new ArgumentError(
      `Cannot plot ${WHAT} of ${names.length} columns: give 1 to ${MOST_COLUMNS}`,
    );
  }
  return names;
}

/**
 * Plots columns over time, one above the other, each with a strip that says how complete it is. Where a pixel holds
 * several values it shows their mean and a band from the lowest to the highest. Gaps stay gaps.
 *
 * @param frame Frame with `time`, as `modelData()` or `orderAndWait()` makes it, of one turbine or place
 * @param options Columns, title, source and size
 * @returns A chart that shows itself in notebooks
 * @throws {ArgumentError} If a column is missing or holds no numbers, there is no value at all, a stamp stands twice, the
 * stamps have no zone or several, or the rows are of several turbines
 *
 * @example
 * ```ts
 * import { modelData, plotTimeSeries } from "@vindkit/vindkit";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const hours = await modelData("T1", { start: "2021-01-01", end: "2024-01-01" });
 * const chart = plotTimeSeries(hours, { columns: ["wind_speed", "power"] });
 * assertStringIncludes(chart.altText, "Power: lowest");
 * ```
 */
export function plotTimeSeries(frame: DataFrame, options: PlotTimeSeriesOptions = {}): Chart {
  const names = checkedColumns(frame, options);
  requireColumns(frame, [timeColumn.name, ...names], WHAT, MADE_BY);
  const { width = PLOT_WIDTH, height = names.length === 1 ? 200 : 110 } = options;
  const origin = originOf(frame, options);
  const subject = subjectOf(frame, origin, WHAT);
  const stamps = stampsIn(frame, WHAT);
  const { zone } = stamps;
  const order = inOrder(stamps, WHAT);
  const epochs = Float64Array.from(order, (i) => stamps.epochs[i]);
  const step = stepOf(epochs);
  const [from, to] = [epochs[0], epochs[epochs.length - 1] + step];
  const curves = names.map((name): Curve => {
    const all = finiteIn(frame, name, WHAT);
    const series = { epochs, values: Float64Array.from(order, (i) => all[i]), step };
    return {
      column: declaredColumn(name, [frame, options.source]),
      series,
      pieces: thinned(series, from, to, width),
      complete: completeness(series, to, zone),
    };
  });
  const shown = curves.filter(({ series }) => !series.values.every(Number.isNaN));
  if (shown.length === 0) {
    throw new ArgumentError(
      `Cannot plot ${WHAT}: ${names.map((name) => `"${name}"`).join(", ")} without any value in ` +
        `${formatNumber(epochs.length)} rows. Choose others with { columns }`,
    );
  }
  const span = { from, to, zone, width, height };
  const label = curves.length === 1 ? curves[0].column.label : "Time series";
  const title = options.title ?? titled(label, subject);
  const expected = Math.round((to - from) / step);
  const empty = curves.filter((curve) => !shown.includes(curve));
  const banded = shown.some(({ pieces }) => pieces.some(({ low, high }) => low !== high));
  const days = `${formatDay(from, zone)} to ${formatDay(to - 1, zone)}`;
  const facts = curves.map((curve) => factsOf(curve, expected, zone));
  return assembleChart({
    title,
    subtitle: [
      days,
      (banded ? "Line: mean; band: lowest to highest of each pixel. " : "") +
      `Strip below: share of each ${completenessBy(from, to)} with a value`,
    ],
    views: shown.flatMap((curve, i) => [
      valuesView(curve, span, watermark(origin, width, height)),
      stripView(curve, span, i === shown.length - 1),
    ]),
    notes: [
      ...empty.map(({ column }) => `${column.label} is left out: it has no value`),
      ...(curves.length === 1 ? [facts[0]] : []),
    ],
    width,
    altText: `Line chart. ${title}. ${days}, times in ${zone}. ${facts.join(". ")}.`,
    origin,
  });
}
