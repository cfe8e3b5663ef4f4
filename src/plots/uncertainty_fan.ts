import type { DataFrame } from "nodejs-polars";
import { type Column, labelWithUnit, pickColumns } from "../api/column.ts";
import { monthlyIndicesFrame, monthRecord } from "../api/columns.ts";
import { formatNumber } from "../show/number.ts";
import { assembleChart, type Spec } from "./_assemble.ts";
import type { Chart } from "./chart.ts";
import { declaredColumn } from "./_declared.ts";
import { numbersIn, originOf, requireColumns } from "./_input.ts";
import {
  assertOrdered,
  DEFAULT_INTERVALS,
  exceedanceOf,
  type FanInterval,
  intervalName,
  widestFirst,
} from "./_interval.ts";
import { lone } from "./_lone.ts";
import { scaleWith, verticalAxis, watermark } from "./_marks.ts";
import { monthRows, onlyTurbine } from "./_month_rows.ts";
import { NO_DATA } from "./_month_state.ts";
import { monthChannel } from "./_months.ts";
import { PLOT_WIDTH, type PlotOptions } from "./plot_options.ts";
import { nested, palette } from "./theme.ts";
import { yearChannel, yearsBetween, yearsIn } from "./_years.ts";

export type { FanInterval } from "./_interval.ts";

/** Options of {@linkcode plotUncertaintyFan}. */
export interface PlotUncertaintyFanOptions extends PlotOptions {
  /** Column of the figure in the middle. @default {"predicted_production"} */
  readonly figure?: string;
  /** Intervals around it, at most four, in any order. @default the 90 % interval of the predicted production */
  readonly intervals?: readonly FanInterval[];
}

const WHAT = "the uncertainty fan";

/** Share of the highest value above which the axis need not begin at zero. */
const FAR_FROM_ZERO = 0.5;

const [monthColumn] = pickColumns(monthlyIndicesFrame, ["month"]);
const [yearColumn] = pickColumns(monthRecord, ["year"]);

/** A month or year of the chart. */
interface Period {
  /** "2023-05", or "2023". */
  readonly period: string;
  readonly label: string;
  readonly at: number | undefined;
}

interface Periods {
  readonly turbine: string;
  readonly periods: readonly Period[];
  readonly x: Spec;
}

/** Months where the frame has months, else years. */
function periodsOf(frame: DataFrame, width: number): Periods {
  if (frame.columns.includes(monthColumn.name)) {
    const rows = monthRows(frame, WHAT);
    const x = { ...monthChannel(rows.map((row) => row.month), width), field: "period" };
    const periods = rows.map(({ month, label, at }) => ({ period: month, label, at }));
    return { turbine: onlyTurbine(rows, WHAT), periods, x };
  }
  const positions = yearsIn(frame, yearColumn.name, WHAT);
  const years = yearsBetween(positions.keys());
  const periods = years.map((year) => ({
    period: String(year),
    label: String(year),
    at: positions.get(year),
  }));
  return { turbine: "", periods, x: yearChannel(years, width, yearColumn.label) };
}

interface Row extends Spec {
  period: string;
  label: string;
  value: number | null;
  lone: boolean;
  /** Ends of each interval, widest first. */
  low: (number | null)[];
  high: (number | null)[];
  loneAt: boolean[];
}

function rowsOf(
  frame: DataFrame,
  periods: readonly Period[],
  figure: Column,
  intervals: readonly FanInterval[],
): Row[] {
  const placed = (values: readonly (number | null)[]) =>
    periods.map(({ at }) => at === undefined ? null : values[at]);
  const values = placed(numbersIn(frame, figure.name));
  const ends = intervals.map((interval) => {
    const [low, high] = [numbersIn(frame, interval.low), numbersIn(frame, interval.high)];
    assertOrdered(frame, interval, low, high, WHAT);
    // An interval without one of its ends is none.
    const whole = low.map((value, i) => value !== null && high[i] !== null);
    const kept = (side: readonly (number | null)[]) =>
      placed(side.map((value, i) => whole[i] ? value : null));
    return { low: kept(low), high: kept(high) };
  });
  const alone = lone(values);
  const loneEnds = ends.map(({ low }) => lone(low));
  return periods.map(({ period, label }, i): Row => ({
    period,
    label,
    value: values[i],
    lone: alone[i],
    low: ends.map(({ low }) => low[i]),
    high: ends.map(({ high }) => high[i]),
    loneAt: loneEnds.map((flags) => flags[i]),
  }));
}

function vertical(rows: readonly Row[], figure: Column, height: number): Spec {
  const values = rows.flatMap((row) => [row.value, ...row.low, ...row.high]);
  const known = values.filter((value) => value !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  // A fan far from zero would be too narrow to read.
  const level = known.length > 0 && low > FAR_FROM_ZERO * high ? low : 0;
  return {
    type: "quantitative",
    scale: { ...scaleWith(level, values), ...(level > 0 ? { padding: 8 } : {}) },
    axis: { ...verticalAxis(labelWithUnit(figure), height), format: ",~f" },
  };
}

/** The areas, the widest below the others; an interval between gaps is a bar. */
function fanLayers(x: Spec, y: Spec, intervals: readonly FanInterval[], bar: number): Spec[] {
  const names = intervals.map(intervalName);
  // The narrowest is the darkest also where there are few.
  const colors = names.map((_, i) => nested[Math.min(i + 1, nested.length - names.length + i)]);
  return names.flatMap((name, i): Spec[] => {
    const ends = { y: { ...y, field: `low[${i}]` }, y2: { field: `high[${i}]` } };
    return [
      {
        mark: { type: "area", tooltip: null },
        encoding: {
          x,
          ...ends,
          fill: {
            datum: name,
            type: "nominal",
            scale: { domain: names, range: colors },
            legend: { columns: 1, symbolType: "square" },
          },
        },
      },
      {
        transform: [{ filter: `datum.loneAt[${i}]` }],
        mark: { type: "bar", color: colors[i], tooltip: null, width: bar },
        encoding: { x, ...ends },
      },
    ];
  });
}

function middleLayers(x: Spec, y: Spec, figure: Column, many: boolean): Spec[] {
  const middle = { ...y, field: "value" };
  return [
    {
      mark: { type: "line", strokeWidth: many ? 1 : 1.75, tooltip: null },
      encoding: {
        x,
        y: middle,
        stroke: {
          datum: figure.label,
          type: "nominal",
          scale: { range: [palette.black] },
          legend: { symbolStrokeWidth: 2, symbolType: "stroke" },
        },
      },
    },
    {
      transform: [{ filter: many ? "datum.lone" : "isValid(datum.value)" }],
      mark: { type: "point", color: palette.black, filled: true, opacity: 1, size: 16 },
      encoding: { x, y: middle },
    },
  ];
}

function missingLayers(x: Spec, rows: readonly Row[], height: number): Spec[] {
  if (rows.every((row) => row.value !== null)) return [];
  return [{
    transform: [{ filter: "!isValid(datum.value)" }],
    mark: { type: "bar" },
    encoding: {
      x,
      y: { value: 0 },
      y2: { value: height },
      color: {
        datum: NO_DATA,
        type: "nominal",
        scale: { range: [palette.missing] },
        legend: { orient: "bottom", symbolType: "square" },
      },
    },
  }];
}

/** Unseen bars over the full height, so that the pointer finds every period. */
function pointed(
  x: Spec,
  figure: Column,
  intervals: readonly FanInterval[],
  height: number,
): Spec {
  const number = (field: string, title: string) => ({
    field,
    title,
    format: ",.1f",
    type: "quantitative",
  });
  return {
    mark: { type: "bar", opacity: 0 },
    encoding: {
      x,
      y: { value: 0 },
      y2: { value: height },
      tooltip: [
        { field: "label", title: "Period" },
        number("value", labelWithUnit(figure)),
        ...intervals.flatMap(({ percent }, i) => [
          number(`low[${i}]`, `${percent} % interval, low`),
          number(`high[${i}]`, `${percent} % interval, high`),
        ]),
      ],
    },
  };
}

function altTextOf(
  title: string,
  rows: readonly Row[],
  { unit = "" }: Column,
  widest: FanInterval,
): string {
  const span = `${rows[0].label} to ${rows[rows.length - 1].label}`;
  const last = rows.findLast((row) => row.value !== null);
  const gaps = rows.filter((row) => row.value === null).length;
  const number = (value: number | null) => formatNumber(value ?? 0, (value ?? 0) < 100 ? 1 : 0);
  const end = last === undefined ? "no data" : `${last.label}: ${number(last.value)} ${unit}` +
    (last.low[0] === null
      ? ""
      : `, ${widest.percent} % interval ${number(last.low[0])} to ${number(last.high[0])} ${unit}`);
  return `Line in a fan of intervals. ${title}. ${span}. ${end}` +
    (gaps > 0 ? `. ${gaps} of ${rows.length} without data` : "") + ".";
}

/**
 * Plots a figure over months or years with the intervals around it: the predicted production and its 90 % interval,
 * or any column with others for its ends. An end is named by the probability that it is exceeded: the lower end of a
 * 90 % interval is P95, that of an 80 % interval P90, that of a 50 % interval P75.
 *
 * @param frame Frame of one turbine as `monthlyIndices()` makes it, or one with `month` (Date) or `year` (whole numbers: calendar years, or years that an estimate holds for)
 * @param options Title, figure, intervals, source and size
 * @returns A chart that shows itself in notebooks
 * @throws {ArgumentError} If a column is missing, the frame is empty, has several turbines or repeats a period, or a lower end is above its upper one
 *
 * @example A year of a turbine
 * ```ts
 * import { monthlyIndices, plotUncertaintyFan } from "@vindkit/vindkit";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const index = await monthlyIndices("T1", { from: "2023-01", to: "2023-12" });
 * const chart = plotUncertaintyFan(index);
 * assertStringIncludes(chart.altText, "90 % interval");
 * ```
 */
export function plotUncertaintyFan(
  frame: DataFrame,
  options: PlotUncertaintyFanOptions = {},
): Chart {
  const intervals = widestFirst(options.intervals ?? DEFAULT_INTERVALS, WHAT);
  const figureName = options.figure ?? "predicted_production";
  const time = frame.columns.includes(yearColumn.name) &&
      !frame.columns.includes(monthColumn.name)
    ? yearColumn.name
    : monthColumn.name;
  const needed = [time, figureName, ...intervals.flatMap(({ low, high }) => [low, high])];
  requireColumns(frame, needed, WHAT, "monthlyIndices()");
  const { width = PLOT_WIDTH, height = 260 } = options;
  const { turbine, periods, x } = periodsOf(frame, width);
  const figure = declaredColumn(figureName, [frame, options.source]);
  const rows = rowsOf(frame, periods, figure, intervals);
  const y = vertical(rows, figure, height);
  const origin = originOf(frame, options);
  const title = options.title ?? (turbine === "" ? figure.label : `${figure.label} of ${turbine}`);
  return assembleChart({
    title,
    subtitle: [exceedanceOf(intervals[0])],
    views: [{
      data: { values: rows },
      width,
      height,
      layer: [
        ...watermark(origin, width, height),
        ...missingLayers(x, rows, height),
        ...fanLayers(x, y, intervals, Math.min(12, width / rows.length)),
        ...middleLayers(x, y, figure, rows.length > 60),
        pointed(x, figure, intervals, height),
      ],
    }],
    width,
    altText: altTextOf(title, rows, figure, intervals[0]),
    origin,
  });
}
