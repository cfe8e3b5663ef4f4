import { ATTRIBUTION_HEADER, WORLD_HEADER } from "../../api/world.ts";
import type { Store } from "../store/store.ts";

/**
 * Builds the headers that say where figures come from: the world, and the attributions that their datasets require.
 *
 * @param store The store of the service
 * @param serviceIds Datasets behind the answer
 */
export async function buildOriginHeaders(
  store: Store,
  serviceIds: Iterable<string> = [],
): Promise<Record<string, string>> {
  const attribution = new Set<string>();
  for (const serviceId of new Set(serviceIds)) {
    for (const line of (await store.sites.dataset(serviceId))?.attribution ?? []) {
      attribution.add(line);
    }
  }
  return {
    [WORLD_HEADER]: await store.world(),
    ...(attribution.size > 0
      ? {
        [ATTRIBUTION_HEADER]: [...attribution].map((line) =>
          encodeURIComponent(line.toWellFormed())
        ).join(","),
      }
      : {}),
  };
}

/**
 * Builds the headers of figures as CSV: their origin and media type.
 *
 * @param store The store of the service
 * @param serviceIds Datasets behind the figures
 */
export async function buildCsvHeaders(
  store: Store,
  serviceIds: readonly string[],
): Promise<Record<string, string>> {
  return {
    ...await buildOriginHeaders(store, serviceIds),
    "content-type": "text/csv; charset=utf-8",
  };
}
