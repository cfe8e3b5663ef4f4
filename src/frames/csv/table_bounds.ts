import { getHeapStatistics } from "node:v8";
import { MAX_CELLS, MAX_COLUMNS, MAX_ROWS } from "../../api/reader_limits.ts";

/** Says why a table is beyond the bounds of readers; `undefined` if it is within them. */
export function findTableProblem(rows: number, columns: number): string | undefined {
  if (rows > MAX_ROWS) return `it has ${rows} rows, more than ${MAX_ROWS}`;
  if (columns > MAX_COLUMNS) return `it has ${columns} columns, more than ${MAX_COLUMNS}`;
  if (rows * columns > MAX_CELLS) {
    return `it has ${rows} x ${columns} values, more than ${MAX_CELLS}`;
  }
}

/** Bytes of the heap for each value, its text aside, with all that readers make of it. */
export const VALUE_BYTES = 80;

/** MiB that values may take on the heap, beside code and new objects: beyond them the process is ended. */
const HEAP = Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20) - 128;

/**
 * Says why the values of a table that are read one by one do not fit into the memory of this process, or are beyond the
 * bounds of readers; `undefined` if they are within.
 *
 * @param bytes What they take
 */
export function findHeapProblem(
  rows: number,
  columns: number,
  bytes: number = VALUE_BYTES * rows * columns,
): string | undefined {
  const problem = findTableProblem(rows, columns);
  if (problem || bytes <= HEAP * 2 ** 20) return problem;
  return `it has ${rows} x ${columns} values, more than fit into ${HEAP} MiB, which this process ` +
    "has. Split it, or set DENO_V8_FLAGS=--max-old-space-size=8192";
}
