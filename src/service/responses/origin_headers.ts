import { ATTRIBUTION_HEADER, WORLD_HEADER } from "../../api/world.ts";
import type { Store } from "../store/store.ts";

/**
 * Headers that say where figures come from: the world, and the attributions that their datasets require.
 *
 * @param store What the service remembers
 * @param serviceIds Datasets that the answer rests on
 */
export async function originHeaders(
  store: Store,
  serviceIds: Iterable<string> = [],
): Promise<Record<string, string>> {
  const attribution = new Set<string>();
  for (const serviceId of new Set(serviceIds)) {
    for (const line of (await store.dataset(serviceId))?.attribution ?? []) attribution.add(line);
  }
  return {
    [WORLD_HEADER]: await store.world(),
    ...(attribution.size > 0
      ? { [ATTRIBUTION_HEADER]: [...attribution].map(encodeURIComponent).join(",") }
      : {}),
  };
}
