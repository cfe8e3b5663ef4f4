import type { LoggerInterface } from "vega";
import type { TopLevelSpec } from "vega-lite";
import { escapeHtml } from "../show/escape.ts";
import { FONT } from "./theme.ts";

/** Keeps what Vega would print. */
function collector(warnings: string[]): LoggerInterface {
  const keep = (...words: readonly unknown[]) => {
    warnings.push(words.map(String).join(" "));
    return logger;
  };
  const ignore = () => logger;
  function level(): number;
  function level(value: number): LoggerInterface;
  function level(value?: number): number | LoggerInterface {
    return value === undefined ? 2 : logger;
  }
  const logger: LoggerInterface = { level, error: keep, warn: keep, info: ignore, debug: ignore };
  return logger;
}

/**
 * Draws a Vega-Lite specification.
 *
 * @throws {Error} If Vega warns: a plot that warns is a defect
 */
export async function renderSvg(
  spec: Readonly<Record<string, unknown>>,
  altText: string,
): Promise<string> {
  // Loaded here, so that the library opens fast for those who draw nothing.
  const [vega, { compile }] = await Promise.all([import("vega"), import("vega-lite")]);
  const warnings: string[] = [];
  const logger = collector(warnings);
  const compiled = compile(spec as unknown as TopLevelSpec, { logger }).spec;
  const view = new vega.View(vega.parse(compiled), { renderer: "none", logger });
  try {
    const svg = await view.toSVG();
    if (warnings.length > 0) throw new Error(`Cannot draw the chart: ${warnings.join("; ")}`);
    return svg.replace("<svg ", `<svg role="img" aria-label="${escapeHtml(altText)}" `);
  } finally {
    view.finalize();
  }
}

/** Turns a drawn chart into a PNG. */
export async function renderPng(svg: string, scale: number): Promise<Uint8Array> {
  const { Resvg } = await import("@resvg/resvg-js");
  const image = new Resvg(svg, {
    fitTo: { mode: "zoom", value: scale },
    font: { defaultFontFamily: FONT.split(",")[0] },
  });
  return new Uint8Array(image.render().asPng());
}
