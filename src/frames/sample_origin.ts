import { SAMPLE_TIME, SYNTHETIC } from "../api/world.ts";
import type { Provenance } from "./provenance.ts";
import { sha256 } from "../disk/sha256.ts";

/** First line of a file with invented figures. */
export const SYNTHETIC_LINE = `# ${SYNTHETIC}: the built-in sample, not real data`;

/**
 * Finds the origin of figures in a text whose first line says that they are invented.
 *
 * @param bytes The text
 * @param operation Name of the function that reads it
 * @returns `undefined` for a text without that line
 */
export function findSampleOrigin(bytes: Uint8Array, operation: string): Provenance | undefined {
  // There may be a byte order mark, and the quote that some spreadsheets put before a line with a comma.
  const start = new TextDecoder().decode(bytes.subarray(0, SYNTHETIC_LINE.length + 4));
  return start.replace(/^"/, "").startsWith(LINE_START)
    ? buildSampleOrigin(bytes, operation)
    : undefined;
}

/** The line up to its comma, which some spreadsheets replace by another delimiter. */
const LINE_START = SYNTHETIC_LINE.split(",")[0];

/** Builds the origin of invented figures in a file. */
export function buildSampleOrigin(
  bytes: Uint8Array,
  operation: string,
  attribution: readonly string[] = [],
): Provenance {
  return {
    operation,
    parameters: {},
    fetchedAt: SAMPLE_TIME,
    sha256: [sha256(bytes)],
    world: "sample",
    attribution,
  };
}
