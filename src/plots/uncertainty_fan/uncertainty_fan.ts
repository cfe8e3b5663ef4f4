import type { DataFrame } from "nodejs-polars";
import { type Column, labelWithUnit, pickColumns } from "../../api/columns/column.ts";
import { monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { assembleChart, type Spec } from "../parts/assemble.ts";
import { buildPointerBars, buildStateBands } from "../parts/bands.ts";
import type { Chart } from "../drawing/chart.ts";
import { findColumn } from "../parts/find_column.ts";
import { type FanRow, formatFanAltText, readFanRows } from "./fan_rows.ts";
import { readOrigin, requireColumns } from "../parts/read_columns.ts";
import {
  DEFAULT_INTERVALS,
  type FanInterval,
  formatExceedance,
  formatIntervalName,
  sortIntervals,
} from "./interval.ts";
import {
  buildFigureField,
  buildLineLegend,
  buildLineWithGaps,
  chooseFormat,
} from "../parts/lines.ts";
import { buildLevelScale, buildVerticalAxis, buildWatermark } from "../parts/marks.ts";
import { NO_DATA } from "../parts/month_state.ts";
import { choosePeriodColumn, readPeriods } from "../parts/periods.ts";
import { type PlotOptions, plotOptions } from "../parts/plot_options.ts";
import { choosePlotSize } from "../parts/size.ts";
import { formatSubject, formatTitle } from "../parts/subject.ts";
import { nested, palette } from "../drawing/theme.ts";
import { checkOptions, nameOptions } from "../../show/options/check_options.ts";
import { formatSpan } from "../parts/months.ts";

export type { FanInterval } from "./interval.ts";

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

const [likeProduction] = pickColumns(monthlyIndicesFrame, ["predicted_production"]);

function buildVerticalChannel(rows: readonly FanRow[], figure: Column, height: number): Spec {
  const values = rows.flatMap((row) => [row.value, ...row.low, ...row.high]);
  const known = values.filter((value) => value !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  // A fan far from zero would be too narrow to read.
  const level = known.length > 0 && low > FAR_FROM_ZERO * high ? low : 0;
  return {
    type: "quantitative",
    scale: { ...buildLevelScale(level, values), ...(level > 0 ? { padding: 8 } : {}) },
    axis: { ...buildVerticalAxis(labelWithUnit(figure), height), format: ",~f" },
  };
}

/** The areas, the widest behind the others; an interval between gaps is a bar. */
function buildFanLayers(x: Spec, y: Spec, intervals: readonly FanInterval[], bar: number): Spec[] {
  const names = intervals.map(formatIntervalName);
  // The narrowest interval has the darkest colour also if there are few.
  const colors = names.map((_, i) => nested[Math.min(i + 1, nested.length - names.length + i)]);
  return names.flatMap((name, i): Spec[] => {
    const ends = { y: { ...y, field: `low[${i}]` }, y2: { field: `high[${i}]` } };
    return [
      {
        mark: { type: "area", stroke: palette.blue, strokeWidth: 0.5, tooltip: null },
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

/** The figure: a line, with a point per period if there are few. */
function buildMiddleLayers(x: Spec, y: Spec, figure: Column, periods: number): Spec[] {
  const many = periods > MAX_POINTS;
  return buildLineWithGaps(x, y, {
    field: "value",
    alone: many ? "datum.lone" : "isValid(datum.value)",
    color: palette.black,
    mark: { strokeWidth: many ? 1 : 1.75 },
    named: { stroke: buildLineLegend(figure.label, palette.black, { symbolStrokeWidth: 2 }) },
  });
}

function buildTooltip(
  figure: Column,
  intervals: readonly FanInterval[],
  rows: readonly FanRow[],
): Spec[] {
  const format = chooseFormat(
    figure.unit,
    rows.flatMap(({ value, low, high }) => [value, ...low, ...high]),
  );
  return [
    { field: "label", title: "Period" },
    buildFigureField("value", labelWithUnit(figure), format),
    ...intervals.flatMap(({ percent }, i) => [
      buildFigureField(`low[${i}]`, `${percent} % interval, low`, format),
      buildFigureField(`high[${i}]`, `${percent} % interval, high`, format),
    ]),
  ];
}

const OPTIONS = nameOptions<PlotUncertaintyFanOptions>()("figure intervals", plotOptions);

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
  checkOptions("plotUncertaintyFan()", options, OPTIONS);
  const intervals = sortIntervals(options.intervals ?? DEFAULT_INTERVALS, WHAT);
  const name = options.figure ?? likeProduction.name;
  const needed = [
    choosePeriodColumn(frame),
    name,
    ...intervals.flatMap(({ low, high }) => [low, high]),
  ];
  requireColumns(frame, needed, WHAT, "monthlyIndices()");
  const { width, height } = choosePlotSize(options, 260, WHAT);
  const { turbine, periods, x } = readPeriods(frame, width, WHAT);
  const figure = findColumn(name, [frame, options.source]);
  const all = readFanRows(frame, periods, figure, intervals, WHAT);
  // An interval that no period has is neither drawn nor named.
  const found = intervals.filter((_, i) => all.some(({ low }) => low[i] !== null));
  const rows = readFanRows(frame, periods, figure, found, WHAT);
  const empty = intervals.filter((interval) => !found.includes(interval));
  const y = buildVerticalChannel(rows, figure, height);
  const origin = readOrigin(frame, options);
  const title = options.title ?? formatTitle(
    figure.label,
    turbine || formatSubject(frame, origin, WHAT),
    formatSpan(periods.map(({ period }) => period)),
  );
  return assembleChart({
    title,
    subtitle: found.slice(0, 1).map(formatExceedance),
    views: [{
      data: { values: rows },
      width,
      height,
      layer: [
        ...buildWatermark(origin, width, height),
        ...buildStateBands(x, height, rows, [[NO_DATA, palette.missing]]),
        ...buildFanLayers(x, y, found, Math.min(12, width / rows.length)),
        ...buildMiddleLayers(x, y, figure, rows.length),
        buildPointerBars(x, height, buildTooltip(figure, found, rows)),
      ],
    }],
    notes: empty.map((interval) => `The data have no ${formatIntervalName(interval)}`),
    width,
    altText: formatFanAltText(title, rows, figure, found[0]),
    origin,
    theme: options.theme,
  });
}
