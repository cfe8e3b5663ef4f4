import type { DataFrame } from "nodejs-polars";
import { type Provenance, provenance } from "../../frames/provenance.ts";

/**
 * Joins the provenance of several frames: that of the first frame of the sample, else the first known one, with the
 * attributions of all.
 */
export function joinOrigins(frames: readonly DataFrame[]): Provenance | undefined {
  const origins = frames.flatMap((frame) => provenance(frame) ?? []);
  const counted = origins.find(({ world }) => world === "sample") ?? origins[0];
  return counted && {
    ...counted,
    attribution: [...new Set(origins.flatMap(({ attribution }) => attribution))],
  };
}
