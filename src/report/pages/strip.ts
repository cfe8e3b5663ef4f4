import { diverging } from "../../plots/drawing/theme.ts";
import { type Markup, markup } from "./markup.ts";
import { messages } from "../content/messages.ts";

/** Bounds of the classes, %: tens around 100. */
const BOUNDS = diverging.slice(1).map((_, i) => 100 + 10 * (i - (diverging.length - 2) / 2));

interface StripMonth {
  readonly month: string;
  readonly value: number | null;
  readonly status: string | null;
}

/** Class of a value, from 0. */
function findClass(value: number): number {
  return BOUNDS.filter((bound) => value >= bound).length;
}

/** Twelve months as a line of coloured fields, hatched where there is no value, with a mark where the value may change. */
export function buildStrip(months: readonly StripMonth[]): Markup {
  const known = months.flatMap(({ month, value }) =>
    value === null ? [] : [[value, month] as const]
  ).sort(([a], [b]) => a - b);
  const missing = months.length - known.length;
  const label = messages.strip(known[0], known[known.length - 1], missing);
  const field = ({ value, status }: StripMonth) => {
    if (value === null) return markup`<i class="n"></i>`;
    const mark = status === "preliminary" ? " p" : "";
    return markup`<i class="c${findClass(value)}${mark}"></i>`;
  };
  return markup`<span role="img" aria-label="${label}">${months.map(field)}</span>`;
}

/** What the colours of the strips mean. */
export function buildStripLegend(): Markup {
  const [first, last] = [BOUNDS[0], BOUNDS[BOUNDS.length - 1]].map(String);
  return markup`<span class="strip" aria-hidden="true">${
    diverging.map((_, i) => markup`<i class="c${i}"></i>`)
  }</span> ${messages.fleet.stripLegend(first, last)}`;
}

/** Style of the fields. */
export const STRIP_STYLES: string = diverging.map((color, i) => `.c${i}{background:${color}}`)
  .join("\n");
