/**
 * A data directory of one's own with one climate point of the sample: for orders that nobody else sees.
 *
 * @module
 */
import { operationOf } from "../../src/api/operations/operations.ts";
import { openDataDirectory } from "../../src/service/data_directory.ts";
import { pathOf, SHARED_SAMPLE, validValues } from "./_sample.ts";

/** Makes the data directory at a path; gives the path of an order that it can fulfil. */
export async function makeClimateData(data: string): Promise<string> {
  const shared = openDataDirectory(SHARED_SAMPLE, { create: true, world: "sample" });
  const own = openDataDirectory(data, { create: true });
  try {
    const [point] = await shared.store.sites.points("era5");
    const { id: _id, ...dataset } = (await shared.store.sites.dataset("era5"))!;
    await own.files.put(await shared.files.read(point.file), "parquet");
    await own.store.sites.put({
      site: "s",
      fingerprint: "",
      dataset,
      points: [point],
      turbines: [],
    });
    const { latitude: lat, longitude: lon } = point;
    return pathOf(operationOf("place_order"), { ...validValues.place_order, lat, lon });
  } finally {
    await shared.store.close();
    await own.store.close();
  }
}
