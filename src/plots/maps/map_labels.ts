import type { Point } from "./clip.ts";

/** A text beside a point of a map. */
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

/**
 * Places a text beside each point, so that none overlaps another, a point or the edge. A point without space for its
 * text gets none.
 */
export function placeLabels(
  points: readonly { readonly at: Point; readonly label: string }[],
  taken: readonly Point[],
  size: { readonly width: number; readonly height: number; readonly fontSize: number },
): MapLabel[] {
  const areas: Area[] = [...taken, ...points.map(({ at }) => at)]
    .map(([x, y]) => ({ left: x - 6, right: x + 6, top: y - 6, bottom: y + 6 }));
  return points.flatMap(({ at: [x, y], label }): MapLabel[] => {
    const width = label.length * CHARACTER * size.fontSize;
    const half = size.fontSize * 0.7;
    for (
      const [left, middle] of [
        [x + 8, y],
        [x - 8 - width, y],
        [x - width / 2, y - 8 - half],
        [x - width / 2, y + 8 + half],
        [x + 6, y - 6 - half],
        [x + 6, y + 6 + half],
      ]
    ) {
      const area = { left, right: left + width, top: middle - half, bottom: middle + half };
      const within = area.left >= 2 && area.right <= size.width - 2 && area.top >= 2 &&
        area.bottom <= size.height - 2;
      if (!within || areas.some((other) => overlaps(area, other))) continue;
      areas.push(area);
      return [{ x: left, y: middle, label }];
    }
    return [];
  });
}
