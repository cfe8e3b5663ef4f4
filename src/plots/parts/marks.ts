import { SYNTHETIC } from "../../api/world.ts";
import { isSynthetic, type Origin } from "../../frames/provenance.ts";
import type { Spec } from "./assemble.ts";
import { wrapText } from "./text.ts";
import { fontSize, palette } from "../drawing/theme.ts";

/** Height of a view from which it has a mark of its own, pixels: lower ones belong to a picture of several. */
const MIN_MARKED_HEIGHT = 90;

/** The word SYNTHETIC at the right edge of a view of the sample, beside the data: it remains when the title is cropped. */
export function buildWatermark(
  origin: Origin,
  width: number,
  height: number,
): Spec[] {
  if (!isSynthetic(origin) || height < MIN_MARKED_HEIGHT) return [];
  return [{
    data: { values: [{}] },
    mark: {
      type: "text",
      align: "center",
      angle: 90,
      baseline: "bottom",
      color: palette.faint,
      fontSize: fontSize.caption,
      fontWeight: "bold",
      text: SYNTHETIC,
      tooltip: null,
      x: width + 4,
      y: height / 2,
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
