import { type MonthLike, toMonth } from "../../api/calendar.ts";
import { SYNTHETIC } from "../../api/world.ts";
import { isSynthetic, type Origin } from "../../frames/origin/provenance.ts";
import { chooseDecimals } from "../../show/text/numbers.ts";
import { fontSize, palette } from "../drawing/theme.ts";
import { wrapText } from "./text.ts";

/** A part of a Vega-Lite specification. */
export type Spec = Record<string, unknown>;

/** Channels: options for position and look that take values from a row. */
const CHANNELS = new Set(
  "x x2 y y2 theta theta2 radius radius2 color fill stroke shape size text detail href tooltip"
    .split(
      " ",
    ),
);

/** Whether an option of a mark takes its value from the row: a channel as Vega-Lite defines it, not a fixed look. */
function isChannel(name: string, value: unknown): boolean {
  if (!CHANNELS.has(name) || typeof value !== "object" || value === null) return false;
  return Array.isArray(value) ? name === "tooltip" : !("expr" in value);
}

/** Options of a mark. Channels take their value from its row; all others are its fixed look. */
interface MarkOptions extends Spec {
  /** Rows of only this mark. @default the rows of its view */
  readonly data?: readonly object[];
  /** Filter of the rows: an expression or predicate of Vega-Lite. @default all */
  readonly where?: unknown;
}

/**
 * Mark of a view: `bar`, `line`, `area`, `point`, `rect`, `rule`, `tick`, `circle`, `text` or `arc`, for each of its rows.
 * It has no tooltip unless you give one.
 */
export function mark(type: string, { data, where, ...options }: MarkOptions): Spec {
  const defined = Object.entries(options).filter(([, value]) => value !== undefined);
  const encoding = Object.fromEntries(defined.filter(([name, value]) => isChannel(name, value)));
  const look = Object.fromEntries(defined.filter(([name, value]) => !isChannel(name, value)));
  return {
    ...(data && { data: { values: data } }),
    ...(where ? { transform: [{ filter: where }] } : {}),
    mark: { type, ...(!encoding.tooltip && { tooltip: null }), ...look },
    encoding,
  };
}

/** A mark that does not depend on rows, such as a line across the view. */
export function fixedMark(type: string, options: Spec): Spec {
  return mark(type, { data: [{}], ...options });
}

/** A text for each row, by default black. */
export function label(field: string, look: MarkOptions): Spec {
  const text = { field, type: "nominal" };
  return mark("text", { text, color: palette.black, fontSize: fontSize.axis, ...look });
}

/** A filled point for each row. */
export function dot(look: MarkOptions): Spec {
  return mark("point", { filled: true, opacity: 1, ...look });
}

/** Vertical channel of several marks, by their field. */
export type Channel = (field: string) => Spec;

/** Channel of a number. */
export function quantity(field: string | undefined, scale?: Spec | null, axis?: Spec | null): Spec {
  const defined = Object.entries({ field, scale, axis }).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(defined), type: "quantitative" };
}

/** Channels of marks whose positions are in pixels already. */
export const pixels = { x: quantity("x", null, null), y: quantity("y", null, null) };

/** Texts in pixels with a white edge, so they stay legible over a mark. */
export function buildHaloText(data: readonly Spec[], { color, ...look }: Spec): Spec[] {
  if (data.length === 0) return [];
  const text = { field: "label", type: "nominal" };
  return [{ color: "white", stroke: "white", strokeWidth: 3 }, { color }]
    .map((colors) => mark("text", { data, ...pixels, text, ...look, ...colors }));
}

/** Height of a view from which it has its own watermark, pixels: lower ones belong to a picture of several. */
const MIN_MARKED_HEIGHT = 90;

/** The word SYNTHETIC at the right edge of a view of the sample, next to the data, so it remains if the title is cropped. */
export function buildWatermark(
  origin: Origin,
  width: number,
  height: number,
): Spec[] {
  if (!isSynthetic(origin) || height < MIN_MARKED_HEIGHT) return [];
  return [fixedMark("text", {
    align: "center",
    angle: 90,
    baseline: "bottom",
    color: palette.faint,
    fontSize: fontSize.caption,
    fontWeight: "bold",
    text: SYNTHETIC,
    x: width + 4,
    y: height / 2,
  })];
}

/** Scale over the known values and a level that is always included. Its domain is fixed: Vega warns if it finds no values itself. */
export function buildLevelScale(level: number, values: readonly (number | null)[]): Spec {
  const known = values.filter((value) => value !== null);
  const [low, high] = [Math.min(level, ...known), Math.max(level, ...known)];
  return { domain: low === high ? [low, low + 10] : [low, high], nice: true, zero: false };
}

/** Number of legend columns that fit next to the legend of a line. */
export function fitLegendColumns(width: number): number {
  return Math.max(1, Math.min(3, Math.floor(width / 200)));
}

/** Vertical axis with as many ticks and lines of title as fit its height. */
export function buildVerticalAxis(title: string, height: number, format?: string): Spec {
  return {
    grid: true,
    title: wrapText(title, height, fontSize.axis),
    tickCount: height < 180 ? 4 : 6,
    ...(format && { format }),
  };
}

/** Format of the ticks of an energy axis: thousands with commas, and only the decimals needed. */
export const PLAIN = ",~f";

/** Vertical channels over values and a level, with a title: {@linkcode buildLevelScale} and {@linkcode buildVerticalAxis}. */
export function buildLevels(
  level: number,
  values: readonly (number | null)[],
  title: string,
  height: number,
  format?: string,
): Channel {
  const scale = buildLevelScale(level, values);
  const axis = buildVerticalAxis(title, height, format);
  return (field) => quantity(field, scale, axis);
}

/** Scale over a range of values, widened if they are all equal. */
export function buildRangeScale([low, high]: readonly [number, number]): Spec {
  const room = low === high ? Math.max(1, Math.abs(low) / 10) : 0;
  return { domain: [low - room, high + room], nice: true, zero: false };
}

/** Channel that names a line in a separate legend. */
export function buildLineLegend(name: string, color: string, legend: Spec = {}): Spec {
  return {
    datum: name,
    type: "nominal",
    scale: { range: [color] },
    legend: { symbolType: "stroke", ...legend },
  };
}

/** A rule across the plot at a level. */
export function buildLevelRule(level: number, color: string): Spec {
  return fixedMark("rule", { color, strokeWidth: 1, y: { datum: level } });
}

/** Format of the figures in a tooltip: the decimals of their unit, or two. */
export function chooseFormat(
  unit: string | undefined,
  values: Iterable<number | null | undefined>,
): string {
  const largest = Iterator.from(values).reduce(
    (most: number, value) => Math.max(most, Math.abs(value || 0)),
    0,
  );
  return `,.${chooseDecimals(unit, largest) ?? 2}f`;
}

/** A number in a tooltip. */
export function buildFigureField(field: string, title: string, format: string): Spec {
  return { field, title, format, type: "quantitative" };
}

/** Rounds to six digits, which is more than a picture shows: all digits would double the size of the file. */
export function roundToSixDigits<T extends number | null>(value: T): T {
  return (value === null ? null : Number(value.toPrecision(6))) as T;
}

/** A kind of row, such as the state of a month, and its colour. */
export type KindColor = readonly [kind: string, color: string];

/** Colour channel of kinds, by a field or for all rows of a mark (`datum`), with a legend of the given kinds. */
export function buildKindColor(
  of: string | { readonly datum: string },
  kinds: readonly KindColor[],
  legend: Spec = {},
): Spec {
  return {
    ...(typeof of === "string" ? { field: of } : of),
    type: "nominal",
    scale: { domain: kinds.map(([kind]) => kind), range: kinds.map(([, color]) => color) },
    legend,
  };
}

/** Squares in a legend. */
export const SQUARES = { symbolType: "square" };

/** Channels of a bar over the full height of a view. */
export function fullHeight(x: Spec, height: number): Spec {
  return { x, y: { value: 0 }, y2: { value: height } };
}

/** A grey band over the full height of each month without a value. */
export function buildMissingBand(field: string, x: Spec, height: number): Spec {
  const where = { field, valid: false };
  return mark("bar", { where, color: palette.missing, ...fullHeight(x, height) });
}

/** A frame over the full height of the marked month. */
export function buildMarkedMonth(
  marked: MonthLike | undefined,
  x: Spec,
  height: number,
): Spec[] {
  if (marked === undefined) return [];
  const where = { field: "month", equal: toMonth(marked).toString() };
  const look = { color: palette.grid, fillOpacity: 0, stroke: palette.black, strokeWidth: 1.25 };
  return [mark("bar", { where, ...look, ...fullHeight(x, height) })];
}
