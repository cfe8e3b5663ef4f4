/**
 * Separate data directories with one climate point of the sample, for orders that no other test sees.
 *
 * @module
 */
import { operationOf } from "../../src/api/operations/operations.ts";
import { openStorage, type Storage } from "../../src/service/storage.ts";
import type { SiteRecord } from "../../src/service/store/site_record.ts";
import { buildPath, makeSharedClimate, SHARED_SAMPLE, validValues } from "./_sample.ts";

/** Puts a climate point of the sample into a data directory, and gives the site that it is stored as. */
export async function putClimatePoint({ store, files }: Storage): Promise<SiteRecord> {
  await makeSharedClimate();
  const shared = await openStorage(SHARED_SAMPLE);
  const [point] = await shared.store.sites.points("era5");
  const { id: _id, ...dataset } = (await shared.store.sites.dataset("era5"))!;
  await shared.store.close();
  await files.put(await shared.files.read(point.file), "parquet");
  const site = {
    site: "s",
    fingerprint: "",
    world: "own" as const,
    datasets: [dataset],
    points: [point],
    turbines: [],
  };
  await store.sites.put(site);
  return site;
}

/** Makes the data directory at a path; gives the path of an order that it can fulfil. */
export async function makeClimateData(data: string): Promise<string> {
  const own = await openStorage(data, { create: true });
  try {
    const { points: [{ latitude: lat, longitude: lon }] } = await putClimatePoint(own);
    return buildPath(operationOf("place_order"), { ...validValues.place_order, lat, lon });
  } finally {
    await own.store.close();
  }
}
