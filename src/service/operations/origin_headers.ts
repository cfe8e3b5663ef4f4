import { ATTRIBUTION_HEADER, WORLD_HEADER } from "../../api/world.ts";
import type { Store } from "../../storage/store/store.ts";

/**
 * Builds the headers that say where figures come from: the world, and the attributions that their data require.
 *
 * @param attribution Lines that the data behind the answer require; repeated ones are sent once
 */
export async function buildOriginHeaders(
  store: Store,
  attribution: readonly string[] = [],
): Promise<Record<string, string>> {
  return {
    [WORLD_HEADER]: await store.world(),
    ...(attribution.length > 0
      ? {
        [ATTRIBUTION_HEADER]: [...new Set(attribution)].map((line) =>
          encodeURIComponent(line.toWellFormed())
        ).join(","),
      }
      : {}),
  };
}

/** Media type of figures as CSV. */
export const CSV = { "content-type": "text/csv; charset=utf-8" } as const;
