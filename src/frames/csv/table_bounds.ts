import { MAX_CELLS, MAX_COLUMNS, MAX_ROWS } from "../../api/reader_limits.ts";

/** Says why a table is beyond the bounds of readers; `undefined` if it is within them. */
export function findTableProblem(rows: number, columns: number): string | undefined {
  if (rows > MAX_ROWS) return `it has ${rows} rows, more than ${MAX_ROWS}`;
  if (columns > MAX_COLUMNS) return `it has ${columns} columns, more than ${MAX_COLUMNS}`;
  if (rows * columns > MAX_CELLS) {
    return `it has ${rows} x ${columns} values, more than ${MAX_CELLS}`;
  }
}
