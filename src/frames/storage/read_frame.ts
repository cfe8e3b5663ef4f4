import { assertTimeZone } from "../../time/zones.ts";
import pl, { type DataFrame } from "nodejs-polars";
import { addedColumn, type Column, type Dtype } from "../../api/columns/column.ts";
import { findHidden } from "../../api/error_text.ts";
import type { ErrorCode } from "../../api/errors.ts";
import { sha256 } from "../../disk/hashes.ts";
import { formatCount } from "../../show/text/numbers.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import { countDays, StampReader } from "../../time/stamps.ts";
import { type Cell, type CellTable, isEmpty, refuseCell } from "../cells/cell_table.ts";
import { buildNumberReader, type NumberReader } from "../cells/number_cells.ts";
import { readTolerantCsv } from "../cells/tolerant_csv.ts";
import { readCsv } from "../csv/csv_reader.ts";
import { splitRow } from "../csv/csv_field.ts";
import { nameByPlace } from "../csv/csv_layout.ts";
import { NULL_TEXTS, parseWhole } from "../csv/csv_numbers.ts";
import { readStampText } from "../csv/field_column.ts";
import { buildFileSource } from "../origin/file_origin.ts";
import { buildNumbers, buildSeries } from "../frame.ts";
import { describeFrame } from "../origin/provenance.ts";
import { readNamedFile, refuseFile } from "../files/read_file.ts";
import { readParquet } from "../files/parquet.ts";
import { delimiterOf, escapeFormulas, unescapeFormulas } from "./format_csv.ts";
import {
  type FrameMetadata,
  metadataPath,
  readMetadata,
  type SavedColumn,
} from "./frame_metadata.ts";
import { detectFileKind, toPath } from "./save_frame.ts";

/** Lines and bytes to search for the header. */
const MAX_LINES = 200;
const MAX_BYTES = 2 ** 20;

/** Patterns of the values of a type. */
const DTYPES: readonly (readonly [Dtype, RegExp])[] = [
  ["datetime", /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/],
  ["date", /^\d{4}-\d{2}-\d{2}$/],
  ["bool", /^(true|false)$/i],
];

/** Numbers by their decimal mark; with leading zeros it is an identifier. */
const NUMBERS = {
  ".": /^[+-]?(?!0\d)(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i,
  ",": /^[+-]?(?!0\d)(\d+,?\d*|,\d+)(e[+-]?\d+)?$/i,
} as const;

/** A delimited text without declared columns. */
interface InferredTable {
  /** Its cells. */
  readonly table: CellTable;
  /** Decimal mark of its numbers. */
  readonly decimal: "." | ",";
  /** Types of its columns: the common type of their values, else text. */
  readonly dtypes: readonly Dtype[];
}

/**
 * Reads a delimited text as it is. Its header is the first of its widest lines: lines that begin with `#` are comments, and
 * others may be above it.
 *
 * @param bytes The text, UTF-8
 * @throws {DataFormatError} If it is not a table; the message names line and column
 */
function inferTable(bytes: Uint8Array, file: string): InferredTable {
  const lines = new TextDecoder().decode(bytes.subarray(0, MAX_BYTES)).split(/\r?\n/)
    .slice(0, MAX_LINES).filter((line) => line.trim() !== "" && !/^"?#/.test(line))
    .map((line) => new TextEncoder().encode(line));
  const [{ delimiter, rows: [names = []] }] = [",", ";", "\t"]
    .map((delimiter) => ({ delimiter, rows: findRows(lines, delimiter) }))
    .sort((a, b) => countSplit(b.rows) - countSplit(a.rows));
  const columnNames = names.map((name) => name.trim());
  const table = readTolerantCsv(bytes, file, { delimiter }, columnNames);
  const values = table.columns.map(({ cells }) => cells.flatMap(readValue));
  const comma = delimiter !== "," && values.flat().some((value) => /^[+-]?\d+,\d+$/.test(value));
  const decimal = comma ? "," : ".";
  return { table, decimal, dtypes: values.map((column) => inferDtype(column, decimal)) };
}

/** The rows of the table: the widest ones. A wrong delimiter, such as a decimal mark, gives fewer rows. */
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

/** Options of {@linkcode readFrame}. */
export interface ReadFrameOptions {
  /** Declarations of columns, for their units and types. @default the metadata next to the file; without them, days, stamps and numbers of a CSV file are recognized, and all else is text */
  readonly columns?: readonly Column[];
  /** IANA zone of stamps without offset, for a CSV file without metadata. @default none: such stamps are an error */
  readonly timeZone?: string;
}

const OPERATION = "readFrame";

const OPTIONS = declareOptions<ReadFrameOptions>()("columns timeZone");

/**
 * Reads a frame that `saveFrame()` saved, with its units, descriptions, zones and origin; or any other Parquet or CSV
 * file. Lines of a CSV file that begin with `#` are comments; stamps are in UTC. Read production with
 * `readProduction()`.
 *
 * If a file was changed after it was saved, its provenance says so.
 *
 * @param file Path that ends in .parquet or .csv
 * @param options Declared columns of a file without metadata
 * @throws {DataFormatError} If the file does not fit its metadata or the declarations; the message names line and column
 * @throws {ArgumentError} If the path has another ending
 *
 * @example Your own CSV file
 * ```ts
 * import { readFrame } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const file = await Deno.makeTempFile({ suffix: ".csv" });
 * await Deno.writeTextFile(file, "# mast 2\ntime;wind_speed\n2023-05-01 00:00;7,25\n");
 * const mast = await readFrame(file, { timeZone: "Europe/Copenhagen" });
 * assertEquals(mast.getColumn("wind_speed").toArray(), [7.25]);
 * await Deno.remove(file);
 * ```
 */
export async function readFrame(
  file: string | URL,
  options: ReadFrameOptions = {},
): Promise<DataFrame> {
  const { timeZone } = readOptions("readFrame()", options, OPTIONS);
  if (timeZone !== undefined) assertTimeZone(timeZone, "timeZone");
  const path = toPath(file);
  const kind = detectFileKind(path);
  const bytes = await readNamedFile(path);
  const metadata = await readMetadata(path);
  if (!metadata) {
    if (kind !== "csv") {
      const frame = readParquet(bytes, path);
      return describeFrame(frame, options.columns ?? [], buildFileSource(path, bytes, OPERATION));
    }
    return readUndescribed(bytes, path, options);
  }
  const { columns } = metadata;
  const frame = kind === "csv" ? readSavedCsv(bytes, path, metadata) : readParquet(bytes, path);
  const givenColumns = options.columns ?? [];
  const declared = columns.flatMap(({ name, column }) =>
    givenColumns.find((one) => one.name === name) ?? column ?? []
  );
  const origin = metadata.origin.length > 0
    ? metadata.origin
    : [buildFileSource(path, bytes, OPERATION, metadata.synthetic || undefined)];
  if (metadata.sha256 === sha256(bytes)) return describeFrame(frame, declared, origin);
  const note = `${path.split(/[\\/]/).at(-1)} was changed after it was saved`;
  return describeFrame(frame, declared, origin, [note]);
}

/** Reads a CSV file without metadata by its declared columns, or as it is. */
function readUndescribed(
  bytes: Uint8Array,
  path: string,
  { columns, timeZone }: ReadFrameOptions,
): DataFrame {
  const source = buildFileSource(path, bytes, OPERATION);
  if (columns) {
    const table = readCsv(bytes, columns, { file: path, timeZone });
    return describeFrame(table.frame, table.columns, source);
  }
  const { table, decimal, dtypes } = inferTable(bytes, path);
  const numbers = buildNumberReader(table, { decimal });
  const width =
    table.columns.findLastIndex(({ name, cells }) =>
      name.trim() !== "" || cells.some((cell) => !isEmpty(cell))
    ) + 1;
  const series = table.columns.slice(0, width).map(({ name }, i) => {
    const hidden = findHidden(name);
    if (hidden) {
      refuseFile(path, `the name of column ${i + 1} has ${hidden}. Rename the column`);
    }
    const column = { name: nameByPlace(name, i), dtype: dtypes[i], timeZone: "UTC" };
    return readSeries(table, i, column, numbers, { safe: false, timeZone });
  });
  const blank = formatCount(table.columns.length - width, "last column");
  const notes = width < table.columns.length
    ? [`${blank} without a name or a value; left out`]
    : [];
  return describeFrame(pl.DataFrame(series), [], source, notes);
}

function readSavedCsv(
  bytes: Uint8Array,
  path: string,
  { columns, csv, synthetic }: FrameMetadata,
): DataFrame {
  if (!csv) {
    return refuseFile(metadataPath(path), `it does not state the CSV format of ${path}`);
  }
  if (columns.length === 0) return pl.DataFrame([]);
  const { decimal, safe } = csv;
  const layout = { skip_rows: synthetic ? 1 : 0, delimiter: delimiterOf(decimal) };
  const inFile = columns.map(({ name }) => safe ? escapeFormulas(name) : name);
  const table = readTolerantCsv(bytes, path, layout, inFile, undefined, true);
  const numbers = buildNumberReader(table, { decimal });
  return pl.DataFrame(
    columns.map((column, i) => readSeries(table, i, column, numbers, csv)),
  );
}

function readSeries(
  table: CellTable,
  i: number,
  { name, dtype, timeZone }: SavedColumn,
  numbers: NumberReader,
  { safe, timeZone: clock }: { readonly safe: boolean; readonly timeZone?: string | undefined },
) {
  const { cells } = table.columns[i];
  const each = <T>(
    read: (text: string, row: number) => T | undefined,
    expected: string,
    code?: ErrorCode,
  ): (T | null)[] =>
    cells.map((cell, row) => {
      const text = (cell as string | null)?.trim() ?? "";
      if (text === "") return null;
      const problem = `${JSON.stringify(text.slice(0, 60))} is not ${expected}`;
      return read(text, row) ?? refuseCell(table, row, i, problem, { code });
    });
  const column = addedColumn(name, dtype ?? "utf8", name, name);
  switch (column.dtype) {
    case "f64":
      return buildNumbers(name, numbers.read(i));
    case "i32":
    case "i64": {
      const bits = column.dtype === "i32" ? 32 : 64;
      const expected = `a ${bits}-bit integer`;
      const read = each((text) => parseWhole(text, bits), expected, "number");
      const integers = buildSeries({ ...column, dtype: "i64" }, read);
      return bits === 32 ? integers.cast(pl.Int32) : integers;
    }
    case "bool":
      return buildSeries(column, each(parseBool, "true or false"));
    case "date":
      return buildSeries(column, each(parseDay, "a day like 2023-05-01", "time_format"));
    case "datetime": {
      const reader = new StampReader(timeZone === undefined ? "UTC" : clock);
      const expected = clock === undefined
        ? "a time with an offset, like the first one. Correct it, or give timeZone, the time zone of the file"
        : `a local time of ${clock}, like the first one`;
      const stamps = each(
        (text, row) => {
          const read = readStampText(reader, text, row);
          return typeof read === "number" ? read : undefined;
        },
        expected,
        "time_format",
      );
      const micros = buildSeries(column, stamps, timeZone ?? "UTC");
      const unclear = reader.findUnclearHour();
      if (unclear) refuseCell(table, unclear.row, i, unclear.explanation, { code: "time_zone" });
      return timeZone === undefined ? micros.cast(pl.Datetime("us")) : micros;
    }
    case "utf8":
      return buildSeries(
        column,
        cells.map((cell: Cell) => {
          const text = cell as string | null;
          return text !== null && safe ? unescapeFormulas(text) : text;
        }),
      );
  }
}

function parseBool(text: string): boolean | undefined {
  const lower = text.toLowerCase(); // Excel writes TRUE
  return lower === "true" ? true : lower === "false" ? false : undefined;
}

function parseDay(text: string): number | undefined {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  const days = countDays(Number(year), Number(month), Number(day));
  return Number.isNaN(days) ? undefined : days;
}
