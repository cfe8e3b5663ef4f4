import { SYNTHETIC } from "../api/world.ts";
import type { Provenance } from "./provenance.ts";
import { sha256Of } from "./sha256.ts";

/** The line above an invented table. */
export const SYNTHETIC_LINE = `# ${SYNTHETIC}: the built-in sample, not real data`;

/**
 * Origin of figures whose text says that they are invented: they stay that, whoever reads them.
 *
 * @param bytes The text
 * @param operation Name of the function that reads it
 * @returns `undefined` for a text that says nothing
 */
export function inventedOrigin(bytes: Uint8Array, operation: string): Provenance | undefined {
  const start = new TextDecoder().decode(bytes.subarray(0, SYNTHETIC_LINE.length + 3)); // with a byte order mark
  if (!start.startsWith(SYNTHETIC_LINE)) return undefined;
  return {
    operation,
    parameters: {},
    fetchedAt: Temporal.Now.instant().toString({ smallestUnit: "second" }),
    sha256: [sha256Of(bytes)],
    world: "sample",
    attribution: [],
  };
}
