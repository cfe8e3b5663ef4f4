/**
 * A data directory with one climate point of the sample: for orders without a server.
 *
 * @module
 */
import { openDataDirectory } from "../../../src/service/data_directory.ts";
import type { Files } from "../../../src/service/files/files.ts";
import type { SiteRecord } from "../../../src/service/store/site_record.ts";
import type { Store } from "../../../src/service/store/store.ts";
import { SHARED_SAMPLE, validValues } from "../_sample.ts";

/** What orders need. */
export interface OrderData {
  readonly folder: string;
  readonly store: Store;
  readonly files: Files;
  /** The site as it is stored. */
  readonly site: SiteRecord;
  /** Parameters of an order that can be had. */
  readonly values: Readonly<Record<string, string | number>>;
}

/** Makes the data directory, and removes it when the body is done. */
export async function withOrderData(body: (data: OrderData) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  const { store, files } = openDataDirectory(folder, { create: true, world: "sample" });
  try {
    const shared = openDataDirectory(SHARED_SAMPLE, { create: true, world: "sample" });
    const [point] = await shared.store.sites.points("era5");
    const { id: _id, ...dataset } = (await shared.store.sites.dataset("era5"))!;
    await shared.store.close();
    await files.put(await shared.files.read(point.file), "parquet");
    const site = { site: "s", fingerprint: "", dataset, points: [point], turbines: [] };
    await store.sites.put(site);
    const { latitude: lat, longitude: lon } = point;
    await body({
      folder,
      store,
      files,
      site,
      values: { ...validValues.place_order, filetype: "csv", lat, lon },
    });
  } finally {
    await store.close();
    await Deno.remove(folder, { recursive: true });
  }
}
