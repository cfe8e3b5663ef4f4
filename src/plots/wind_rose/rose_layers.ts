import type { Spec } from "../parts/assemble.ts";
import { formatSector } from "./compass.ts";
import type { RoseFigures } from "./rose_figures.ts";
import { palette } from "../drawing/theme.ts";

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
export const angles = {
  theta: { field: "from", type: "quantitative", scale: null },
  theta2: { field: "to" },
  radius: { field: "outer", type: "quantitative", scale: null, stack: null },
  radius2: { field: "inner" },
};

const places = {
  x: { field: "x", type: "quantitative", scale: null, axis: null },
  y: { field: "y", type: "quantitative", scale: null, axis: null },
};

/** Circles of equal share, drawn under the petals. */
export function buildRingLayer(radii: readonly number[]): Spec {
  return {
    data: {
      values: radii.map((radius) => ({
        from: 0,
        to: 2 * Math.PI,
        inner: radius - 0.4,
        outer: radius + 0.4,
      })),
    },
    mark: { type: "arc", color: palette.missing, tooltip: null },
    encoding: angles,
  };
}

/** Texts with a white edge, so that they can be read over a petal. */
export function buildTextLayers(values: readonly Spec[], mark: Spec): Spec[] {
  const encoding = { ...places, text: { field: "label", type: "nominal" } };
  const common = { type: "text", tooltip: null, ...mark };
  return [
    {
      data: { values },
      mark: { ...common, color: "white", stroke: "white", strokeWidth: 3 },
      encoding,
    },
    { data: { values }, mark: { ...common, color: palette.text }, encoding },
  ];
}

/** Angle between two sectors where the petals are shortest, rad: the labels of the rings are drawn there. */
export function findQuietAngle({ shares }: RoseFigures): number {
  const totals = shares.map(computeSum);
  const between = totals.map((total, i) => Math.max(total, totals[(i + 1) % totals.length]));
  return (between.indexOf(Math.min(...between)) + 0.5) * 2 * Math.PI / shares.length;
}
