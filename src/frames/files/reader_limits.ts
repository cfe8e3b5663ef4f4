/**
 * The limits of all readers of files, in one place: each is checked before the content takes memory. docs/files.md
 * lists them.
 *
 * @module
 */
import { getHeapStatistics } from "node:v8";

/** Bytes of a file that is read at once. */
export const MAX_FILE_BYTES: number = 2 ** 31;

/** Uncompressed bytes of a `.gz` file: a million rows of ten columns take half of it. */
export const MAX_UNPACKED_BYTES: number = 512 * 2 ** 20;

/** Uncompressed bytes of a workbook, which is read at once and takes eight times as much memory: three million cells. */
export const MAX_WORKBOOK_BYTES: number = 128 * 2 ** 20;

/** Cells of a workbook. Its reader makes empty ones up to the last of each row, which count: three times as many as have content above. */
export const MAX_WORKBOOK_CELLS = 10_000_000;

/** Bytes of a line of a table: the names of 10,000 turbines take half of it. */
export const MAX_LINE_BYTES: number = 2 ** 20;

/** Uncompressed bytes of the member of an archive, which is read in parts: twenty years of hourly data take a hundredth of it. */
export const MAX_MEMBER_BYTES = 1_000_000_000;

/** Members of an archive. */
export const MAX_MEMBERS = 1000;

/** Bytes of the list of members: a thousand members with long names take a fiftieth of it. */
export const MAX_DIRECTORY_BYTES: number = 16 * 2 ** 20;

/** Uncompressed bytes for each packed one. Hourly tables reach 10; only repetitive content exceeds 200. */
export const MAX_RATIO = 200;

/** Uncompressed bytes from which the ratio is checked. */
export const RATIO_FROM_BYTES = 10_000_000;

/** Rows of a table: ten minutes of 80 years take a fifth of it. */
export const MAX_ROWS = 20_000_000;

/** Columns of a table. */
export const MAX_COLUMNS = 20_000;

/** Values of a table or a climate source: 80 years of hours at nine points with seven variables each take 44 million. */
export const MAX_CELLS = 50_000_000;

/** Bytes of the part of a NetCDF4 variable that is unpacked at once. */
export const MAX_CHUNK_BYTES: number = 64 * 2 ** 20;

/** Characters of all texts of a column. */
export const MAX_COLUMN_TEXT: number = 256 * 2 ** 20;

/** Points of a power curve: every hundredth of a m/s takes half of it. */
export const MAX_CURVE_POINTS = 10_000;

/** Characters of a JSON text: 64 MB of plain ASCII. */
export const MAX_JSON_LENGTH = 64_000_000;

/** Nesting of arrays and objects in JSON. */
export const MAX_JSON_DEPTH = 100;

/**
 * Values in one JSON text, arrays and objects counted as well. 64 MB of brackets would become objects of more than 4 GB,
 * which ends the process; 10,000 turbines with their power curves have a million.
 */
export const MAX_JSON_VALUES = 5_000_000;

/** Bytes of the metadata of a saved frame: a thousand columns take a twentieth of it. */
export const MAX_METADATA_BYTES = 10_000_000;

/** Characters of a text of a site file. */
export const MAX_SITE_TEXT = 10_000;

/** Lines of the attribution of a dataset: every answer has them in a header. */
export const MAX_ATTRIBUTION_LINES = 20;

/** Characters of such a line. */
export const MAX_ATTRIBUTION_LENGTH = 300;

/** Bytes of the attributions of all datasets of a site in that header, which proxies accept. */
export const MAX_ATTRIBUTION_HEADER = 16_000;

/** Bytes of a NetCDF4 file, which its library holds in memory twice. */
export const MAX_NETCDF_BYTES: number = 512 * 2 ** 20;

/** Timeout for reading a NetCDF4 file, ms: base plus allowance per byte, a hundred times the time for good files. */
export const NETCDF_DEADLINE = { base: 30_000, perByte: 1e-3 } as const;

/**
 * Refuses a table beyond the limits of readers.
 *
 * @param refuse Called with the limit that it exceeds
 */
export function checkTableSize(
  rows: number,
  columns: number,
  refuse: (problem: string) => never,
): void {
  if (rows > MAX_ROWS) {
    refuse(`it has ${rows} rows, but the limit is ${MAX_ROWS}. Read fewer rows at once`);
  }
  if (columns > MAX_COLUMNS) {
    refuse(
      `it has ${columns} columns, but the limit is ${MAX_COLUMNS}`,
    );
  }
  if (rows * columns <= MAX_CELLS) return;
  refuse(
    `it has ${rows} x ${columns} values, but the limit is ${MAX_CELLS}. Read fewer rows or columns at once`,
  );
}

/** Heap bytes that readers need for each value, without its text. */
export const VALUE_BYTES = 80;

/** MiB of the heap for values; the rest is for code and new objects. Beyond the heap the process crashes. */
const HEAP = Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20) - 128;

/**
 * Refuses a table whose values, read one by one, do not fit into the memory of this process, or that is beyond the
 * limits of readers.
 *
 * @param refuse Called with the limit that it exceeds
 * @param bytes Memory of the values
 */
export function checkHeap(
  rows: number,
  columns: number,
  refuse: (problem: string) => never,
  bytes: number = VALUE_BYTES * rows * columns,
): void {
  checkTableSize(rows, columns, refuse);
  if (bytes <= HEAP * 2 ** 20) return;
  refuse(
    `it has ${rows} x ${columns} values, more than fit into the ${HEAP} MiB of this process. ` +
      "Split the file, or set DENO_V8_FLAGS=--max-old-space-size=8192",
  );
}
