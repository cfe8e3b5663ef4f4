import { feature, mesh } from "topojson-client";
import { AssetFolder } from "./asset_folder.ts";

/** Lines of the map: flat lists of longitude and latitude in deg. */
interface Outlines {
  /** Outlines of land and of what is none inside of it. */
  readonly land: readonly (readonly number[])[];
  /** Borders between countries. */
  readonly borders: readonly (readonly number[])[];
}

/** Name of the file with the outlines. */
export const OUTLINES_FILE = "outlines.json";

/** A hundredth of a degree is about 1 km: the outlines are of the scale 1:50 million and no better. */
const PRECISION = 100;

type Line = readonly (readonly number[])[];

const rounded = (value: number) => Math.round(value * PRECISION) / PRECISION;

/**
 * A line as a flat list. Where it crosses the date line it goes on beyond 180 deg, and one round the pole is closed
 * there: else both would be drawn right across the map.
 */
function flat(line: Line): number[] {
  const places: number[] = [];
  let turns = 0;
  line.forEach(([longitude, latitude], i) => {
    const step = i === 0 ? 0 : longitude - line[i - 1][0];
    if (Math.abs(step) > 180) turns -= Math.sign(step);
    places.push(rounded(longitude + 360 * turns), rounded(latitude));
  });
  const [first, last] = [places[0], places[places.length - 2]];
  return Math.abs(last - first) > 180 ? [...places, last, -90, first, -90] : places;
}

/** As much of a topology as is used here: the packages have no types. */
interface Topology {
  readonly objects: { readonly land: unknown; readonly countries: unknown };
}

async function readOutlines(): Promise<Outlines> {
  const atlas = await import("world-atlas/countries-50m.json", { with: { type: "json" } });
  const topology: Topology = atlas.default;
  const { land, countries } = topology.objects;
  const whole: { features: { geometry: { coordinates: Line[][] } }[] } = feature(topology, land);
  const between: { coordinates: Line[] } = mesh(
    topology,
    countries,
    (one: unknown, other: unknown) => one !== other,
  );
  return {
    land: whole.features.flatMap(({ geometry }) => geometry.coordinates.flat().map(flat)),
    borders: between.coordinates.map(flat),
  };
}

/** Outlines of land and countries for the map of the start page, without tiles of others. */
export const mapAssets: AssetFolder = new AssetFolder(
  "map",
  async () => ({ [OUTLINES_FILE]: JSON.stringify(await readOutlines()) }),
);
