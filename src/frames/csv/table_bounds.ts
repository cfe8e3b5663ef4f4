import { getHeapStatistics } from "node:v8";
import { MAX_CELLS, MAX_COLUMNS, MAX_ROWS } from "../reader_limits.ts";

/**
 * Refuses a table that is beyond the bounds of readers.
 *
 * @param refuse Called with the bound that it exceeds
 */
export function checkTableSize(
  rows: number,
  columns: number,
  refuse: (found: string) => never,
): void {
  if (rows > MAX_ROWS) refuse(`it has ${rows} rows, more than ${MAX_ROWS}`);
  if (columns > MAX_COLUMNS) refuse(`it has ${columns} columns, more than ${MAX_COLUMNS}`);
  if (rows * columns <= MAX_CELLS) return;
  refuse(`it has ${rows} x ${columns} values, more than ${MAX_CELLS}`);
}

/** Bytes of the heap for each value, its text aside, with all that readers make of it. */
export const VALUE_BYTES = 80;

/** MiB that values may take on the heap, beside code and new objects: beyond them the process is ended. */
const HEAP = Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20) - 128;

/**
 * Refuses a table whose values, read one by one, do not fit into the memory of this process, or that is beyond the bounds of
 * readers.
 *
 * @param refuse Called with the bound that it exceeds
 * @param bytes What they take
 */
export function checkHeap(
  rows: number,
  columns: number,
  refuse: (found: string) => never,
  bytes: number = VALUE_BYTES * rows * columns,
): void {
  checkTableSize(rows, columns, refuse);
  if (bytes <= HEAP * 2 ** 20) return;
  refuse(
    `it has ${rows} x ${columns} values, more than fit into ${HEAP} MiB, which this process ` +
      "has. Split it, or set DENO_V8_FLAGS=--max-old-space-size=8192",
  );
}
