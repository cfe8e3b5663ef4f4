import { MAX_CELLS, MAX_COLUMNS, MAX_ROWS, MAX_UNPACKED_BYTES } from "../../api/reader_limits.ts";
import { findSizeProblem } from "../archive/unpacked_size.ts";

/** A file that readers do not take, although it may be complete. */
export class BoundsError extends Error {}

/** What a file of a typed table declares. */
export interface TableSize {
  readonly rows: number;
  readonly columns: number;
  /** Bytes of the file. */
  readonly packed: number;
  /** Bytes of its content unpacked, as far as they are known. */
  unpacked: number;
}

/**
 * Refuses a table beyond the bounds of readers.
 *
 * @throws {BoundsError} Which bound it exceeds
 */
export function assertTableSize({ rows, columns, packed, unpacked }: TableSize): void {
  if (rows > MAX_ROWS) throw new BoundsError(`it has ${rows} rows, more than ${MAX_ROWS}`);
  if (columns > MAX_COLUMNS) {
    throw new BoundsError(`it has ${columns} columns, more than ${MAX_COLUMNS}`);
  }
  if (rows * columns > MAX_CELLS) {
    throw new BoundsError(`it has ${rows} x ${columns} values, more than ${MAX_CELLS}`);
  }
  const bytes = Math.max(unpacked, rows * columns * 8);
  const problem = findSizeProblem("its table", bytes, packed, MAX_UNPACKED_BYTES);
  if (problem !== undefined) throw new BoundsError(problem);
}
