/**
 * A data directory with some turbines and a dataset but no series, for tests that need only names.
 *
 * @module
 */
import { putSite } from "../../src/sites/keep/put_site.ts";
import type { FreshMonth } from "../../src/sites/keep/site_record.ts";
import { openStorage } from "../../src/storage/storage.ts";
import { bareTurbine, site } from "../storage/store/_records.ts";

/** Makes the data directory at a path, with two turbines unless others are named, and their months if any. */
export async function makeSmallData(
  data: string,
  ids: readonly string[] = ["T1", "T2"],
  months: readonly FreshMonth[] = [],
): Promise<void> {
  const { store } = await openStorage(data, { create: true });
  try {
    const turbines = ids.map((id) => bareTurbine(id, months));
    await putSite(store, site({ points: [], turbines }));
  } finally {
    await store.close();
  }
}
