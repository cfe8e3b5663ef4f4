import type { Dtype } from "../../api/columns/column.ts";
import type { Cell, CellTable } from "../cells/cell_table.ts";
import { readTolerantCsv } from "../cells/tolerant_csv.ts";
import { splitRow } from "../csv/csv_field.ts";
import { NULL_TEXTS } from "../csv/csv_number.ts";

/** Lines, and bytes, in which the header is looked for. */
const MAX_LINES = 200;
const MAX_BYTES = 2 ** 20;

/** What all values of a type look like. */
const DTYPES: readonly (readonly [Dtype, RegExp])[] = [
  ["datetime", /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/],
  ["date", /^\d{4}-\d{2}-\d{2}$/],
  ["bool", /^(true|false)$/i],
];

/** Numbers by their decimal mark; what begins with further zeros is an identifier. */
const NUMBERS = {
  ".": /^[+-]?(?!0\d)(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i,
  ",": /^[+-]?(?!0\d)(\d+,?\d*|,\d+)(e[+-]?\d+)?$/i,
} as const;

/** A delimited text that nobody has declared. */
interface InferredTable {
  /** Its cells. */
  readonly table: CellTable;
  /** Decimal mark of its numbers. */
  readonly decimal: "." | ",";
  /** Types of its columns: that of all their values, else text. */
  readonly dtypes: readonly Dtype[];
}

/**
 * Reads a delimited text as it is. Its header is the first of its widest lines: lines that begin with `#` are comments, and
 * others may be above it.
 *
 * @param bytes The text, UTF-8
 * @throws {DataFormatError} If it is not a table; the message names line and column
 */
export function inferTable(bytes: Uint8Array, file: string): InferredTable {
  const lines = new TextDecoder().decode(bytes.subarray(0, MAX_BYTES)).split(/\r?\n/)
    .slice(0, MAX_LINES).filter((line) => line.trim() !== "" && !/^"?#/.test(line))
    .map((line) => new TextEncoder().encode(line));
  const [{ delimiter, rows: [names = []] }] = [",", ";", "\t"]
    .map((delimiter) => ({ delimiter, rows: findRows(lines, delimiter) }))
    .sort((a, b) => countSplit(b.rows) - countSplit(a.rows));
  const table = readTolerantCsv(bytes, file, { delimiter }, names);
  const values = table.columns.map(({ cells }) => cells.flatMap(readValue));
  const comma = delimiter !== "," && values.flat().some((value) => /^[+-]?\d+,\d+$/.test(value));
  const decimal = comma ? "," : ".";
  return { table, decimal, dtypes: values.map((column) => inferDtype(column, decimal)) };
}

/** The rows of the table: the widest ones. With another delimiter they are fewer, as with a decimal mark. */
function findRows(lines: readonly Uint8Array[], delimiter: string): string[][] {
  const rows = lines.map((line) => splitRow(line, 0, delimiter) ?? []);
  const width = Math.max(0, ...rows.map((row) => row.length));
  return rows.filter((row) => row.length === width);
}

/** Number of rows that a delimiter splits. */
function countSplit(rows: readonly (readonly string[])[]): number {
  return rows.filter((row) => row.length > 1).length;
}

function readValue(cell: Cell): string[] {
  const text = String(cell ?? "").trim();
  return text === "" ? [] : [text];
}

function inferDtype(values: readonly string[], decimal: "." | ","): Dtype {
  const dtype = DTYPES.find(([, pattern]) =>
    values.length > 0 && values.every(pattern.test, pattern)
  );
  if (dtype) return dtype[0];
  const numbers = values.filter((value) => !NULL_TEXTS.has(value));
  return numbers.length > 0 && numbers.every(NUMBERS[decimal].test, NUMBERS[decimal])
    ? "f64"
    : "utf8";
}
