import type { DataFrame } from "nodejs-polars";
import { turbineId } from "../../api/columns/columns.ts";
import { ArgumentError } from "../../api/errors.ts";
import { SYNTHETIC } from "../../api/world.ts";
import {
  formatRemarks,
  formatSources,
  isSynthetic,
  joinOrigins,
  type Origin,
} from "../../frames/origin/provenance.ts";
import { checkFrame, formatMissingSource } from "../../show/check_frame.ts";
import {
  declareOptions,
  type FilledOptions,
  type OptionTable,
} from "../../show/options/read_options.ts";
import { Chart } from "../drawing/chart.ts";
import type { Theme } from "../drawing/recolor.ts";
import { chartConfig, fontSize, palette } from "../drawing/theme.ts";
import { buildWatermark, fixedMark, type Spec } from "./marks.ts";
import { readTextColumn, refusePlot } from "./read.ts";
import { cleanText, clipText, wrapText } from "./text.ts";
import { listGiven } from "../../show/text/lists.ts";

/** Options of every plot. */
export interface PlotOptions {
  /** Title. @default the figure and the turbine */
  readonly title?: string;
  /** Frame that the plotted one was made from, if that lost its sources and declared columns. @default the plotted frame */
  readonly source?: DataFrame;
  /** Width of the plot area, pixels. @default 640 for most charts */
  readonly width?: number;
  /** Height of the plot area (of one turbine if there are several), pixels. @default depends on the plot */
  readonly height?: number;
  /** Colours: `"light"`, `"dark"`, or `"auto"`, which follows the notebook or page around the chart and is light in a PNG and on paper. @default {"auto"} */
  readonly theme?: Theme;
  /**
   * Draws only the picture, for a page with texts and sources next to it: no title unless you give one; SYNTHETIC stays.
   * @default {false}
   */
  readonly bare?: boolean;
}

/** Names of the options of {@linkcode PlotOptions}, to check options. */
export const plotOptions: OptionTable<PlotOptions, "theme" | "bare"> = declareOptions<
  PlotOptions
>()(
  "title source width height",
  { theme: "auto", bare: false },
);

/** Default width of a plot area, pixels. */
export const PLOT_WIDTH = 640;

/** Minimum and maximum of width and height, pixels: smaller plots are unreadable, larger ones cannot be drawn. */
const BOUNDS = { width: [60, 4000], height: [10, 8000] } as const;

function checkSide(side: keyof typeof BOUNDS, pixels: number, plot: string): number {
  const [least, most] = BOUNDS[side];
  if (pixels >= least && pixels <= most) return pixels;
  throw new ArgumentError(
    `Cannot plot ${plot}: the ${side} is ${pixels} pixels. Give ${least} to ${most} pixels`,
  );
}

/**
 * Checks that the rows of a frame are from one turbine: a picture of several would be wrong for each.
 *
 * @returns Its id, or an empty text if the frame has no ids
 * @throws {ArgumentError} If there are several
 */
function readSingleTurbine(frame: DataFrame, plot: string): string {
  const [first = "", second] = [...new Set(readTextColumn(frame, turbineId.name))]
    .filter((id) => id !== null);
  if (second === undefined) return first;
  refusePlot(
    plot,
    `the frame has several turbines, such as "${clipText(first)}" and ` +
      `"${clipText(second)}". ` +
      `Keep one with frame.filter(pl.col("${turbineId.name}").eq(pl.lit("${clipText(first)}")))`,
  );
}

function formatCoordinate(value: string | number, positive: string, negative: string): string {
  const number = Number(value);
  return `${Math.abs(number)} ${number < 0 ? negative : positive}`;
}

/**
 * Names the subject of a frame: a turbine, or a place in a dataset; an empty text if neither is known.
 *
 * @throws {ArgumentError} If the frame has several turbines
 */
export function formatSubject(
  frame: DataFrame,
  origin: Origin,
  plot: string,
): string {
  const turbine = readSingleTurbine(frame, plot);
  if (turbine !== "") return clipText(turbine);
  const all = origin.map(({ parameters }) => parameters);
  const ids = new Set(all.flatMap(({ turbine_id: id }) => id ?? []));
  const { turbine_id: id, service_id: dataset, lat, lon } = ids.size > 1
    ? {}
    : all.find(({ turbine_id: id }) => id !== undefined) ?? all[0] ?? {};
  if (id !== undefined) return clipText(String(id));
  if (dataset === undefined) return "";
  const place = lat === undefined || lon === undefined
    ? ""
    : ` at ${formatCoordinate(lat, "N", "S")}, ${formatCoordinate(lon, "E", "W")}`;
  return clipText(`${dataset}${place}`);
}

/** Canvas of a chart. */
interface Canvas {
  /** Size of the plot area, pixels. */
  readonly width: number;
  readonly height: number;
  /** A view of layers, from the back; `look` gives its rows (`data`), or another size. */
  readonly view: (layers: readonly Spec[], look?: Spec & { readonly height?: number }) => Spec;
  /** Turbine or place of a frame, or an empty text; refuses a frame of several turbines. */
  readonly subject: (frame: DataFrame) => string;
}

/** Parts of a chart, from the top. */
interface Picture {
  /** Title unless the options have one: the quantity, the subject and the time; empty texts are left out. */
  readonly title: string | readonly [kind: string, subject: string, time: string];
  /** Texts below the title, each on one or more lines. */
  readonly subtitle: readonly string[];
  readonly views: readonly Spec[];
  /** Notes below the views, before the source. */
  readonly notes?: readonly string[];
  /** Text for screen readers: the kind of chart, and its main facts; the title goes between them. */
  readonly alt: readonly [kind: string, facts: string];
}

const SYNTHETIC_LINE = `${SYNTHETIC}: invented figures, not real data`;

/** Formats the sources of the figures, without time of day, hash and notes (the views show the notes). */
function formatSourceLines(origin: Origin): string[] {
  if (origin.length === 0) return [formatMissingSource()];
  const [source, ...others] = formatSources(origin)
    .map((line) => line.replace(/(?:T\d\d:\d\dZ)?(?:, sha256 [0-9a-f]+)?$/, ""));
  return [
    `Source: ${source}`,
    ...others.map((line) => `Also: ${line}`),
    ...formatRemarks(origin.map(({ notes: _, ...source }) => source)),
  ];
}

/** Padding of the badge and height of its lines, pixels. */
const BADGE = { side: 8, above: 6, line: 14 };

/** The framed SYNTHETIC line under the title, in a colour that no data have; two lines in a narrow picture. */
function buildBadge(width: number): Spec {
  const lines = wrapText(SYNTHETIC_LINE, width - 2 * BADGE.side, fontSize.subtitle, true);
  return {
    width,
    height: BADGE.above + BADGE.line * lines.length,
    view: { stroke: palette.black, strokeWidth: 1 },
    ...fixedMark("text", {
      align: "left",
      color: palette.black,
      fontSize: fontSize.subtitle,
      fontWeight: "bold",
      lineHeight: BADGE.line,
      text: lines.length === 1 ? lines[0] : lines,
      x: BADGE.side,
      y: (BADGE.above + BADGE.line) / 2,
    }),
  };
}

/** The notes and sources below the views. */
function buildCaption(notes: readonly string[], width: number): Spec {
  const text = notes.flatMap((line) => wrapText(line, width, fontSize.caption));
  const lineHeight = fontSize.caption + 3;
  return {
    width,
    height: text.length * lineHeight,
    ...fixedMark("text", {
      align: "left",
      baseline: "top",
      color: palette.faint,
      fontSize: fontSize.caption,
      lineHeight,
      text,
      x: 0,
      y: 0,
    }),
  };
}

/**
 * Keeps the legends next to their views: if shared with the badge, they would be drawn above it. Several views share one
 * legend.
 */
const OWN_LEGENDS: Spec = {
  legend: {
    color: "independent",
    fill: "independent",
    opacity: "independent",
    shape: "independent",
    size: "independent",
    stroke: "independent",
  },
};

/**
 * Draws a chart: `draw` supplies the content; size, title, badge and watermark of the sample, notes, sources and theme are
 * the same for all charts.
 *
 * @param plot Name of the chart in messages: "the wind rose"
 * @param from Frames or answers with its figures
 * @param height Default height of the plot area, pixels
 * @throws {ArgumentError} If width or height is out of bounds or not a number
 */
export function drawChart(
  plot: string,
  from: readonly (object | undefined)[],
  options: FilledOptions<PlotOptions, "theme" | "bare">,
  height: number | ((width: number) => number),
  draw: (canvas: Canvas) => Picture,
): Chart {
  const wide = checkSide("width", options.width ?? PLOT_WIDTH, plot);
  const defaultHeight = typeof height === "number" ? height : height(wide);
  const high = checkSide("height", options.height ?? defaultHeight, plot);
  if (options.source !== undefined) checkFrame(options.source, "take a source", "a call");
  const origin = joinOrigins([options.source, ...from]);
  const { title: named, subtitle, views, notes = [], alt } = draw({
    width: wide,
    height: high,
    view: (layers, look = {}) => {
      const size = { width: wide, height: high, ...look };
      return { ...size, layer: [...buildWatermark(origin, size.width, size.height), ...layers] };
    },
    subject: (frame) => formatSubject(frame, origin, plot),
  });
  const title = options.title ?? (typeof named === "string" ? named : formatTitle(...named));
  const synthetic = isSynthetic(origin);
  const remarks = new Set(origin.flatMap(({ notes = [] }) => notes));
  const spoken = [alt[0], title, alt[1]].map((text) => `${text}.`);
  const picture = views.length === 1 ? views[0] : { vconcat: [...views] };
  const heading = {
    text: wrapText(title, wide, fontSize.title, true),
    subtitle: [...subtitle, ...remarks].flatMap((line) => wrapText(line, wide, fontSize.subtitle)),
  };
  const headed = !options.bare || options.title !== undefined;
  const lines = [...notes, ...formatSourceLines(origin)];
  return new Chart({
    $schema: "https://vega.github.io/schema/vega-lite/v5.json",
    description: cleanText(
      listGiven(synthetic && `${SYNTHETIC_LINE}.`, ...spoken, ...remarks).join(" "),
    ),
    ...(headed && { title: heading }),
    vconcat: listGiven(
      synthetic && headed && buildBadge(wide),
      picture,
      !options.bare && buildCaption(lines, wide),
    ),
    resolve: OWN_LEGENDS,
    config: chartConfig,
  }, options.theme);
}

function formatTitle(kind: string, subject: string, time: string): string {
  return (subject === "" ? kind : `${kind} of ${subject}`) + (time === "" ? "" : `, ${time}`);
}
