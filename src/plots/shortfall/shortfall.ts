import pl, { type DataFrame } from "nodejs-polars";
import { pickColumns } from "../../api/columns/column.ts";
import {
  month as monthColumn,
  monthlyIndicesFrame,
  monthRecord,
} from "../../api/columns/columns.ts";
import { formatNumber } from "../../show/text/numbers.ts";
import { displayOf } from "../../show/frame_display.ts";
import { assembleChart, type Spec } from "../parts/assemble.ts";
import type { Chart } from "../drawing/chart.ts";
import { readMonthColumn, readOrigin, readTextColumn } from "../parts/read_columns.ts";
import { buildVerticalAxis, buildWatermark } from "../parts/marks.ts";
import {
  assertSum,
  type Bar,
  buildBars,
  chooseFloor,
  ENERGY,
  KINDS,
  readSteps,
} from "./shortfall_bars.ts";
import { type PlotOptions, plotOptions } from "../parts/plot_options.ts";
import { choosePlotSize } from "../parts/size.ts";
import { shortenName, wrapText } from "../parts/text.ts";
import { fontSize, palette } from "../drawing/theme.ts";
import { checkOptions, nameOptions } from "../../show/options/check_options.ts";
import { buildLineLegend } from "../parts/lines.ts";
import { formatSubject } from "../parts/subject.ts";
import { checkFrame, isFrame } from "../../show/check_frame.ts";
import { type MonthLike, toMonth } from "../../api/calendar.ts";
import { ArgumentError } from "../../api/errors.ts";
import { formatSpan } from "../parts/months.ts";

const MADE_BY = "checkPerformance()";

const [yearColumn] = pickColumns(monthRecord, ["year"]);

/** Steps over the whole time, and of each of its months or years: a result of `checkPerformance()`. */
export interface ShortfallSteps {
  /** Frame with `step` and `energy` (MWh) of the whole time. */
  readonly steps: DataFrame;
  /** The same for each `month` or `year`. */
  readonly stepsByPeriod: DataFrame;
}

/**
 * Selects the steps of a month, or of the whole time.
 *
 * @throws {ArgumentError} If there is no such month, or several and none is chosen
 */
function selectSteps(
  given: DataFrame | ShortfallSteps,
  wanted: MonthLike | undefined,
  what: string,
) {
  const whole = isFrame(given) ? given : given?.steps;
  const each = isFrame(given) ? given : given?.stepsByPeriod;
  checkFrame(whole, `plot ${what}`, MADE_BY);
  checkFrame(each, `plot ${what}`, MADE_BY);
  const names = Reflect.ownKeys(each);
  const periods = names.includes(monthColumn.name)
    ? readMonthColumn(each, monthColumn.name, what)
    : names.includes(yearColumn.name)
    ? readTextColumn(each, yearColumn.name).map(String)
    : [];
  const all = [...new Set(periods)].sort();
  if (wanted === undefined) {
    if (whole === each && all.length > 1) {
      throw new ArgumentError(
        `Cannot plot ${what}: the frame has the steps of ${all.length} periods, ${all[0]} to ` +
          `${all.at(-1)}. Choose a month with { month: "${all[0]}" }, or give the whole check`,
      );
    }
    return { frame: whole, time: all.length === 0 ? "" : formatSpan(all) };
  }
  const month = toMonth(wanted).toString();
  if (!all.includes(month)) {
    throw new ArgumentError(
      `Cannot plot ${what} of ${month}: the steps ${
        all.length === 0 ? "have no months" : `are those of ${all[0]} to ${all.at(-1)}`
      }. Choose one of them`,
    );
  }
  const own = pl.col(monthColumn.name).dt.strftime("%Y-%m").eq(pl.lit(month));
  return { frame: each.filter(own), time: formatSpan([month]) };
}

const WHAT = "the shortfall";

/** Name of the intervals. */
const INTERVAL = "90 % interval";

/** Options of {@linkcode plotShortfall}. */
export interface PlotShortfallOptions extends PlotOptions {
  /** The month to plot, of a frame or result with several: `"2024-03"`. @default the whole time */
  readonly month?: MonthLike;
}

/** Width of a bar below which its name is slanted, and the length of a slanted name, pixels. */
const MIN_NAME_WIDTH = 62;
const SLANTED_LENGTH = 220;

/** Lines of a name below its bar. */
const MAX_LINES = 3;

const [likeEnergy] = pickColumns(monthlyIndicesFrame, ["predicted_production"]);

/** Names below the bars: in lines, or slanted if the bars are too narrow. */
function buildNamesAxis(bars: readonly Bar[], room: number): Spec {
  const slanted = room < MIN_NAME_WIDTH;
  const names = bars.map(({ step }) => {
    if (slanted) return shortenName(step, SLANTED_LENGTH, fontSize.axis);
    // Lines end before they are full: the shorter the name, the fewer of them.
    let lines = wrapText(step, room, fontSize.axis);
    for (let width = MAX_LINES * room; lines.length > MAX_LINES; width -= room / 4) {
      lines = wrapText(shortenName(step, width, fontSize.axis), room, fontSize.axis);
    }
    return lines;
  });
  return {
    domain: false,
    labelAngle: slanted ? -45 : 0,
    labelExpr: `${JSON.stringify(names)}[datum.value]`,
    labelLimit: 0,
    labelOverlap: false,
    labelPadding: 6,
    ticks: false,
    title: null,
  };
}

function hasInterval({ low, high }: Bar): boolean {
  return low !== null && high !== null;
}

/** White gaps through the lower ends of the totals, if the axis does not begin at zero. */
function buildBreakLayers(x: Spec, floor: number, height: number): Spec[] {
  if (floor <= 0) return [];
  return [0, 4].map((shift) => ({
    transform: [{ filter: { field: "kind", equal: KINDS.total } }],
    mark: { type: "rect", color: "white", height: 2 },
    encoding: { x, y: { value: height - 14 + shift } },
  }));
}

/** Number of decimals of a rounded number. */
function countDecimals(value: number): number {
  return String(value).split(".")[1]?.length ?? 0;
}

function buildLayers(bars: readonly Bar[], room: number, height: number, unit: string): Spec[] {
  const floor = chooseFloor(bars);
  const levels = bars.flatMap((bar) => [
    Math.max(bar.from, floor),
    bar.to,
    bar.low ?? bar.to,
    bar.high ?? bar.to,
  ]);
  const [low, high] = [Math.min(...levels, floor), Math.max(...levels, floor)];
  const x = {
    field: "position",
    type: "ordinal",
    scale: { domain: bars.map((bar) => bar.position), paddingInner: 0.3, paddingOuter: 0.15 },
    axis: buildNamesAxis(bars, room),
  };
  const y = {
    type: "quantitative",
    // Space above and below for the figures.
    scale: {
      domain: [
        low < 0 ? low - 0.18 * (high - low) : low,
        high === low ? low + 10 : high + 0.18 * (high - low),
      ],
      nice: false,
      zero: false,
    },
    axis: { ...buildVerticalAxis(`Energy (${unit})`, height), format: ",~f" },
  };
  const colors: Record<string, string> = {
    [KINDS.total]: palette.faint,
    [KINDS.loss]: palette.orange,
    [KINDS.gain]: palette.blue,
  };
  const kinds = Object.values(KINDS).filter((kind) => bars.some((bar) => bar.kind === kind));
  const tooltip = [
    { field: "step", title: "Step" },
    { field: "figure", title: `Energy (${unit})` },
    ...(bars.some(hasInterval) ? [{ field: "interval", title: `${INTERVAL} (${unit})` }] : []),
    { field: "share", title: "Of expected" },
  ];
  const top = (bar: Bar) => Math.max(bar.from, bar.to, bar.high ?? bar.to, floor);
  const texts = bars.map((bar): Spec => ({ ...bar, top: top(bar) }));
  const links = bars.slice(0, -1).map((bar, i) => ({
    position: bar.position,
    next: bars[i + 1].position,
    to: bar.to,
  }));
  const textLayer = (field: string, dy: number, weight: string) => ({
    data: { values: texts },
    mark: {
      type: "text",
      baseline: "bottom",
      color: palette.black,
      dy,
      fontSize: fontSize.axis,
      fontWeight: weight,
      tooltip: null,
    },
    encoding: { x, y: { ...y, field: "top" }, text: { field, type: "nominal" } },
  });
  return [
    {
      data: { values: links },
      mark: { type: "rule", color: palette.faint, strokeWidth: 1, tooltip: null },
      encoding: { x, x2: { field: "next" }, y: { ...y, field: "to" } },
    },
    {
      data: { values: bars.map((bar) => ({ ...bar, from: Math.max(bar.from, floor) })) },
      mark: { type: "bar" },
      encoding: {
        x,
        y: { ...y, field: "from" },
        y2: { field: "to" },
        color: {
          field: "kind",
          type: "nominal",
          scale: { domain: kinds, range: kinds.map((kind) => colors[kind]) },
          legend: { symbolType: "square" },
        },
        tooltip,
      },
    },
    ...buildBreakLayers(x, floor, height),
    ...(bars.some(hasInterval)
      ? [{
        data: { values: bars.filter(hasInterval) },
        mark: { type: "rule", strokeWidth: 2, tooltip: null },
        encoding: {
          x,
          y: { ...y, field: "low" },
          y2: { field: "high" },
          stroke: buildLineLegend(INTERVAL, palette.black),
        },
      }]
      : []),
    textLayer("figure", -15, "bold"),
    textLayer("share", -3, "normal"),
  ];
}

const OPTIONS = nameOptions<PlotShortfallOptions>()("month", plotOptions);

/**
 * Plots the steps from an expected to an actual energy: the expected one as a bar, each loss and gain from the end of the
 * one before, and the actual one as a bar. Figures are in MWh and in % of the expected energy; a line is the 90 %
 * interval of a change that has one. If the changes are small compared with the totals, the axis does not begin at zero,
 * and the picture says so.
 *
 * @param given Result of `checkPerformance()`, which has `steps` and `stepsByPeriod`; or a frame with `step` and
 * `energy` (MWh): expected first, then the changes in
 * order, actual last; with `energy_low` and `energy_high` if known
 * @param options `month` (or year) of these, title, source and size
 * @returns A chart that shows itself in notebooks
 * @throws {ArgumentError} If a column or value is missing, there are fewer than three rows, the changes do not add up, or
 * the steps have no such month
 *
 * @example A year that lost to wind and to standstill
 * ```ts
 * import pl from "nodejs-polars";
 * import { plotShortfall } from "@vindkit/vindkit";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const chart = plotShortfall(pl.DataFrame({
 *   step: ["Expected", "Wind", "Air density", "Availability", "Unexplained", "Actual"],
 *   energy: [6200, -310, 25, -140, -35, 5740],
 * }));
 * assertStringIncludes(chart.altText, "Actual 5,740 MWh, 92.6 % of 6,200 MWh expected");
 * ```
 */
export function plotShortfall(
  given: DataFrame | ShortfallSteps,
  options: PlotShortfallOptions = {},
): Chart {
  checkOptions("plotShortfall()", options, OPTIONS);
  const { frame: steps, time } = selectSteps(given, options.month, WHAT);
  const parts = readSteps(steps, WHAT);
  const source = isFrame(given) ? given : given.steps;
  const frames = [source, ...(options.source ? [options.source] : [])];
  const declared = frames.flatMap((frame) => displayOf(frame)?.columns ?? [])
    .find((column) => column.name === ENERGY);
  const unit = declared?.unit ?? likeEnergy.unit ?? "";
  assertSum(parts, unit, WHAT);
  const bars = buildBars(parts);
  const [first, last] = [bars[0], bars[bars.length - 1]];
  const { width, height } = choosePlotSize(options, 280, WHAT);
  const origin = readOrigin(source, options);
  const name = (bar: Bar) => shortenName(bar.step, 240, fontSize.axis);
  const whose = [formatSubject(steps, origin, WHAT), time].filter((text) => text !== "").join(", ");
  const title = options.title ??
    `From ${name(first).toLowerCase()} to ${name(last).toLowerCase()}${whose && `: ${whose}`}`;
  const summary = `${name(last)} ${last.figure} ${unit}, ` +
    (last.share === "" ? "" : `${last.share} of `) +
    `${first.figure} ${unit} ${name(first).toLowerCase()}`;
  const floor = chooseFloor(bars);
  const changes = bars.slice(1, -1).map((bar) =>
    `${name(bar)} ${bar.figure} ${unit}${hasInterval(bar) ? ` (${bar.interval})` : ""}`
  );
  return assembleChart({
    title,
    subtitle: [summary],
    views: [{
      width,
      height,
      data: { values: bars },
      layer: [
        ...buildWatermark(origin, width, height),
        ...buildLayers(bars, width / bars.length, height, unit),
      ],
    }],
    notes: floor <= 0 ? [] : [
      `The axis begins at ${
        formatNumber(floor, countDecimals(floor))
      } ${unit}, not at zero: the bars of the totals are cut off`,
    ],
    width,
    altText: `Waterfall chart. ${title}. ${summary}. ${changes.join(", ")}.`,
    origin,
    theme: options.theme,
  });
}
