import { darkColors } from "./theme.ts";

/** Colours of a chart: on white, on black, or following the page or notebook around it. */
export type Theme = "light" | "dark" | "auto";

/** All themes. */
export const THEMES: readonly Theme[] = ["light", "dark", "auto"];

/** A Vega-Lite specification, as data. */
export type ChartSpec = Readonly<Record<string, unknown>>;

type Replace = (light: string, dark: string) => string;

/** Keys whose values are words or lists of words, which may equal colour names. */
const WORDS = ["domain", "text", "title", "subtitle", "description"];

function recolorPart(part: unknown, replace: Replace): unknown {
  if (typeof part === "string") {
    const dark = darkColors.get(part);
    return dark === undefined ? part : replace(part, dark);
  }
  if (Array.isArray(part)) return part.map((one) => recolorPart(one, replace));
  return part !== null && typeof part === "object" ? recolorSpec({ ...part }, replace) : part;
}

/** Replaces the colours of a specification, but not in its data and texts. */
function recolorSpec(spec: ChartSpec, replace: Replace): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(spec).map(([key, value]) => {
      const words = WORDS.includes(key) && (typeof value === "string" || Array.isArray(value));
      return [key, key === "data" || words ? value : recolorPart(value, replace)];
    }),
  );
}

/** A specification on a dark background. */
export function darkenSpec(spec: ChartSpec): ChartSpec {
  return recolorSpec(spec, (_, dark) => dark);
}

/**
 * 0 in JupyterLab's light theme and 32 in its dark ones; other pages lack the variable and count as light. JupyterLab sets
 * no `color-scheme`.
 */
const LAB_DARKNESS = "var(--jp-shadow-base-lightness, 0)";

/**
 * A specification that follows the theme of the JupyterLab around it, also when the theme changes. Vega draws an SVG,
 * because a canvas cannot use the page's style sheet.
 */
export function followLab(spec: ChartSpec): ChartSpec {
  const mixed = recolorSpec(
    spec,
    (light, dark) => `color-mix(in srgb, ${dark} calc(${LAB_DARKNESS} * 3.125%), ${light})`,
  );
  return { ...mixed, usermeta: { embedOptions: { renderer: "svg" } } };
}

/**
 * Builds CSS rules that turn light colours into dark ones on a dark page; paper stays light.
 *
 * @param within Selector of the elements that the rules apply to
 * @param isUsed Whether a colour needs a rule
 */
export function buildDarkRules(within: string, isUsed = (_light: string) => true): string {
  const rules = [...darkColors].filter(([light]) => isUsed(light)).flatMap(([light, dark]) =>
    ["fill", "stroke"].map((name) =>
      `${within} [${name}="${light}"]{${name}:light-dark(${light},${dark})}`
    )
  );
  return `@media screen{${rules.join("")}}`;
}

/**
 * Adds a style to a drawing, so it follows the colour scheme of the page or, on its own, of the reader. The drawing itself
 * stays light, for paper and for programs that ignore the style.
 */
export function followPage(svg: string): string {
  const used = new Set(svg.matchAll(/="(#[0-9a-f]+|[a-z]+)"/g).map(([, value]) => value));
  const style = ".vindkit-auto:root{color-scheme:light dark}" +
    buildDarkRules(".vindkit-auto", (light) => used.has(light));
  return svg.replace(
    /^(<svg [^>]*? class=")([^>]*>)/,
    (_, start, end) => `${start}vindkit-auto ${end}<style>${style}</style>`,
  );
}
