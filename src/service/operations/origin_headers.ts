import { ATTRIBUTION_HEADER, WORLD_HEADER } from "../../api/world.ts";
import type { Store } from "../store/store.ts";

/**
 * Headers that say where figures come from: the world, and the attributions that their datasets require.
 *
 * @param store What the service remembers
 * @param serviceIds Datasets that the answer rests on
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
      ? { [ATTRIBUTION_HEADER]: [...attribution].map(encodeURIComponent).join(",") }
      : {}),
  };
}

/**
 * Headers of figures as CSV: where they come from, and what they are.
 *
 * @param store What the service remembers
 * @param serviceId Dataset that the figures rest on
 */
export async function buildCsvHeaders(
  store: Store,
  serviceId: string,
): Promise<Record<string, string>> {
  return {
    ...await buildOriginHeaders(store, [serviceId]),
    "content-type": "text/csv; charset=utf-8",
  };
}
