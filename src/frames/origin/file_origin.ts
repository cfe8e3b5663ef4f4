import { SYNTHETIC } from "../../api/world.ts";
import { sha256 } from "../../disk/hashes.ts";
import type { Provenance } from "./provenance.ts";

/** First line of a file with invented figures. */
export const SYNTHETIC_LINE = `# ${SYNTHETIC}: the built-in sample, not real data`;

/** First line of a file without a source, from a process that used the sample. */
export const UNSTATED_LINE =
  `# ${SYNTHETIC}: source not stated; the program that wrote this file used the sample`;

/** Beginning of both lines, after an optional byte order mark and the quote that some spreadsheets put before a line with a comma. */
const LINE_START = new RegExp(`^\\ufeff?"?# ${SYNTHETIC}:`);

/** Whether the first line of a text says that its figures are invented. */
export function isSyntheticText(bytes: Uint8Array): boolean {
  const start = new TextDecoder("utf-8", { ignoreBOM: true });
  return LINE_START.test(start.decode(bytes.subarray(0, SYNTHETIC_LINE.length)));
}

/** A file that was hashed while it was read. */
export interface HashedFile {
  /** Its first bytes. */
  readonly start: Uint8Array;
  /** Its SHA-256, hexadecimal. */
  readonly sha256: string;
}

/**
 * Builds the source of figures in a file: the sample if they are invented, else the user's data.
 *
 * @param operation Name of the function that reads it
 * @param synthetic Whether its figures are invented. @default as its first line says
 */
export function buildFileSource(
  file: string,
  content: Uint8Array | HashedFile,
  operation: string,
  synthetic: boolean = isSyntheticText(content instanceof Uint8Array ? content : content.start),
): Provenance {
  return {
    operation,
    parameters: { file: file.split(/[\\/]/).at(-1)! },
    sha256: [content instanceof Uint8Array ? sha256(content) : content.sha256],
    world: synthetic ? "sample" : "own",
    attribution: [],
  };
}
