import { SYNTHETIC } from "../../api/world.ts";
import { isSynthetic, type Origin } from "../../frames/provenance.ts";
import type { Spec } from "./assemble.ts";
import { wrapText } from "./text.ts";
import { fontSize, palette } from "../drawing/theme.ts";

/** The word SYNTHETIC behind the data of a view of the sample, so that it remains when the title is cropped. (In front it would block the tooltips.) */
export function buildWatermark(
  origin: Origin,
  width: number,
  height: number,
): Spec[] {
  if (!isSynthetic(origin)) return [];
  return [{
    data: { values: [{}] },
    mark: {
      type: "text",
      color: palette.black,
      fontSize: Math.min(64, height / 2, width / 8),
      fontWeight: "bold",
      opacity: 0.1,
      text: SYNTHETIC,
      tooltip: null,
    },
  }];
}

/** Scale over the known values and a level that is always included. Its domain is fixed: Vega warns if it finds no values itself. */
export function buildLevelScale(level: number, values: readonly (number | null)[]): Spec {
  const known = values.filter((value) => value !== null);
  const [low, high] = [Math.min(level, ...known), Math.max(level, ...known)];
  return { domain: low === high ? [low, low + 10] : [low, high], nice: true, zero: false };
}

/** Columns of a legend that fit beside the legend of a line. */
export function fitLegendColumns(width: number): number {
  return Math.max(1, Math.min(3, Math.floor(width / 200)));
}

/** Vertical axis with as many ticks, and as many lines of title, as fit its height. */
export function buildVerticalAxis(title: string, height: number): Spec {
  return {
    grid: true,
    title: wrapText(title, height, fontSize.axis),
    tickCount: height < 180 ? 4 : 6,
  };
}

/** Scale over a range of values, widened if they are all equal. */
export function buildRangeScale([low, high]: readonly [number, number]): Spec {
  const room = low === high ? Math.max(1, Math.abs(low) / 10) : 0;
  return { domain: [low - room, high + room], nice: true, zero: false };
}
