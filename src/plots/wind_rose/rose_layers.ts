import { palette } from "../drawing/theme.ts";
import { mark, quantity, type Spec } from "../grammar/marks.ts";
import { formatSector } from "./compass.ts";
import type { RoseFigures } from "./rose_figures.ts";

/** Share of a sector's angle that its petal takes. */
const PETAL = 0.86;

/** Pieces of petals, each with its place in the picture: angles in radians clockwise from the top, radii in pixels. */
export function buildPetals(
  { shares }: RoseFigures,
  names: readonly string[],
  pixels: (share: number) => number,
): Spec[] {
  const angle = 2 * Math.PI / shares.length;
  return shares.flatMap((classes, sector) => {
    const total = computeSum(classes);
    let below = 0;
    return classes.flatMap((share, i) => {
      if (share === 0) return [];
      const inner = below;
      below += share;
      return [{
        sector: formatSector(sector, shares.length),
        speeds: names[i],
        share,
        total,
        from: (sector - PETAL / 2) * angle,
        to: (sector + PETAL / 2) * angle,
        inner: pixels(inner),
        outer: pixels(below),
      }];
    });
  });
}

/** Sum of shares. */
export function computeSum(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Channels of arcs. */
export const arcs = {
  theta: quantity("from", null),
  theta2: { field: "to" },
  radius: { ...quantity("outer", null), stack: null },
  radius2: { field: "inner" },
};

/** Circles of equal share, drawn under the petals. */
export function buildRings(radii: readonly number[]): Spec {
  const data = radii.map((radius) => ({
    from: 0,
    to: 2 * Math.PI,
    inner: radius - 0.4,
    outer: radius + 0.4,
  }));
  return mark("arc", { data, ...arcs, color: palette.missing });
}

/** Angle between two sectors where the petals are shortest, rad: the labels of the rings are drawn there. */
export function findQuietAngle({ shares }: RoseFigures): number {
  const totals = shares.map(computeSum);
  const between = totals.map((total, i) => Math.max(total, totals[(i + 1) % totals.length]));
  return (between.indexOf(Math.min(...between)) + 0.5) * 2 * Math.PI / shares.length;
}
