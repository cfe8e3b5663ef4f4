import type { Point } from "./outlines.ts";

/** A text next to a point of a map. */
export interface MapLabel {
  /** Left end of the text, pixels. */
  readonly x: number;
  /** Middle of the text, pixels. */
  readonly y: number;
  /** The text. */
  readonly label: string;
}

interface Area {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Width of a character relative to the font size, in the fonts of the charts. */
const CHARACTER = 0.62;

function overlaps(a: Area, b: Area): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** A point with its text. */
interface LabelledPoint {
  readonly at: Point;
  /** Its text, and shorter ones to use if there is no space for it. */
  readonly texts: readonly string[];
  /** Radius of its mark with the space around it, pixels. @default {6} */
  readonly radius?: number;
}

/** Space between a text and its mark, pixels. */
const GAP = 2;

/** Largest extra distance to another mark, pixels: the longer a text, the more it seems to name any mark along it. */
const MAX_CLEARANCE = 6;

/** Distance of a text from the edge of a mark, pixels. */
function computeGap(area: Area, { at: [x, y], radius = 6 }: LabelledPoint): number {
  const dx = Math.max(area.left - x, x - area.right, 0);
  const dy = Math.max(area.top - y, y - area.bottom, 0);
  return Math.sqrt(dx * dx + dy * dy) - radius; // Math.hypot is several times slower
}

/**
 * Places a text next to each point. No text overlaps another, a point or the edge, or is as close to another point as to
 * its own point.
 *
 * @returns The text of each point; `undefined` if it does not fit
 */
export function placeLabels(
  points: readonly LabelledPoint[],
  taken: readonly Point[],
  size: { readonly width: number; readonly height: number; readonly fontSize: number },
): (MapLabel | undefined)[] {
  const areas: Area[] = taken
    .map(([x, y]) => ({ left: x - 6, right: x + 6, top: y - 6, bottom: y + 6 }));
  const half = size.fontSize * 0.7;
  const place = (point: LabelledPoint, label: string): MapLabel | undefined => {
    const { at: [x, y], radius = 6 } = point;
    const width = label.length * CHARACTER * size.fontSize;
    const reach = radius + GAP;
    for (
      const [left, middle] of [
        [x + reach, y],
        [x - reach - width, y],
        [x - width / 2, y - reach - half],
        [x - width / 2, y + reach + half],
        [x + radius, y - radius - half],
        [x + radius, y + radius + half],
      ]
    ) {
      const area = { left, right: left + width, top: middle - half, bottom: middle + half };
      const within = area.left >= 2 && area.right <= size.width - 2 && area.top >= 2 &&
        area.bottom <= size.height - 2;
      if (!within || areas.some((other) => overlaps(area, other))) continue;
      const least = computeGap(area, point) + Math.min(MAX_CLEARANCE, width / 15);
      if (points.some((other) => other !== point && computeGap(area, other) < least)) continue;
      areas.push(area);
      return { x: left, y: middle, label };
    }
  };
  return points.map((point) =>
    Iterator.from(point.texts).map((text) => place(point, text)).find((label) => label)
  );
}
