import type { DataFrame } from "nodejs-polars";
import { type Provenance, provenance } from "../../frames/provenance.ts";

/**
 * Where figures of several frames come from: from the first that is invented, else from the first that is known, with
 * the attributions of all.
 */
export function joinOrigins(frames: readonly DataFrame[]): Provenance | undefined {
  const origins = frames.flatMap((frame) => provenance(frame) ?? []);
  const counted = origins.find(({ world }) => world === "sample") ?? origins[0];
  return counted && {
    ...counted,
    attribution: [...new Set(origins.flatMap(({ attribution }) => attribution))],
  };
}
