import pl, { type DataFrame } from "nodejs-polars";
import { type MonthLike, toMonth } from "../../api/calendar.ts";
import { pickColumns } from "../../api/columns/column.ts";
import {
  month as monthColumn,
  monthlyIndicesFrame,
  monthRecord,
} from "../../api/columns/columns.ts";
import { ArgumentError } from "../../api/errors.ts";
import { checkFrame } from "../../show/check_frame.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import { chooseDecimals, formatNumber, formatSigned } from "../../show/text/numbers.ts";
import type { Chart } from "../drawing/chart.ts";
import { fontSize, palette } from "../drawing/theme.ts";
import { drawChart, type PlotOptions, plotOptions } from "../grammar/chart.ts";
import {
  buildKindColor,
  buildLineLegend,
  buildVerticalAxis,
  type Channel,
  type KindColor,
  label,
  mark,
  PLAIN,
  quantity,
  type Spec,
  SQUARES,
} from "../grammar/marks.ts";
import {
  type Drawn,
  findDeclared,
  frameOf,
  readMonthColumn,
  readRows,
  readTextColumn,
  refusePlot,
  requireColumns,
} from "../grammar/read.ts";
import { cleanText, formatSpan, shortenName, wrapText } from "../grammar/text.ts";
import { listGiven } from "../../show/text/lists.ts";

const PLOT = "the shortfall";
const MADE_BY = "checkPerformance()";

const [yearColumn] = pickColumns(monthRecord, ["year"]);

/** Selects the steps of a month, or of the whole period; refuses several months if none is chosen. */
function selectSteps(given: Drawn<"steps" | "stepsByPeriod">, wanted: MonthLike | undefined) {
  const totals = frameOf(given, "steps");
  const each = frameOf(given, "stepsByPeriod");
  checkFrame(totals, `plot ${PLOT}`, MADE_BY);
  checkFrame(each, `plot ${PLOT}`, MADE_BY);
  const names = Reflect.ownKeys(each);
  const periods = names.includes(monthColumn.name)
    ? readMonthColumn(each, monthColumn.name, PLOT)
    : names.includes(yearColumn.name)
    ? readTextColumn(each, yearColumn.name).map(String)
    : [];
  const all = [...new Set(periods)].sort();
  if (wanted === undefined) {
    if (totals === each && all.length > 1) {
      refusePlot(
        PLOT,
        `the frame has the steps of ${all.length} periods, ${all[0]} to ` +
          `${all.at(-1)}. Choose a month with { month: "${all[0]}" }, or give the whole check`,
      );
    }
    return { frame: totals, time: formatSpan(all) };
  }
  const month = toMonth(wanted).toString();
  if (!all.includes(month)) {
    throw new ArgumentError(
      `Cannot plot ${PLOT} of ${month}: the steps ${
        all.length === 0
          ? "have no months. Omit the month"
          : `cover ${all[0]} to ${all.at(-1)}. Choose one of these months`
      }`,
    );
  }
  const inMonth = pl.col(monthColumn.name).dt.strftime("%Y-%m").eq(pl.lit(month));
  return { frame: each.filter(inMonth), time: formatSpan([month]) };
}

const STEP = "step";

const ENERGY = "energy";

/** Largest difference of equal sums, relative to the sum of their parts: rounding errors. */
const ROUNDING = 1e-9;

/** If the lowest level is above this share of the highest, the axis does not begin at zero. */
const CUT_FROM = 0.6;

const INTERVAL = "90 % interval";

/** Decimals of an energy: the sixth is a watt hour of a MWh. */
const MAX_DECIMALS = 6;

/** Kinds of bars, as the legend calls them. */
const KINDS = { total: "Total", loss: "Loss", gain: "Gain" } as const;

/** The steps of a frame, at least three, each with name and energy. */
function readSteps(frame: DataFrame) {
  requireColumns(frame, [STEP, ENERGY], PLOT, "an analysis of a shortfall");
  const columns = [ENERGY, "energy_low", "energy_high"] as const;
  const parts = readRows(frame, PLOT, columns, [STEP]).map((row, i) => {
    const step = cleanText((row.step ?? "").trim());
    const { energy, energy_low: low, energy_high: high } = row;
    if (step.trim() === "" || energy === null) {
      return refusePlot(
        PLOT,
        `row ${i + 1} of the frame has no ${
          step.trim() === "" ? "name" : `energy (step "${step}")`
        }. Give every row a step and an energy`,
      );
    }
    return { step, energy, ends: low === null || high === null ? null : { low, high } };
  });
  if (parts.length < 3) {
    refusePlot(
      PLOT,
      `the frame has ${parts.length} rows. ` +
        "Give the expected energy first, then the changes, and the actual energy last",
    );
  }
  return parts;
}

/** A step, its energy in the unit of the frame, and the ends of its 90 % interval if it has one. */
type Step = ReturnType<typeof readSteps>[number];

/** Checks that the first energy and the changes add up to the last one. */
function assertSum(parts: readonly Step[], unit: string): void {
  const last = parts[parts.length - 1];
  const sum = parts.slice(0, -1).reduce((total, part) => total + part.energy, 0);
  const size = parts.reduce((total, part) => total + Math.abs(part.energy), 0);
  if (Math.abs(last.energy - sum) <= ROUNDING * size) return;
  refusePlot(
    PLOT,
    `"${parts[0].step}" and the changes add up to ${sum} ${unit}, ` +
      `but "${last.step}" is ${last.energy} ${unit}. The difference is ${
        last.energy - sum
      } ${unit}. ` +
      "Give the changes unrounded, and the unexplained rest as a change",
  );
}

/** Decimals for the size of the energies; more if the smallest change would round to zero. */
function chooseStepDecimals(parts: readonly Step[]): number {
  const sizes = parts.map(({ energy }) => Math.abs(energy)).filter((size) => size > 0);
  const suited = chooseDecimals("MWh", Math.max(0, ...sizes)) ?? 0;
  const needed = sizes.length === 0 ? 0 : Math.ceil(-Math.log10(Math.min(...sizes)));
  return Math.min(MAX_DECIMALS, Math.max(suited, needed));
}

/** Start of the axis: zero, or just below all changes if these would otherwise be hardly visible. */
function chooseFloor(levels: readonly number[]): number {
  const [low, span] = [Math.min(...levels), Math.max(...levels) - Math.min(...levels)];
  if (low <= CUT_FROM * (low + span) || span === 0) return Math.min(0, low);
  const step = 10 ** Math.floor(Math.log10(span));
  const floor = Math.floor((low - 0.35 * span) / step) * step;
  return Math.max(0, Number(floor.toPrecision(12)));
}

/** The bars: totals from the start of the axis, each change from the end of the previous bar; figures are above their `top`. */
function buildBars(parts: readonly Step[]) {
  const expected = parts[0].energy;
  const decimals = chooseStepDecimals(parts);
  const signed = (change: number) => formatSigned(change, decimals);
  let level = 0;
  const bars = parts.map(({ step, energy, ends }, i) => {
    const total = i === 0 || i === parts.length - 1;
    const from = total ? 0 : level;
    level = total ? energy : level + energy;
    const share = 100 * energy / expected;
    const format = total ? formatNumber : formatSigned;
    return {
      position: String(i),
      step,
      energy,
      from,
      to: level,
      low: ends && from + ends.low,
      high: ends && from + ends.high,
      interval: ends ? [ends.low, ends.high].map(signed).join(" to ") : "",
      kind: total ? KINDS.total : energy < 0 ? KINDS.loss : KINDS.gain,
      figure: format(energy, decimals),
      share: Number.isFinite(share) && i > 0 ? `${format(share, 1)} %` : "",
    };
  });
  const floor = chooseFloor(
    bars.flatMap(({ to, low, high }) => [to, low ?? to, high ?? to]),
  );
  return bars.map((bar) => ({
    ...bar,
    floor,
    start: Math.max(bar.from, floor),
    top: Math.max(bar.from, bar.to, bar.high ?? bar.to, floor),
  }));
}

/** A step as a bar of the waterfall, from the level before to the level after it. */
type Bar = ReturnType<typeof buildBars>[number];

/** Options of {@linkcode plotShortfall}. */
export interface PlotShortfallOptions extends PlotOptions {
  /** The month to plot, from a frame or answer with several: `"2024-03"`. @default the whole period */
  readonly month?: MonthLike;
}

/** Width of a bar below which its name is slanted, length of a slanted name, pixels, and most lines of a horizontal name. */
const MIN_NAME_WIDTH = 62;
const SLANTED_LENGTH = 220;

const MAX_LINES = 3;

const [likeEnergy] = pickColumns(monthlyIndicesFrame, ["predicted_production"]);

/** Names below the bars: in lines, or slanted if the bars are too narrow. */
function buildNamesAxis(bars: readonly Bar[], room: number): Spec {
  const slanted = room < MIN_NAME_WIDTH;
  const names = bars.map(({ step }) => {
    if (slanted) return shortenName(step, SLANTED_LENGTH, fontSize.axis);
    // Lines end before they are full: the shorter the name, the fewer lines.
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

/** White gaps through the lower ends of the totals, if the axis does not begin at zero. */
function buildBreaks(x: Spec, floor: number, height: number): Spec[] {
  return floor <= 0 ? [] : [0, 4].map((shift) =>
    mark("rect", {
      where: { field: "kind", equal: KINDS.total },
      x,
      y: { value: height - 14 + shift },
      color: "white",
      height: 2,
    })
  );
}

function buildLayers(bars: readonly Bar[], room: number, height: number, unit: string): Spec[] {
  const [{ floor }] = bars;
  const levels = bars.flatMap((bar) => [bar.start, bar.to, bar.low ?? bar.to]);
  const [low, high] = [Math.min(...levels, floor), Math.max(...bars.map(({ top }) => top))];
  const x = {
    field: "position",
    type: "ordinal",
    scale: { domain: bars.map((bar) => bar.position), paddingInner: 0.3, paddingOuter: 0.15 },
    axis: buildNamesAxis(bars, room),
  };
  // with space above and below for the figures
  const domain = [
    low < 0 ? low - 0.18 * (high - low) : low,
    high === low ? low + 10 : high + 0.18 * (high - low),
  ];
  const axis = buildVerticalAxis(`Energy (${unit})`, height, PLAIN);
  const y: Channel = (field) => quantity(field, { domain, nice: false, zero: false }, axis);
  const colors: readonly KindColor[] = [
    [KINDS.total, palette.faint],
    [KINDS.loss, palette.orange],
    [KINDS.gain, palette.blue],
  ];
  const certain = bars.filter(({ interval }) => interval !== "");
  const text = (field: string, dy: number, fontWeight: string) =>
    label(field, { x, y: y("top"), baseline: "bottom", dy, fontWeight });
  return listGiven(
    mark("rule", {
      data: bars.slice(1).map((bar, i) => ({ ...bars[i], next: bar.position })),
      x,
      x2: { field: "next" },
      y: y("to"),
      color: palette.faint,
      strokeWidth: 1,
    }),
    mark("bar", {
      x,
      y: y("start"),
      y2: { field: "to" },
      color: buildKindColor(
        "kind",
        colors.filter(([kind]) => bars.some((bar) => bar.kind === kind)),
        SQUARES,
      ),
      tooltip: [
        { field: "step", title: "Step" },
        { field: "figure", title: `Energy (${unit})` },
        ...(certain.length > 0 ? [{ field: "interval", title: `${INTERVAL} (${unit})` }] : []),
        { field: "share", title: "Of expected" },
      ],
    }),
    ...buildBreaks(x, floor, height),
    certain.length !== 0 && mark("rule", {
      data: certain,
      x,
      y: y("low"),
      y2: { field: "high" },
      stroke: buildLineLegend(INTERVAL, palette.black),
      strokeWidth: 2,
    }),
    text("figure", -15, "bold"),
    text("share", -3, "normal"),
  );
}

const OPTIONS = declareOptions<PlotShortfallOptions>()("month", {}, plotOptions);

/**
 * Plots the steps from an expected to an actual energy: the expected energy as a bar, each loss and gain from the end of
 * the previous bar, and the actual energy as a bar. Figures are in MWh and in % of the expected energy; a line is the 90 %
 * interval of a change, if known. If the changes are small compared with the totals, the axis does not begin at zero,
 * and the picture says so.
 *
 * @param given Answer of `checkPerformance()`, or `steps` of its `frames`; or a frame with `step` and
 * `energy` (MWh): expected first, then the changes in order, actual last; with `energy_low` and `energy_high` if known
 * @param options `month` (or year) to plot, title, source and size
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
  given: Drawn<"steps" | "stepsByPeriod">,
  options: PlotShortfallOptions = {},
): Chart {
  const chosen = readOptions("plotShortfall()", options, OPTIONS);
  const { frame: steps, time } = selectSteps(given, chosen.month);
  const parts = readSteps(steps);
  const source = frameOf(given, "steps");
  const unit = (findDeclared(ENERGY, [source, chosen.source]) ?? likeEnergy).unit ?? "";
  assertSum(parts, unit);
  const bars = buildBars(parts);
  const [first, last] = [bars[0], bars[bars.length - 1]];
  const { floor } = first;
  const name = (bar: Bar) => shortenName(bar.step, 240, fontSize.axis);
  const summary = `${name(last)} ${last.figure} ${unit}, ` +
    (last.share === "" ? "" : `${last.share} of `) +
    `${first.figure} ${unit} ${name(first).toLowerCase()}`;
  const changes = bars.slice(1, -1).map((bar) =>
    `${name(bar)} ${bar.figure} ${unit}${bar.interval ? ` (${bar.interval})` : ""}`
  );
  return drawChart(PLOT, [source], chosen, 280, ({ width, height, view, subject }) => {
    const whose = [subject(steps), time].filter((text) => text !== "").join(", ");
    return {
      title: `From ${name(first).toLowerCase()} to ${name(last).toLowerCase()}` +
        (whose && `: ${whose}`),
      subtitle: [summary],
      views: [
        view(buildLayers(bars, width / bars.length, height, unit), {
          data: { values: bars },
        }),
      ],
      notes: floor <= 0 ? [] : [
        `The axis begins at ${
          formatNumber(floor, String(floor).split(".")[1]?.length)
        } ${unit}, not at zero: ` +
        "the bars of the totals are cut off",
      ],
      alt: ["Waterfall chart", `${summary}. ${changes.join(", ")}`],
    };
  });
}
