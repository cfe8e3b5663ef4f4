/**
 * A data directory with one climate point of the sample: for orders without a server.
 *
 * @module
 */
import { openStorage } from "../../../src/storage/storage.ts";
import type { Files } from "../../../src/storage/files/files.ts";
import type { SiteRecord } from "../../../src/sites/keep/site_record.ts";
import type { Store } from "../../../src/storage/store/store.ts";
import { putClimatePoint } from "../_climate_data.ts";
import { validValues } from "../_sample.ts";

/** Parts that orders need. */
export interface OrderData {
  readonly folder: string;
  readonly store: Store;
  readonly files: Files;
  /** The stored site. */
  readonly site: SiteRecord;
  /** Parameters of an order that can be built. */
  readonly values: Readonly<Record<string, string | number>>;
}

/** Makes the data directory, or one with its files elsewhere, and removes it when the body is done. */
export async function withOrderData(
  body: (data: OrderData) => Promise<void>,
  others?: Files,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  const storage = await openStorage(folder, { create: true, world: "sample" });
  const { store, files } = { ...storage, ...(others ? { files: others } : {}) };
  try {
    const site = await putClimatePoint({ store, files });
    const [{ latitude: lat, longitude: lon }] = site.points;
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
