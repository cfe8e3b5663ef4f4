import { feature } from "topojson-client";
import atlas from "world-atlas/countries-50m.json" with { type: "json" };
import { type Box, clipLine, clipRing, type Point } from "./clip.ts";

/** The used part of the atlas: the packages have no types. A negative number of an arc means the arc `~number` reversed. */
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

/** Outlines of the whole world, computed once: that takes a while, and they are the same for every map. */
let world: Readonly<Record<keyof Outlines, readonly BoxedLine[]>> | undefined;

/** Lets the longitudes of a line continue where they would jump from 180 to -180 deg. */
function unwrapLine(line: readonly Point[]): Point[] {
  let turns = 0;
  return line.map(([lon, lat], i): Point => {
    if (i > 0 && Math.abs(lon - line[i - 1][0]) > 180) turns += lon < line[i - 1][0] ? 360 : -360;
    return [lon + turns, lat];
  });
}

/** Closes a ring around a pole, such as Antarctica, over the pole. */
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

/** Outlines of the whole world. Where a line crosses the date line it continues beyond 180 deg. */
function loadWorldOutlines(): Readonly<Record<keyof Outlines, readonly BoxedLine[]>> {
  return world ??= {
    land: readLand().map((ring) => boxLine(closeOverPole(unwrapLine(ring.slice(1))))),
    coasts: readArcs((count) => count === 1).map((line) => boxLine(unwrapLine(line))),
    borders: readArcs((count) => count > 1).map((line) => boxLine(unwrapLine(line))),
  };
}

/** Sides of the part of the world that is kept, deg: turbines near each other have maps of one part. */
const PART = 15;

/** Outlines by their kind, each line with its box. */
type BoxedOutlines = Readonly<Record<keyof Outlines, readonly BoxedLine[]>>;

/** The part of the world that the last map was in. */
let part: { readonly box: Box; readonly outlines: BoxedOutlines } | undefined;

function contains(outer: Box, { left, right, low, high }: Box): boolean {
  return outer.left <= left && outer.right >= right && outer.low <= low && outer.high >= high;
}

function meets({ box }: BoxedLine, { left, right, low, high }: Box): boolean {
  return box.left <= right && box.right >= left && box.low <= high && box.high >= low;
}

/** Clips outlines to a box. */
function clipAll({ land, coasts, borders }: BoxedOutlines, box: Box): Outlines {
  const within = (lines: readonly BoxedLine[]) =>
    lines.flatMap((one) => meets(one, box) ? clipLine(one.line, box) : []);
  return {
    land: land.map((one) => meets(one, box) ? clipRing(one.line, box) : [])
      .filter((ring) => ring.length > 2),
    coasts: within(coasts),
    borders: within(borders),
  };
}

function mapOutlines<From, To>(
  { land, coasts, borders }: Readonly<Record<keyof Outlines, From>>,
  change: (lines: From) => To,
): Record<keyof Outlines, To> {
  return { land: change(land), coasts: change(coasts), borders: change(borders) };
}

/** Outlines within a box of longitudes and latitudes, deg. The box may extend beyond 180 deg on either side. */
export function clipOutlines(box: Box): Outlines {
  if (!part || !contains(part.box, box)) {
    const down = (degrees: number) => PART * Math.floor(degrees / PART);
    const up = (degrees: number) => PART * Math.ceil(degrees / PART);
    const { left, right, low, high } = box;
    const around = { left: down(left), right: up(right), low: down(low), high: up(high) };
    const turned = mapOutlines(
      loadWorldOutlines(),
      (lines) => lines.flatMap((line) => turnLine(line, around)).map(boxLine),
    );
    const outlines = mapOutlines(clipAll(turned, around), (lines) => lines.map(boxLine));
    part = { box: around, outlines };
  }
  return clipAll(part.outlines, box);
}
