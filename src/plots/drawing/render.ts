import { setImmediate } from "node:timers/promises";
import type { LoggerInterface, Runtime } from "vega";
import type { TopLevelSpec } from "vega-lite";
import { ArgumentError } from "../../api/errors.ts";
import { escapeHtml } from "../../show/text/html.ts";
import { chooseFonts } from "./fonts.ts";
import { type ChartSpec, followPage, type Theme } from "./recolor.ts";
import { measureText } from "./text_width.ts";

/**
 * A specification in which all parts that differ between charts of a kind are replaced by names; the parts are kept next to
 * it.
 */
interface Pattern {
  readonly spec: unknown;
  /** Texts and domains of scales, by the name of their parameter. */
  readonly values: ReadonlyMap<string, unknown>;
  /** Rows, by the name of their source. */
  readonly rows: ReadonlyMap<string, readonly object[]>;
}

/**
 * Takes rows, texts and domains of numbers out of a specification, so charts of a kind share one pattern, which is compiled
 * and parsed once. Tooltips are dropped, because an image has none.
 */
function findPattern(chart: ChartSpec): Pattern {
  const values = new Map<string, unknown>();
  const rows = new Map<string, readonly object[]>();
  const domains = new Map<string, readonly unknown[]>();
  const name = (value: unknown) => {
    const expr = `value${values.size}`;
    values.set(expr, value);
    return { expr };
  };
  const take = (part: unknown, at: string): unknown => {
    if (Array.isArray(part)) {
      if (at !== "domain" || !part.every((value) => typeof value === "number")) {
        return part.map((value) => take(value, ""));
      }
      // Layers with the same domain share its names: Vega warns if they seem to differ.
      const key = JSON.stringify(part);
      const shared = domains.get(key) ?? part.map(name);
      domains.set(key, shared);
      return shared;
    }
    if (part === null || typeof part !== "object") return part;
    const fields: Readonly<Record<string, unknown>> = { ...part };
    const isText = fields.type === "text" || "subtitle" in fields;
    return Object.fromEntries(
      Object.entries(fields).filter(([key]) => key !== "tooltip" && key !== "description")
        .map(([key, value]) => {
          if (key === "data") {
            const source = `rows${rows.size}`;
            rows.set(source, (value as { readonly values: readonly object[] }).values);
            return [key, { name: source }];
          }
          const fixed = isText && ["text", "subtitle"].includes(key) &&
            (typeof value === "string" || Array.isArray(value));
          return [key, fixed ? name(value) : take(value, key)];
        }),
    );
  };
  const spec = take(chart, "") as object;
  const params = [...values.keys()].map((name) => ({ name, value: null }));
  return { spec: { ...spec, params }, values, rows };
}

/** Number of patterns whose parsed form is kept: a report has a few, a notebook some dozens. */
const MAX_PATTERNS = 32;

const parsed = new Map<string, Runtime>();

/**
 * Compiles and parses a pattern, or reuses it from an earlier chart. A pattern with warnings is not kept, so it warns
 * again.
 */
async function parsePattern(spec: unknown, warnings: string[]): Promise<Runtime> {
  const key = JSON.stringify(spec);
  const { vega, compile } = await loadVega();
  const logger = buildLogger(vega, warnings);
  let runtime = parsed.get(key);
  if (!runtime) {
    const compiled = compile(spec as TopLevelSpec, { logger }).spec;
    await setImmediate();
    runtime = vega.parse(compiled);
  }
  if (warnings.length > 0) return runtime;
  parsed.delete(key); // moves the pattern to the end, as the last one used
  parsed.set(key, runtime);
  if (parsed.size > MAX_PATTERNS) parsed.delete(parsed.keys().next().value!);
  return runtime;
}

/** A text in a drawing, as Vega passes it for measuring. */
interface TextItem {
  readonly fontSize?: number;
  readonly fontWeight?: string | number;
  /** Width to which the text is cut, pixels; 0 for no limit. */
  readonly limit?: number;
}

/** Width of a line of a text, pixels. */
function measureLine(item: TextItem, line: unknown): number {
  const bold = item.fontWeight === "bold" || Number(item.fontWeight) >= 600;
  const width = measureText(String(line ?? "").trim(), item.fontSize ?? 11, bold);
  return item.limit ? Math.min(item.limit, width) : width;
}

/**
 * Loads Vega and replaces its text widths by those of the font. It is imported late, so the library loads fast if you draw
 * nothing.
 */
async function loadVega() {
  const [vega, { compile }] = await Promise.all([import("vega"), import("vega-lite")]);
  const metrics: object = Reflect.get(vega, "textMetrics"); // missing in its types
  Object.assign(metrics, { width: measureLine });
  return { vega, compile };
}

/** Logger that collects the warnings and errors of Vega. */
function buildLogger(vega: typeof import("vega"), warnings: string[]): LoggerInterface {
  return vega.logger(vega.Warn, undefined, (_method, _level, words) => {
    warnings.push(Array.from(words, String).join(" "));
  });
}

/** A chart to be drawn. */
export interface Drawable {
  /** Vega-Lite specification. */
  readonly spec: ChartSpec;
  /** Content of the chart, as text. */
  readonly altText: string;
  /** Colours: with `"auto"`, the picture follows the colour scheme of the page around it. */
  readonly theme: Theme;
}

/** Roles that Vega gives to groups of marks: symbols without a name, which screen readers read aloud one by one. */
const MARK_ROLES = / role="graphics-\w+" aria-roledescription="[^"]*"/g;

/** Adds the alternative text to a drawing, as an image, or as a group if it has links, which an image would hide. */
function nameDrawing(svg: string, altText: string): string {
  const role = svg.includes("<a ") ? "group" : "img";
  return svg.replaceAll(MARK_ROLES, "")
    .replace("<svg ", `<svg role="${role}" aria-label="${escapeHtml(altText)}" `);
}

/**
 * Draws a Vega-Lite specification, in steps between which a service can answer other requests.
 *
 * @throws {Error} If Vega warns: a plot that warns is a defect
 */
export async function renderSvg({ spec, altText, theme }: Drawable): Promise<string> {
  const { vega } = await loadVega();
  const warnings: string[] = [];
  const { spec: pattern, values, rows } = findPattern(spec);
  const runtime = await parsePattern(pattern, warnings);
  await setImmediate();
  const view = new vega.View(runtime, { renderer: "none", logger: buildLogger(vega, warnings) });
  values.forEach((value, name) => view.signal(name, value));
  // copies, because Vega marks the rows that it gets
  rows.forEach((sourceRows, name) => view.data(name, sourceRows.map((row) => ({ ...row }))));
  try {
    await view.runAsync();
    await setImmediate();
    const svg = await view.toSVG();
    if (warnings.length > 0) throw new Error(`Cannot draw the chart: ${warnings.join("; ")}`);
    const named = nameDrawing(svg, altText);
    return theme === "auto" ? followPage(named) : named;
  } finally {
    view.finalize();
  }
}

/** Width and height of a drawing, pixels. */
export function readSize(svg: string): { readonly width: number; readonly height: number } {
  const [width, height] = ["width", "height"].map((side) =>
    Number(new RegExp(`^<svg [^>]*? ${side}="([\\d.]+)"`).exec(svg)?.[1])
  );
  return { width, height };
}

/** Most pixels of an image: more take gigabytes while it is drawn. */
const MAX_PIXELS = 150e6;

/**
 * Turns a drawn chart into a PNG: identical bytes on every machine, unless its texts have characters that our font lacks.
 *
 * @throws {ArgumentError} If the image would have too many pixels
 * @throws {Error} If the font cannot be read
 */
export async function renderPng(svg: string, scale: number): Promise<Uint8Array> {
  const { width, height } = readSize(svg);
  if (width * height * scale ** 2 > MAX_PIXELS) {
    const maxScale = Math.floor(10 * Math.sqrt(MAX_PIXELS / (width * height))) / 10;
    throw new ArgumentError(
      `Cannot draw at scale ${scale}: the picture is ${width} by ${height} pixels at scale 1. ` +
        `Give a scale of at most ${maxScale}, or save the chart as .svg`,
    );
  }
  const { Resvg } = await import("@resvg/resvg-js");
  const { svg: drawing, font } = await chooseFonts(svg, Resvg);
  const image = new Resvg(drawing, { fitTo: { mode: "zoom", value: scale }, font });
  return new Uint8Array(image.render().asPng());
}
