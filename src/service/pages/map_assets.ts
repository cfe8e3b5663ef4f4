import { AssetFolder } from "./asset_folder.ts";

/** Lines of the map: flat lists of longitude and latitude in deg. */
export interface Outlines {
  readonly land: readonly (readonly number[])[];
  readonly borders: readonly (readonly number[])[];
}

/** Name of the file with the outlines. */
export const OUTLINES_FILE = "outlines.json";

/** A hundredth of a degree is about 1 km: the outlines are of the scale 1:50 million and no better. */
const PRECISION = 100;

async function readOutlines(): Promise<Outlines> {
  const { loadWorldOutlines } = await import("../../plots/maps/outlines.ts");
  const { land, borders } = loadWorldOutlines();
  const flat = ({ line }: { line: readonly (readonly number[])[] }) =>
    line.flat().map((degrees) => Math.round(degrees * PRECISION) / PRECISION);
  return { land: land.map(flat), borders: borders.map(flat) };
}

/** Outlines of land and countries for the map of the start page, without tiles of other services. */
export const mapAssets: AssetFolder = new AssetFolder(
  "map",
  async () => ({ [OUTLINES_FILE]: JSON.stringify(await readOutlines()) }),
);
