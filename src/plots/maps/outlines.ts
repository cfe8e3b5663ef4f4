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

/** Outlines of the part of the world that the last map was in. */
let part: { readonly box: string; readonly outlines: Outlines } | undefined;

function clipAll({ land, coasts, borders }: Outlines, box: Box): Outlines {
  const within = (lines: readonly (readonly Point[])[]) =>
    lines.flatMap((line) => clipLine(line, box));
  return {
    land: land.map((ring) => clipRing(ring, box)).filter((ring) => ring.length > 2),
    coasts: within(coasts),
    borders: within(borders),
  };
}

function clipWorld(box: Box): Outlines {
  const { land, coasts, borders } = loadWorldOutlines();
  const turn = (lines: readonly BoxedLine[]) => lines.flatMap((line) => turnLine(line, box));
  return clipAll({ land: turn(land), coasts: turn(coasts), borders: turn(borders) }, box);
}

/** Outlines within a box of longitudes and latitudes, deg. The box may extend beyond 180 deg on either side. */
export function clipOutlines(box: Box): Outlines {
  const down = (degrees: number) => PART * Math.floor(degrees / PART);
  const up = (degrees: number) => PART * Math.ceil(degrees / PART);
  const around = {
    left: down(box.left),
    right: up(box.right),
    low: down(box.low),
    high: up(box.high),
  };
  const key = JSON.stringify(around);
  if (part?.box !== key) part = { box: key, outlines: clipWorld(around) };
  return clipAll(part.outlines, box);
}
