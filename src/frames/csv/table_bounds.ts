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
