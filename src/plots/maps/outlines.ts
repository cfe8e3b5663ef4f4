import atlas from "world-atlas/countries-50m.json" with { type: "json" };
import { type Box, clippedLine, clippedRing, type Point } from "./clip.ts";

/** As much of a topology as is used here: the package has no types. Numbers of arcs below 0 stand for arcs turned round. */
interface Topology {
  readonly arcs: readonly (readonly Point[])[];
  readonly transform: { readonly scale: Point; readonly translate: Point };
  readonly objects: {
    readonly land: { readonly geometries: readonly Geometry[] };
    readonly countries: { readonly geometries: readonly Geometry[] };
  };
}

type Geometry =
  | { readonly type: "Polygon"; readonly arcs: readonly (readonly number[])[] }
  | { readonly type: "MultiPolygon"; readonly arcs: readonly (readonly (readonly number[])[])[] };

/** What of the world is drawn in a map. */
export interface Outlines {
  /** Rings of land and of what is none inside of it, within the box. */
  readonly land: readonly (readonly Point[])[];
  /** Coasts. */
  readonly coasts: readonly (readonly Point[])[];
  /** Borders between countries. */
  readonly borders: readonly (readonly Point[])[];
}

/** Where the outlines come from, for the caption. */
export const OUTLINES_SOURCE = "Outlines: Natural Earth, 1:50 million";

const topology = atlas as unknown as Topology;

/** Polygons of a geometry: rings of arcs. */
function ringsOf(geometry: Geometry): readonly (readonly number[])[] {
  return geometry.type === "Polygon" ? geometry.arcs : geometry.arcs.flat();
}

/** Longitudes and latitudes of an arc, which the file keeps as steps on a grid. */
function decoded(arc: readonly Point[]): Point[] {
  const { scale, translate } = topology.transform;
  let [x, y] = [0, 0];
  return arc.map(([dx, dy]): Point => {
    x += dx;
    y += dy;
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
  });
}

/** The whole atlas, decoded: a constant that takes a while to make, and is the same for every map. */
interface Decoded {
  readonly rings: readonly Held[];
  readonly coasts: readonly Held[];
  readonly borders: readonly Held[];
}

let decodedAtlas: Decoded | undefined;

/** A line whose longitudes go on where they would jump from 180 to -180 deg. */
function unwrapped(line: readonly Point[]): Point[] {
  let turns = 0;
  return line.map(([lon, lat], i): Point => {
    if (i > 0 && Math.abs(lon - line[i - 1][0]) > 180) turns += lon < line[i - 1][0] ? 360 : -360;
    return [lon + turns, lat];
  });
}

/** A ring around a pole, such as Antarctica, is closed over it. */
function closedOverPole(ring: Point[]): Point[] {
  const [first, last] = [ring[0], ring[ring.length - 1]];
  if (Math.abs(last[0] - first[0]) < 180) return ring;
  const end = first[0] + (last[0] < first[0] ? -360 : 360);
  const pole = last[1] < 0 ? -90 : 90;
  return [...ring, [end, first[1]], [end, pole], [first[0], pole]];
}

/** A line and the longitudes and latitudes that hold it. */
interface Held {
  readonly line: readonly Point[];
  readonly box: Box;
}

function held(line: readonly Point[]): Held {
  let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const [lon, lat] of line) {
    left = Math.min(left, lon);
    right = Math.max(right, lon);
    low = Math.min(low, lat);
    high = Math.max(high, lat);
  }
  return { line, box: { left, right, low, high } };
}

/** A line at each turn of the globe at which it may lie in a range of longitudes. */
function turned({ line, box }: Held, { left, right, low, high }: Box): (readonly Point[])[] {
  if (box.low > high || box.high < low) return [];
  return [-720, -360, 0, 360, 720]
    .filter((turn) => box.left + turn <= right && box.right + turn >= left)
    .map((turn) => turn === 0 ? line : line.map(([lon, lat]): Point => [lon + turn, lat]));
}

function decodeAtlas(): Decoded {
  const arcs = topology.arcs.map(decoded);
  const { land, countries } = topology.objects;
  const lineOf = (number: number) => number < 0 ? arcs[~number].toReversed() : arcs[number];
  const uses = new Int32Array(arcs.length);
  for (const number of countries.geometries.flatMap(ringsOf).flat()) {
    uses[number < 0 ? ~number : number]++;
  }
  const lines = (wanted: (uses: number) => boolean) =>
    arcs.filter((_, i) => wanted(uses[i])).map(unwrapped).map(held);
  return {
    rings: land.geometries.flatMap(ringsOf)
      .map((ring) => closedOverPole(unwrapped(ring.flatMap((number) => lineOf(number).slice(1)))))
      .map(held),
    coasts: lines((uses) => uses === 1),
    borders: lines((uses) => uses > 1),
  };
}

/** Outlines within a box of longitudes and latitudes, deg. The box may go beyond 180 deg on either side. */
export function outlinesWithin(box: Box): Outlines {
  const { rings, coasts, borders } = decodedAtlas ??= decodeAtlas();
  const within = (lines: readonly Held[]) =>
    lines.flatMap((line) => turned(line, box)).flatMap((line) => clippedLine(line, box));
  return {
    land: rings.flatMap((ring) => turned(ring, box))
      .map((ring) => clippedRing(ring, box))
      .filter((ring) => ring.length > 2),
    coasts: within(coasts),
    borders: within(borders),
  };
}
