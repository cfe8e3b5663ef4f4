/**
 * Separate data directories with one climate point of the sample, for orders that no other test sees.
 *
 * @module
 */
import { putSite } from "../../src/sites/keep/put_site.ts";
import { operationOf } from "../../src/api/operations/operations.ts";
import { openStorage, type Storage } from "../../src/storage/storage.ts";
import type { SiteRecord } from "../../src/sites/keep/site_record.ts";
import { buildPath, makeSharedClimate, SHARED_SAMPLE, validValues } from "./_sample.ts";
import { sitesOf } from "../../src/sites/keep/sites.ts";

/** Reads a climate point of the sample, with its dataset and its file. */
async function readSharedPoint() {
  await makeSharedClimate();
  await using shared = await openStorage(SHARED_SAMPLE);
  const { store, files } = shared;
  const [point] = await sitesOf(store).points("era5");
  const { id: _id, ...dataset } = (await sitesOf(store).dataset("era5"))!;
  return { point, dataset, bytes: await files.read(point.file) };
}

let shared: ReturnType<typeof readSharedPoint> | undefined; // read once for all tests of a file

/** Puts a climate point of the sample into a data directory, and returns its stored site. */
export async function putClimatePoint({ store, files }: Storage): Promise<SiteRecord> {
  const { point, dataset, bytes } = await (shared ??= readSharedPoint());
  await files.put(bytes, "parquet");
  const site = {
    site: "s",
    fingerprint: "",
    world: "own" as const,
    datasets: [dataset],
    points: [point],
    turbines: [],
  };
  await putSite(store, site);
  return site;
}

/** Makes the data directory at a path; returns the path of an order that it can fulfil. */
export async function makeClimateData(data: string): Promise<string> {
  const storage = await openStorage(data, { create: true });
  try {
    const { points: [{ latitude: lat, longitude: lon }] } = await putClimatePoint(storage);
    return buildPath(operationOf("place_order"), { ...validValues.place_order, lat, lon });
  } finally {
    await storage.store.close();
  }
}
