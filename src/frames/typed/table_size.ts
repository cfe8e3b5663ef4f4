import { MAX_UNPACKED_BYTES } from "../../api/reader_limits.ts";
import { findTableProblem } from "../csv/table_bounds.ts";
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
  const bytes = Math.max(unpacked, rows * columns * 8);
  const problem = findTableProblem(rows, columns) ??
    findSizeProblem("its table", bytes, packed, MAX_UNPACKED_BYTES);
  if (problem !== undefined) throw new BoundsError(problem);
}
