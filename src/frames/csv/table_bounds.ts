import { getHeapStatistics } from "node:v8";
import { MAX_CELLS, MAX_COLUMNS, MAX_ROWS } from "../../api/reader_limits.ts";

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
const VALUE_BYTES = 80;

/** Bytes that values may take on the heap, beside code and new objects: beyond them the process is ended. */
const HEAP_BYTES = getHeapStatistics().heap_size_limit - 2 ** 27;

/**
 * Refuses a table whose values, read one by one, do not fit into the memory of this process, or that is beyond the bounds of
 * readers.
 *
 * @param refuse Called with the bound that it exceeds
 * @param characters Characters of the texts among them
 */
export function checkHeap(
  rows: number,
  columns: number,
  refuse: (found: string) => never,
  characters = 0,
): void {
  checkTableSize(rows, columns, refuse);
  if (rows * columns * VALUE_BYTES + characters <= HEAP_BYTES) return;
  const size = Math.round(HEAP_BYTES / 2 ** 20);
  refuse(
    `it has ${rows} x ${columns} values, more than fit into ${size} MiB, which this process has. ` +
      "Split it, or set DENO_V8_FLAGS=--max-old-space-size=8192",
  );
}
