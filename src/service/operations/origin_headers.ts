import { ATTRIBUTION_HEADER, NOTES_HEADER, WORLD_HEADER } from "../../api/world.ts";
import { listMarks } from "../../sites/calibration_notes.ts";
import type { StoredTurbine } from "../../sites/keep/site_record.ts";
import type { Store } from "../../storage/store/store.ts";

/**
 * Builds the headers that say where figures come from: the world, the attributions that their data require, and the mark of
 * those that are not calibrated.
 *
 * @param of Lines that the data behind the answer require, repeated ones are sent once; the calibration behind it
 */
export async function buildOriginHeaders(
  store: Store,
  { attribution = [], calibration }: Partial<Pick<StoredTurbine, "attribution" | "calibration">> =
    {},
): Promise<Record<string, string>> {
  const encode = (name: string, lines: readonly string[]) =>
    lines.length === 0 ? {} : {
      [name]: [...new Set(lines)].map((line) => encodeURIComponent(line.toWellFormed())).join(","),
    };
  return {
    [WORLD_HEADER]: await store.world(),
    ...encode(ATTRIBUTION_HEADER, attribution),
    ...encode(NOTES_HEADER, listMarks(calibration)),
  };
}

/** Media type of figures as CSV. */
export const CSV = { "content-type": "text/csv; charset=utf-8" } as const;
