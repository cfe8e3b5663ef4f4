import { feature } from "topojson-client";
import atlas from "world-atlas/countries-50m.json" with { type: "json" };

/** A point of a plane. */
export type Point = readonly [number, number];

/** A rectangle of a plane. */
export interface Box {
  readonly left: number;
  readonly right: number;
  readonly low: number;
  readonly high: number;
}

/** The sides of a box, each with its axis, its position on it and the direction of the inside. */
function sidesOf({ left, right, low, high }: Box): readonly (readonly [0 | 1, number, 1 | -1])[] {
  return [[0, left, 1], [0, right, -1], [1, low, 1], [1, high, -1]];
}

function computeCrossing(a: Point, b: Point, axis: 0 | 1, at: number): Point {
  const share = (at - a[axis]) / (b[axis] - a[axis]);
  const other = axis === 0 ? 1 : 0;
  const value = a[other] + share * (b[other] - a[other]);
  return axis === 0 ? [at, value] : [value, at];
}

/** The part of a polygon within a box, by Sutherland and Hodgman: a ring without its closing point; empty if outside. */
export function clipRing(ring: readonly Point[], box: Box): readonly Point[] {
  let points = ring;
  for (const [axis, at, way] of sidesOf(box)) {
    const inside = (point: Point) => (point[axis] - at) * way >= 0;
    const inner: Point[] = [];
    points.forEach((point, i) => {
      const before = points[(i + points.length - 1) % points.length];
      if (inside(point) !== inside(before)) inner.push(computeCrossing(before, point, axis, at));
      if (inside(point)) inner.push(point);
    });
    points = inner;
  }
  return points;
}

/** The pieces of a line within a box. */
export function clipLine(line: readonly Point[], box: Box): Point[][] {
  const pieces: Point[][] = [];
  for (let i = 1; i < line.length; i++) {
    const segment = clipSegment(line[i - 1], line[i], box);
    if (!segment) continue;
    const last = pieces[pieces.length - 1]?.at(-1);
    if (last && last[0] === segment[0][0] && last[1] === segment[0][1]) {
      pieces[pieces.length - 1].push(segment[1]);
    } else pieces.push([...segment]);
  }
  return pieces;
}

/** The part of a segment within a box, by Liang and Barsky. */
function clipSegment(a: Point, b: Point, box: Box): readonly [Point, Point] | undefined {
  let [start, end] = [0, 1];
  for (const [axis, at, way] of sidesOf(box)) {
    const [from, step] = [(a[axis] - at) * way, (b[axis] - a[axis]) * way];
    if (step === 0) {
      if (from < 0) return undefined;
    } else if (step > 0) start = Math.max(start, -from / step);
    else end = Math.min(end, -from / step);
  }
  if (start > end) return undefined;
  const at = (share: number): Point =>
    share === 0
      ? a
      : share === 1
      ? b
      : [a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])];
  return [at(start), at(end)];
}

/** The part of the atlas that we use: the packages have no types. A negative arc number means the arc `~number` reversed. */
interface Topology {
  readonly arcs: readonly unknown[];
  readonly objects: {
    readonly land: unknown;
    readonly countries: { readonly geometries: readonly { readonly arcs: Arcs }[] };
  };
}

/** Rings of arcs of a polygon, or of several polygons. */
type Arcs = readonly (readonly number[] | readonly (readonly number[])[])[];

/** Outlines that a map draws. */
export interface Outlines {
  /** Rings of land and of the water within it, clipped to the box. */
  readonly land: readonly (readonly Point[])[];
  readonly coasts: readonly (readonly Point[])[];
  /** Borders between countries. */
  readonly borders: readonly (readonly Point[])[];
}

/** Source of the outlines, for the caption. */
export const OUTLINES_SOURCE = "Outlines: Natural Earth, 1:50 million";

const topology = atlas as unknown as Topology;

/** Outlines of the whole world, computed once: that is slow, and they are the same for every map. */
let world: Readonly<Record<keyof Outlines, readonly BoxedLine[]>> | undefined;

/** Continues the longitudes of a line beyond 180 deg instead of jumping to -180 deg. */
function unwrapLine(line: readonly Point[]): Point[] {
  let turns = 0;
  return line.map(([lon, lat], i): Point => {
    if (i > 0 && Math.abs(lon - line[i - 1][0]) > 180) turns += lon < line[i - 1][0] ? 360 : -360;
    return [lon + turns, lat];
  });
}

/** Closes a ring around a pole, such as Antarctica's, over the pole. */
function closeOverPole(ring: Point[]): Point[] {
  const [first, last] = [ring[0], ring[ring.length - 1]];
  if (Math.abs(last[0] - first[0]) < 180) return ring;
  const end = first[0] + (last[0] < first[0] ? -360 : 360);
  const pole = last[1] < 0 ? -90 : 90;
  return [...ring, [end, first[1]], [end, pole], [first[0], pole]];
}

/** A line and its range of longitudes and latitudes. */
interface BoxedLine {
  readonly line: readonly Point[];
  readonly box: Box;
}

function boxLine(line: readonly Point[]): BoxedLine {
  let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const [lon, lat] of line) {
    left = Math.min(left, lon);
    right = Math.max(right, lon);
    low = Math.min(low, lat);
    high = Math.max(high, lat);
  }
  return { line, box: { left, right, low, high } };
}

/** Copies of a line, shifted by turns of 360 deg, that may be within a box. */
function turnLine({ line, box }: BoxedLine, { left, right, low, high }: Box): (readonly Point[])[] {
  if (box.low > high || box.high < low) return [];
  return [-720, -360, 0, 360, 720]
    .filter((turn) => box.left + turn <= right && box.right + turn >= left)
    .map((turn) => turn === 0 ? line : line.map(([lon, lat]): Point => [lon + turn, lat]));
}

/** Rings of the land. */
function readLand(): Point[][] {
  const { features }: { features: { geometry: { coordinates: Point[][][] } }[] } = feature(
    topology,
    topology.objects.land,
  );
  return features.flatMap(({ geometry }) => geometry.coordinates.flat());
}

/** Arcs by the number of countries that use them: one at a coast, two at a border. */
function readArcs(uses: (count: number) => boolean): Point[][] {
  const counts = new Int32Array(topology.arcs.length);
  for (const arc of topology.objects.countries.geometries.flatMap(({ arcs }) => arcs.flat(2))) {
    counts[arc < 0 ? ~arc : arc]++;
  }
  const arcs = Array.from(counts.keys()).filter((i) => uses(counts[i])).map((i) => [i]);
  return feature(topology, { type: "MultiLineString", arcs }).geometry.coordinates;
}

/** Outlines of the whole world. A line that crosses the date line continues beyond 180 deg. */
function loadWorldOutlines(): Readonly<Record<keyof Outlines, readonly BoxedLine[]>> {
  return world ??= {
    land: readLand().map((ring) => boxLine(closeOverPole(unwrapLine(ring.slice(1))))),
    coasts: readArcs((count) => count === 1).map((line) => boxLine(unwrapLine(line))),
    borders: readArcs((count) => count > 1).map((line) => boxLine(unwrapLine(line))),
  };
}

/** Outlines within a box of longitudes and latitudes, deg. The box may extend beyond 180 deg on either side. */
export function clipOutlines(box: Box): Outlines {
  const { land, coasts, borders } = loadWorldOutlines();
  const turn = (lines: readonly BoxedLine[]) => lines.flatMap((line) => turnLine(line, box));
  return {
    land: turn(land).map((line) => clipRing(line, box)).filter((ring) => ring.length > 2),
    coasts: turn(coasts).flatMap((line) => clipLine(line, box)),
    borders: turn(borders).flatMap((line) => clipLine(line, box)),
  };
}
