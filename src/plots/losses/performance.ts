import type { DataFrame } from "nodejs-polars";
import { type Column, labelWithUnit, pickColumns } from "../../api/columns/column.ts";
import { monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { readOptions } from "../../show/options/read_options.ts";
import { formatNumber } from "../../show/text/numbers.ts";
import type { Chart } from "../drawing/chart.ts";
import { fontSize, nested, palette } from "../drawing/theme.ts";
import { drawChart, type PlotOptions, plotOptions } from "../grammar/chart.ts";
import {
  buildFigureField,
  buildKindColor,
  buildLevelRule,
  buildLevelScale,
  buildLineLegend,
  buildMissingBand,
  buildVerticalAxis,
  dot,
  fitLegendColumns,
  label,
  mark,
  quantity,
  type Spec,
} from "../grammar/marks.ts";
import { type Drawn, findColumn, frameOf, requireColumns } from "../grammar/read.ts";
import {
  choosePeriodColumn,
  fillRows,
  type Period,
  readPeriods,
  toPercent,
} from "../grammar/rows.ts";
import { formatEnds, formatSpan } from "../grammar/text.ts";
import { listGiven } from "../../show/text/lists.ts";

const PLOT = "the performance";

/** Column of produced over expected energy, %. */
const RATIO = "ratio";

/** Most periods named above the picture, and in the alternative text. */
const MAX_NAMED = { above: 6, text: 24 } as const;

/** Marks of the states of a comparison, which differ in shape as well as colour. */
const STATES: Readonly<Record<string, readonly [label: string, color: string, shape: string]>> = {
  normal: ["Normal", palette.faint, "circle"],
  low: ["Below normal", palette.vermilion, "triangle-down"],
  high: ["Above normal", palette.blue, "triangle-up"],
  incomplete: ["Too few hours", palette.text, "cross"],
  unknown: ["Not assessed", palette.faint, "diamond"],
};

const [completenessColumn] = pickColumns(monthlyIndicesFrame, ["completeness"]);

/** Numbers of a comparison, by their name in the picture. */
const NUMBERS = {
  ratio: RATIO,
  low: "band_low",
  high: "band_high",
  stable: "stable_ratio",
  produced: "produced",
  predicted: "predicted",
  completeness: completenessColumn.name,
} as const;

/** Reads the periods of a comparison; periods without a row have no ratio. */
function readRows(frame: DataFrame, periods: readonly Period[]) {
  return fillRows(frame, periods, NUMBERS, PLOT, ["state"]).map((row) => {
    const state = row.state ?? "";
    return {
      ...row,
      completeness: toPercent(row.completeness),
      state: (Object.hasOwn(STATES, state) ? STATES[state] : STATES.unknown)[0],
    };
  });
}

type Row = ReturnType<typeof readRows>[number];

/** The normal band of the middle period, %. */
interface Band {
  readonly low: number;
  readonly high: number;
  /** Whether all periods have this band. */
  readonly constant: boolean;
}

/** Finds the band of median width; `null` if no period has one. */
function findMiddleBand(rows: readonly Row[]): Band | null {
  const bands = rows.flatMap(({ low, high }) =>
    low === null || high === null ? [] : [{ low, high }]
  ).sort((a, b) => a.high - a.low - (b.high - b.low));
  if (bands.length === 0) return null;
  const [first, last] = [bands[0], bands[bands.length - 1]];
  const constant = first.low === last.low && first.high === last.high;
  return { ...bands[Math.floor(bands.length / 2)], constant };
}

/** Formats a band: "Normal: 88.0 to 112.0 %", or "about" if it differs by period. */
function formatBand({ low, high, constant }: Band): string {
  const ends = `${formatNumber(low, 1)} to ${formatNumber(high, 1)} %`;
  return `Normal: ${constant ? "" : "about "}${ends}`;
}

/** Formats the band and the periods outside of it, naming at most `most` on each side. */
function formatSummary(rows: readonly Row[], band: Band | null, most: number): string {
  const compared = rows.filter((row) => row.ratio !== null);
  if (compared.length === 0) return "Nothing to compare";
  const ownBands = band !== null && !band.constant;
  const listPeriods = (state: string, words: string) => {
    const outside = compared.filter((row) => row.state === state);
    if (outside.length === 0) return [];
    const list = outside.slice(0, most).map(({ label, ratio, low, high }) => {
      const end = state === STATES.low[0] ? low : high;
      // By the period's own band, which may differ from the middle one.
      const limit = ownBands && end !== null
        ? ` (normal ${state === STATES.low[0] ? "from" : "to"} ${formatNumber(end, 1)} %)`
        : "";
      return `${label} ${formatNumber(ratio!, 1)} %${limit}`;
    });
    const more = outside.length - most;
    return [`${words} ${list.join(", ")}${more > 0 ? ` and ${more} more` : ""}`];
  };
  const outside = [...listPeriods(STATES.low[0], "below"), ...listPeriods(STATES.high[0], "above")];
  const normal = band
    ? formatBand(band).replace(":", " is") + (ownBands ? ", each period by its own band" : "")
    : "No normal band: too few periods";
  const none = band ? ["no period is outside"] : [];
  return [normal, ...listChanges(rows), ...(outside.length > 0 ? outside : none)].join("; ");
}

/** Lists the changes from one stable state to the next: "from 101 to 90 % in October 2021". */
function listChanges(rows: readonly Row[]): string[] {
  let before: number | null = null;
  return rows.flatMap(({ stable, label }, i) => {
    const last = before;
    if (stable !== null) before = stable;
    if (stable === null || last === null || stable === last) return [];
    // The period of a change belongs to neither state.
    const when = rows[i - 1].stable === null ? rows[i - 1].label : label;
    return [`from ${formatNumber(last)} to ${formatNumber(stable)} % in ${when}`];
  });
}

/** Width of a character of the names in the picture, pixels. */
const CHARACTER = 5.6;

/** "Mar 2024" for "March 2024". */
function shortenMonth(label: string): string {
  return label.replace(/^(\p{L}{3})\p{L}*/u, "$1");
}

/** Consecutive periods outside of the band with one name: the farthest first, as many as fit without overlap. */
function findStretches(rows: readonly Row[], state: string, width: number) {
  const stretches: number[][] = [];
  rows.forEach((row, i) => {
    if (row.state !== state || row.ratio === null) return;
    const last = stretches.at(-1);
    if (last?.at(-1) === i - 1) last.push(i);
    else stretches.push([i]);
  });
  const below = state === STATES.low[0];
  const spans: [from: number, to: number][] = [];
  return stretches.map((positions) => {
    const ratios = positions.map((i) => rows[i].ratio!);
    return { positions, ratio: below ? Math.min(...ratios) : Math.max(...ratios) };
  }).sort((a, b) => below ? a.ratio - b.ratio : b.ratio - a.ratio).flatMap(
    ({ positions, ratio }) => {
      const [first, last] = [rows[positions[0]].label, rows[positions[positions.length - 1]].label]
        .map(shortenMonth);
      const name = first === last ? first : `${first} \u2013 ${last}`;
      const at = positions[Math.floor(positions.length / 2)];
      const [x, half] = [width * (at + 0.5) / rows.length, CHARACTER * name.length / 2];
      const align = x < half ? "left" : x > width - half ? "right" : "center";
      const from = align === "left" ? x : align === "right" ? x - 2 * half : x - half;
      if (spans.some((other) => from < other[1] && from + 2 * half > other[0])) return [];
      spans.push([from, from + 2 * half]);
      return [{ period: rows[at].period, name, ratio, align }];
    },
  );
}

/** Names of the periods outside of the band, below or above their points. */
function buildNames(rows: readonly Row[], x: Spec, y: Spec, width: number): Spec[] {
  return ([["low", "top", 7], ["high", "bottom", -7]] as const).flatMap(([side, baseline, dy]) => {
    const stretches = findStretches(rows, STATES[side][0], width);
    return ["left", "center", "right"].flatMap((align) => {
      const aligned = stretches.filter((stretch) => stretch.align === align);
      if (aligned.length === 0) return [];
      const look = { align, baseline, dy, fontSize: fontSize.caption };
      return [label("name", { data: aligned, x, y, ...look })];
    });
  });
}

/** The band, with a bar per period: it is wider if less was expected. */
function buildBand(rows: readonly Row[], band: Band, x: Spec, y: Spec): Spec {
  const legend = { symbolOpacity: 1, symbolStrokeWidth: 0, symbolType: "square" };
  return mark("bar", {
    data: rows.filter((row) => row.low !== null && row.high !== null),
    x,
    y: { ...y, field: "low" },
    y2: { field: "high" },
    fill: buildLineLegend(formatBand(band), nested[0], legend),
  });
}

/** A line at the ratio of each stable state, if there was a change. */
function buildStable(rows: readonly Row[], x: Spec, y: Spec): Spec[] {
  const stable = rows.filter((row) => row.stable !== null);
  return stable.length === 0 ? [] : [mark("line", {
    data: stable.map(({ period, stable }) => ({ period, ratio: stable })),
    x,
    y,
    detail: { field: RATIO, type: "nominal" },
    stroke: buildLineLegend("Stable state", palette.black, { symbolOpacity: 1 }),
    strokeWidth: 2.5,
  })];
}

function buildPoints(rows: readonly Row[], x: Spec, y: Spec, width: number, unit: string): Spec[] {
  const states = Object.values(STATES)
    .filter(([state]) => rows.some((row) => row.state === state && row.ratio !== null));
  const legend = { columns: fitLegendColumns(width), symbolOpacity: 1 };
  const channel = (at: 1 | 2) =>
    buildKindColor("state", states.map((state) => [state[0], state[at]]), legend);
  return [
    mark("line", { x, y, color: palette.faint, opacity: 0.5, strokeWidth: 1 }),
    dot({
      where: "isValid(datum.ratio)",
      x,
      y,
      color: channel(1),
      shape: channel(2),
      size: rows.length <= 60 ? 46 : 22,
      tooltip: [
        { field: "label", title: "Period" },
        buildFigureField(RATIO, "Ratio (%)", ".1f"),
        { field: "state", title: "State" },
        buildFigureField("produced", `Produced${unit}`, ",.1f"),
        buildFigureField("predicted", `Expected${unit}`, ",.1f"),
        buildFigureField("completeness", `${completenessColumn.label} (%)`, ".1f"),
      ],
    }),
  ];
}

/**
 * Plots the ratio of produced to expected energy by month or by year, with the band of normal ratios, and names the
 * periods outside of it.
 *
 * @param given Answer of `checkPerformance()`, or `comparison` of its `frames`: `month` or `year`, `ratio` (%), and if known
 * `band_low`, `band_high` (%), `stable_ratio` (%: a line for each stable state) and `state`
 * @param options Title, source and size
 * @returns A chart that shows itself in notebooks
 * @throws {ArgumentError} If a column is missing, the frame is empty or repeats a period
 *
 * @example Four months, the last of them below the band
 * ```ts
 * import pl from "nodejs-polars";
 * import { plotPerformance } from "@vindkit/vindkit";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const month = pl.Series("month", ["2023-01-01", "2023-02-01", "2023-03-01", "2023-04-01"])
 *   .str.strptime(pl.Date, "%Y-%m-%d");
 * const chart = plotPerformance(pl.DataFrame([
 *   month,
 *   pl.Series("ratio", [101, 97, 104, 71], pl.Float64),
 *   pl.Series("band_low", [88, 88, 88, 88], pl.Float64),
 *   pl.Series("band_high", [113, 113, 113, 113], pl.Float64),
 *   pl.Series("state", ["normal", "normal", "normal", "low"]),
 * ]));
 * assertStringIncludes(chart.altText, "below April 2023 71.0 %");
 * ```
 */
export function plotPerformance(given: Drawn<"comparison">, options: PlotOptions = {}): Chart {
  const chosen = readOptions("plotPerformance()", options, plotOptions);
  const comparison = frameOf(given, "comparison");
  requireColumns(comparison, [choosePeriodColumn(comparison), RATIO], PLOT, "checkPerformance()");
  const { periods, channel } = readPeriods(comparison, PLOT);
  const rows = readRows(comparison, periods);
  const band = findMiddleBand(rows);
  const ratio: Column = { ...findColumn(RATIO, [comparison, chosen.source]), unit: "%" };
  const label = ratio.label === RATIO ? "Ratio" : ratio.label;
  const produced = findColumn("produced", [comparison, chosen.source]);
  const levels = rows.flatMap((row) => [row.ratio, row.low, row.high]);
  const gaps = rows.filter((row) => row.ratio === null).length;
  return drawChart(PLOT, [comparison], chosen, 240, ({ width, height, view, subject }) => {
    const x = channel(width);
    const axis = buildVerticalAxis(labelWithUnit({ ...ratio, label }), height);
    const y = quantity(RATIO, { ...buildLevelScale(100, levels), padding: 20 }, axis);
    return {
      title: [
        "Produced over expected energy",
        subject(comparison),
        formatSpan(periods.map(({ period }) => period)),
      ],
      subtitle: [formatSummary(rows, band, MAX_NAMED.above)],
      views: [view(
        listGiven(
          band && buildBand(rows, band, x, y),
          buildMissingBand(RATIO, x, height),
          buildLevelRule(100, palette.black),
          ...buildStable(rows, x, y),
          ...buildPoints(rows, x, y, width, produced.unit ? ` (${produced.unit})` : ""),
          ...buildNames(rows, x, y, width),
        ),
        { data: { values: rows } },
      )],
      notes: gaps > 0 ? ["Grey: nothing to compare"] : [],
      alt: [
        "Points in a band",
        `${formatEnds(rows)}. ${formatSummary(rows, band, MAX_NAMED.text)}` +
        (gaps > 0 ? `. ${gaps} of ${rows.length} with nothing to compare` : ""),
      ],
    };
  });
}
