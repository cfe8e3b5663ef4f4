import type { DataFrame } from "nodejs-polars";
import { type Column, labelWithUnit } from "../api/columns/column.ts";
import { predictedInterval } from "../api/columns/columns.ts";
import { ArgumentError } from "../api/errors.ts";
import { declareOptions, readOptions } from "../show/options/read_options.ts";
import { formatFigures, formatNumber } from "../show/text/numbers.ts";
import type { Chart } from "./drawing/chart.ts";
import { nested, palette } from "./drawing/theme.ts";
import { drawChart, type PlotOptions, plotOptions } from "./grammar/chart.ts";
import {
  buildFigureField,
  buildKindColor,
  buildLevelScale,
  buildLineLegend,
  buildVerticalAxis,
  type Channel,
  chooseFormat,
  fullHeight,
  type KindColor,
  mark,
  PLAIN,
  quantity,
  type Spec,
  SQUARES,
} from "./grammar/marks.ts";
import { findColumn, readNumberColumn, requireColumns } from "./grammar/read.ts";
import { choosePeriodColumn, NO_DATA, type Period, readPeriods, valueAt } from "./grammar/rows.ts";
import { formatEnds, formatSpan } from "./grammar/text.ts";

/** An interval around a figure, by the names of its columns. */
export interface FanInterval {
  /** Column of the lower end. */
  readonly low: string;
  /** Column of the upper end. */
  readonly high: string;
  /** Probability that the true value is inside, %. */
  readonly percent: number;
}

/** Options of {@linkcode plotUncertaintyFan}. */
export interface PlotUncertaintyFanOptions extends PlotOptions {
  /** Column of the figure in the middle. @default {"predicted_production"} */
  readonly figure?: string;
  /** Intervals around it, at most four, in any order. @default the 90 % interval of the predicted production */
  readonly intervals?: readonly FanInterval[];
}

const WHAT = "the uncertainty fan";

/** If the lowest value is above this share of the highest, the axis does not begin at zero. */
const FAR_FROM_ZERO = 0.5;

/** Number of periods up to which every figure has a point. */
const MAX_POINTS = 60;

/** The interval that every month of our service has. */
const DEFAULT_INTERVALS: readonly FanInterval[] = [
  { low: predictedInterval[0].name, high: predictedInterval[1].name, percent: 90 },
];

/**
 * The intervals from the widest to the narrowest.
 *
 * @throws {ArgumentError} If there is no interval or more than four, or a percentage is not between 0 and 100 or is duplicated
 */
function sortIntervals(intervals: readonly FanInterval[]): FanInterval[] {
  if (intervals.length === 0 || intervals.length > nested.length) {
    throw new ArgumentError(
      `Cannot plot ${WHAT}: ${intervals.length} intervals were given. Give 1 to ${nested.length}`,
    );
  }
  const percents = new Set<number>();
  for (const { low, high, percent } of intervals) {
    if (!(percent > 0 && percent < 100) || percents.has(percent)) {
      throw new ArgumentError(
        `Cannot plot ${WHAT}: the interval "${low}" to "${high}" has ${percent} %. ` +
          "Give each a percentage of its own between 0 and 100",
      );
    }
    percents.add(percent);
  }
  return [...intervals].sort((a, b) => b.percent - a.percent);
}

/** Probabilities that the lower and the upper end are exceeded, %: P95 is exceeded with 95 % probability. */
function computeExceedance({ percent }: FanInterval): [low: string, high: string] {
  const level = (value: number) => formatNumber(value, Number.isInteger(value) ? 0 : 1);
  return [level(50 + percent / 2), level(50 - percent / 2)];
}

function formatIntervalName(interval: FanInterval): string {
  const [low, high] = computeExceedance(interval);
  return `${formatNumber(interval.percent)} % interval (P${low} to P${high})`;
}

/** Reads the ends of an interval; one that misses an end has neither. */
function readEnds(frame: DataFrame, interval: FanInterval) {
  const [low, high] = [interval.low, interval.high]
    .map((name) => readNumberColumn(frame, name, WHAT));
  low.forEach((lower, i) => {
    const upper = high[i];
    if (lower !== null && upper !== null && lower > upper) {
      throw new ArgumentError(
        `Cannot plot ${WHAT}: in row ${i + 1} "${interval.low}" is ${lower}, above ` +
          `"${interval.high}", ${upper}. Swap the columns, or check where they come from`,
      );
    }
    if (lower === null || upper === null) low[i] = high[i] = null;
  });
  return { low, high };
}

/** Figures and intervals of the periods of a fan; the ends of the intervals are lists, the widest first. */
function readRows(
  frame: DataFrame,
  periods: readonly Period[],
  figure: Column,
  intervals: readonly FanInterval[],
) {
  const place = (values: readonly (number | null)[]) => periods.map((row) => valueAt(values, row));
  const values = place(readNumberColumn(frame, figure.name, WHAT));
  const ends = intervals.map((interval) => {
    const { low, high } = readEnds(frame, interval);
    return { low: place(low), high: place(high) };
  });
  // Between two gaps a line or an area is invisible, so it needs its own mark.
  const isAlone = (values: readonly (number | null)[], i: number) =>
    [i - 1, i, i + 1].map((at) => (values[at] ?? null) !== null).join() === "false,true,false";
  return periods.map(({ period, label }, i) => ({
    period,
    label,
    value: values[i],
    state: values[i] === null ? NO_DATA : "",
    lone: isAlone(values, i),
    low: ends.map(({ low }) => low[i]),
    high: ends.map(({ high }) => high[i]),
    loneAt: ends.map(({ low }) => isAlone(low, i)),
  }));
}

type Row = ReturnType<typeof readRows>[number];

function buildVerticalChannel(rows: readonly Row[], figure: Column, height: number): Channel {
  const values = rows.flatMap((row) => [row.value, ...row.low, ...row.high]);
  const known = values.filter((value) => value !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  // A fan far from zero would be too narrow to read.
  const level = known.length > 0 && low > FAR_FROM_ZERO * high ? low : 0;
  const scale = { ...buildLevelScale(level, values), ...(level > 0 ? { padding: 8 } : {}) };
  const axis = buildVerticalAxis(labelWithUnit(figure), height, PLAIN);
  return (field) => quantity(field, scale, axis);
}

/** The areas, the widest behind the others; an interval between gaps is a bar. */
function buildFan(x: Spec, y: Channel, intervals: readonly FanInterval[], bar: number): Spec[] {
  const names = intervals.map(formatIntervalName);
  // The narrowest interval has the darkest colour also if there are few.
  const colors = names.map((_, i) => nested[Math.min(i + 1, nested.length - names.length + i)]);
  const kinds = names.map((name, i): KindColor => [name, colors[i]]);
  return names.flatMap((name, i): Spec[] => {
    const ends = { x, y: y(`low[${i}]`), y2: { field: `high[${i}]` } };
    const fill = buildKindColor({ datum: name }, kinds, { ...SQUARES, columns: 1 });
    return [
      mark("area", { ...ends, fill, stroke: palette.blue, strokeWidth: 0.5 }),
      mark("bar", { where: `datum.loneAt[${i}]`, ...ends, color: colors[i], width: bar }),
    ];
  });
}

/** The figure: a line, with a point per period if there are few. */
function buildMiddle(x: Spec, y: Spec, figure: Column, many: boolean): Spec[] {
  return [
    mark("line", {
      x,
      y,
      stroke: buildLineLegend(figure.label, palette.black, { symbolStrokeWidth: 2 }),
      strokeWidth: many ? 1 : 1.75,
    }),
    mark("point", {
      where: many ? "datum.lone" : "isValid(datum.value)",
      x,
      y,
      color: palette.black,
      filled: true,
      opacity: 1,
      size: 20,
    }),
  ];
}

function buildTooltip(
  figure: Column,
  intervals: readonly FanInterval[],
  rows: readonly Row[],
): Spec[] {
  const values = rows.flatMap(({ value, low, high }) => [value, ...low, ...high]);
  const format = chooseFormat(figure.unit, values);
  return [
    { field: "label", title: "Period" },
    buildFigureField("value", labelWithUnit(figure), format),
    ...intervals.flatMap(({ percent }, i) => [
      buildFigureField(`low[${i}]`, `${percent} % interval, low`, format),
      buildFigureField(`high[${i}]`, `${percent} % interval, high`, format),
    ]),
  ];
}

function formatFacts(rows: readonly Row[], { unit = "" }: Column, widest?: FanInterval): string {
  const last = rows.findLast((row) => row.value !== null);
  const gaps = rows.filter((row) => row.value === null).length;
  const interval = widest === undefined || last === undefined || last.low[0] === null
    ? ""
    : `, ${widest.percent} % interval ${formatFigures([last.low[0], last.high[0]!], unit)}`;
  return `${formatEnds(rows)}. ` +
    (last ? `${last.label}: ${formatFigures([last.value!], unit)}${interval}` : "No data") +
    (gaps > 0 ? `. ${gaps} of ${rows.length} without data` : "");
}

const OPTIONS = declareOptions<PlotUncertaintyFanOptions>()("intervals", {
  figure: "predicted_production",
}, plotOptions);

/**
 * Plots a figure over months or years with the intervals around it: the predicted production and its 90 % interval,
 * or any column with others for its ends. An end is named by the probability that it is exceeded: the lower end of a
 * 90 % interval is P95, that of an 80 % interval P90, that of a 50 % interval P75.
 *
 * @param frame Frame of one turbine from `monthlyIndices()`, or one with `month` (Date) or `year` (whole numbers: calendar years, or years that an estimate holds for)
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
  const chosen = readOptions("plotUncertaintyFan()", options, OPTIONS);
  const intervals = sortIntervals(chosen.intervals ?? DEFAULT_INTERVALS);
  const name = chosen.figure;
  const needed = [
    choosePeriodColumn(frame),
    name,
    ...intervals.flatMap(({ low, high }) => [low, high]),
  ];
  requireColumns(frame, needed, WHAT, "monthlyIndices()");
  const { periods, channel } = readPeriods(frame, WHAT);
  const figure = findColumn(name, [frame, chosen.source]);
  const all = readRows(frame, periods, figure, intervals);
  // An interval that no period has is neither drawn nor named.
  const found = intervals.filter((_, i) => all.some(({ low }) => low[i] !== null));
  const rows = readRows(frame, periods, figure, found);
  return drawChart(
    { what: WHAT, from: [frame], options: chosen, height: 260 },
    ({ width, height, view, subject }) => {
      const [x, y] = [channel(width), buildVerticalChannel(rows, figure, height)];
      const legend = { ...SQUARES, orient: "bottom" };
      return {
        title: [
          figure.label,
          subject(frame),
          formatSpan(periods.map(({ period }) => period)),
        ],
        subtitle: found.slice(0, 1).map((interval) => {
          const [low, high] = computeExceedance(interval);
          return `P${low} is exceeded in ${low} of 100 cases, P${high} in ${high}.`;
        }),
        views: [view(
          [
            ...(rows.some(({ state }) => state === NO_DATA)
              ? [mark("bar", {
                where: { field: "state", equal: NO_DATA },
                ...fullHeight(x, height),
                color: buildKindColor("state", [[NO_DATA, palette.missing]], legend),
                opacity: 0.6,
              })]
              : []),
            ...buildFan(x, y, found, Math.min(12, width / rows.length)),
            ...buildMiddle(x, y("value"), figure, rows.length > MAX_POINTS),
            mark("bar", {
              ...fullHeight(x, height),
              opacity: 0,
              tooltip: buildTooltip(figure, found, rows),
            }),
          ],
          { data: { values: rows } },
        )],
        notes: intervals.filter((interval) => !found.includes(interval))
          .map((interval) => `The data have no ${formatIntervalName(interval)}`),
        alt: [
          found.length === 0 ? "Line without an interval" : "Line in a fan of intervals",
          formatFacts(rows, figure, found[0]),
        ],
      };
    },
  );
}
