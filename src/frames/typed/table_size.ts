import { MAX_UNPACKED_BYTES } from "../reader_limits.ts";
import { checkTableSize } from "../csv/table_bounds.ts";

/** A file that readers do not take, although it may be complete. */
export class BoundsError extends Error {}

/** What a file of a typed table declares. */
export interface TableSize {
  readonly rows: number;
  readonly columns: number;
  /** Bytes of its content unpacked, as far as they are known. */
  unpacked: number;
}

/**
 * Refuses a table beyond the bounds of readers.
 *
 * @throws {BoundsError} Which bound it exceeds
 */
export function assertTableSize({ rows, columns, unpacked }: TableSize): void {
  const refuse = (found: string): never => {
    throw new BoundsError(found);
  };
  checkTableSize(rows, columns, refuse);
  if (unpacked <= MAX_UNPACKED_BYTES) return;
  refuse(`its table has ${unpacked} bytes unpacked, more than ${MAX_UNPACKED_BYTES}`);
}
