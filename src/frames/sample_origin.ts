import { SYNTHETIC } from "../api/world.ts";
import type { Provenance } from "./provenance.ts";
import { sha256 } from "../disk/sha256.ts";

/** The line above an invented table. */
export const SYNTHETIC_LINE = `# ${SYNTHETIC}: the built-in sample, not real data`;

/**
 * Origin of figures whose text says that they are invented: they stay that, whoever reads them.
 *
 * @param bytes The text
 * @param operation Name of the function that reads it
 * @returns `undefined` for a text that says nothing
 */
export function findSampleOrigin(bytes: Uint8Array, operation: string): Provenance | undefined {
  // With a byte order mark, and the quote that some spreadsheets put before a line with a comma.
  const start = new TextDecoder().decode(bytes.subarray(0, SYNTHETIC_LINE.length + 4));
  return start.replace(/^"/, "").startsWith(LINE_START)
    ? buildSampleOrigin(bytes, operation)
    : undefined;
}

/** What stays of the line where a spreadsheet took its comma for the end of a field, and wrote another. */
const LINE_START = SYNTHETIC_LINE.split(",")[0];

/** Origin of invented figures that stand in a file. */
export function buildSampleOrigin(
  bytes: Uint8Array,
  operation: string,
  attribution: readonly string[] = [],
): Provenance {
  return {
    operation,
    parameters: {},
    fetchedAt: Temporal.Now.instant().toString({ smallestUnit: "second" }),
    sha256: [sha256(bytes)],
    world: "sample",
    attribution,
  };
}
