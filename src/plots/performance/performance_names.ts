import type { Spec } from "../parts/assemble.ts";
import { type PerformanceRow, STATES } from "./performance_rows.ts";
import { fontSize, palette } from "../drawing/theme.ts";

/** Width of a character of the names in the picture, pixels. */
const CHARACTER = 5.6;

/** Consecutive periods on one side of the band, which have one name. */
interface Stretch extends Spec {
  period: string;
  name: string;
  ratio: number;
  /** Alignment of the name at its period. */
  align: "left" | "center" | "right";
}

/** "Mar 2024" for "March 2024". */
function shortenMonth(label: string): string {
  return label.replace(/^(\p{L}{3})\p{L}*/u, "$1");
}

/** Consecutive periods outside of the band under one name: the farthest first, as many as fit without overlap. */
function findStretches(rows: readonly PerformanceRow[], state: string, width: number): Stretch[] {
  const stretches: number[][] = [];
  rows.forEach((row, i) => {
    if (row.state !== state || row.ratio === null) return;
    const last = stretches.at(-1);
    if (last?.at(-1) === i - 1) last.push(i);
    else stretches.push([i]);
  });
  const below = state === STATES.low[0];
  const taken: [from: number, to: number][] = [];
  return stretches.map((own) => {
    const ratios = own.map((i) => rows[i].ratio!);
    return { own, ratio: below ? Math.min(...ratios) : Math.max(...ratios) };
  }).sort((a, b) => below ? a.ratio - b.ratio : b.ratio - a.ratio).flatMap(({ own, ratio }) => {
    const [first, last] = [rows[own[0]].label, rows[own[own.length - 1]].label].map(shortenMonth);
    const name = first === last ? first : `${first} \u2013 ${last}`;
    const at = own[Math.floor(own.length / 2)];
    const [x, half] = [width * (at + 0.5) / rows.length, CHARACTER * name.length / 2];
    const align = x < half ? "left" : x > width - half ? "right" : "center";
    const from = align === "left" ? x : align === "right" ? x - 2 * half : x - half;
    if (taken.some((other) => from < other[1] && from + 2 * half > other[0])) return [];
    taken.push([from, from + 2 * half]);
    return [{ period: rows[at].period, name, ratio, align } as Stretch];
  });
}

/** Names of the periods outside of the band, below or above their points. */
export function buildNameLayers(
  rows: readonly PerformanceRow[],
  x: Spec,
  y: Spec,
  width: number,
): Spec[] {
  const side = (state: string, baseline: "top" | "bottom") => {
    const stretches = findStretches(rows, state, width);
    return (["left", "center", "right"] as const).flatMap((align) => {
      const own = stretches.filter((stretch) => stretch.align === align);
      return own.length === 0 ? [] : [{
        data: { values: own },
        mark: {
          type: "text",
          align,
          baseline,
          color: palette.black,
          dy: baseline === "top" ? 7 : -7,
          fontSize: fontSize.caption,
          tooltip: null,
        },
        encoding: { x, y, text: { field: "name", type: "nominal" } },
      }];
    });
  };
  return [...side(STATES.low[0], "top"), ...side(STATES.high[0], "bottom")];
}
