import pl, { type DataFrame, type DataType } from "nodejs-polars";
import { type Column, wireName } from "../api/column.ts";
import { DataFormatError } from "../api/errors.ts";
import { polarsType } from "./dtype.ts";
import { type CsvLayout, csvLayout, lineOfRow } from "./csv_layout.ts";
import { parseStamps } from "./stamps.ts";

/** Texts that stand for a missing value in numeric columns. */
export const NULL_TEXTS: ReadonlySet<string> = new Set(
  ["", "NaN", "nan", "NA", "N/A", "null", "NULL", "None", "-"],
);

/** Options of {@linkcode readCsv}. */
export interface ReadCsvOptions {
  /** Name of the file or address, for messages. */
  file: string;
  /** IANA zone of stamps without offset; without it such stamps are an error. */
  timeZone?: string;
  /** Whether columns that are not declared are kept, as numbers where every value is one, else as text. @default {true} */
  extra?: boolean;
}

/** A table read from delimited text. */
export interface CsvTable {
  /** Declared columns under their frame names, then the others. Datetimes stand in UTC. */
  readonly frame: DataFrame;
  /** Line of the first row, counted from 1. */
  readonly firstLine: number;
}

/** Polars reads datetimes and dates as text first: its own parser drops offsets. */
function readType(column: Column): DataType {
  const numeric = column.dtype === "f64" || column.dtype === "i32" || column.dtype === "i64";
  return numeric ? polarsType(column) : pl.Utf8;
}

/**
 * Reads a delimited text with declared columns into a typed frame. Delimiter, preamble and order of columns are found
 * by the header; columns that are not declared are kept.
 *
 * @param bytes The text, UTF-8
 * @param columns Declarations by wire name; all but the optional ones must be there
 * @param options Name of the file, zone of stamps without offset
 * @throws {DataFormatError} If it is not such a table; the message names line and column
 */
export function readCsv(
  bytes: Uint8Array,
  columns: readonly Column[],
  options: ReadCsvOptions,
): CsvTable {
  const { file, extra = true } = options;
  const required = columns.filter((column) => !column.optional).map(wireName);
  const layout = csvLayout(bytes, file, required);
  const firstLine = layout.headerLine + 1;
  const declared = new Map(columns.map((column) => [wireName(column), column]));
  const raw = readTyped(bytes, layout, columns, file);
  const series = columns.filter((column) => layout.names.includes(wireName(column)))
    .map((column) => {
      const values = raw.getColumn(wireName(column));
      const parsed = column.dtype === "datetime" || column.dtype === "date"
        ? parseStamps(values, {
          file,
          column: wireName(column),
          firstLine,
          ...(column.dtype === "date"
            ? { timeZone: "UTC" }
            : options.timeZone
            ? { timeZone: options.timeZone }
            : {}),
        })
        : values;
      return (column.dtype === "date" ? parsed.cast(pl.Date) : parsed).rename(column.name);
    });
  const others = extra
    ? layout.names.filter((name) => !declared.has(name))
      .map((name) => numbersIfPossible(raw.getColumn(name)))
    : [];
  const frameNames = new Set(series.map(({ name }) => name));
  const clash = others.find(({ name }) => frameNames.has(name));
  if (clash) {
    throw new DataFormatError(
      `Cannot read ${file}: line ${layout.headerLine}: a further column is called "${clash.name}", like a declared ` +
        "one in the frame. Rename it",
    );
  }
  return { frame: pl.DataFrame([...series, ...others]), firstLine };
}

/** The table with the declared types: at once where every value has them, else by way of text, to tell what is wrong. */
function readTyped(
  bytes: Uint8Array,
  layout: CsvLayout,
  columns: readonly Column[],
  file: string,
): DataFrame {
  const declared = new Map(columns.map((column) => [wireName(column), readType(column)]));
  const schema = Object.fromEntries(
    layout.names.map((name) => [name, declared.get(name) ?? pl.Utf8]),
  );
  const settings = { sep: layout.delimiter };
  const { from, to } = layout;
  const body = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from);
  try {
    const typed = pl.readCSV(body, { ...settings, schema });
    const doubtful = layout.names.some((name) =>
      schema[name].equals(pl.Float64) && !isFinite(typed.getColumn(name))
    );
    if (!doubtful) return typed;
  } catch {
    // Some value is not of its column's type: below it is found, or turns out to stand for a missing one.
  }
  const texts = Object.fromEntries(layout.names.map((name) => [name, pl.Utf8]));
  let text: DataFrame;
  try {
    text = pl.readCSV(body, { ...settings, schema: texts });
  } catch (cause) {
    const found = (cause as Error).message.split("\n")[0];
    throw new DataFormatError(`Cannot read ${file}: its quotes or fields do not fit (${found})`, {
      cause,
    });
  }
  return pl.DataFrame(layout.names.map((name) => {
    const values = text.getColumn(name);
    if (schema[name].equals(pl.Utf8)) return values;
    return numbersOfTexts(values, schema[name], (row, value) => {
      throw new DataFormatError(
        `Cannot read ${file}: line ${lineOfRow(bytes, layout, row)}, column "${name}": ` +
          `${JSON.stringify(value.slice(0, 60))} is not a number`,
      );
    });
  }));
}

/** Whether all values are finite or null. A sum is: one pass, without a mask. */
function isFinite(series: pl.Series): boolean {
  return Number.isFinite(series.sum());
}

/** Numbers of texts; a text that is neither one nor stands for a missing one is handed to `refuse`. */
function numbersOfTexts(
  texts: pl.Series,
  dtype: DataType,
  refuse: (row: number, value: string) => never,
): pl.Series {
  const cleaned = (texts.toArray() as (string | null)[]).map((value) => {
    const trimmed = value?.trim() ?? "";
    return NULL_TEXTS.has(trimmed) ? null : trimmed;
  });
  const numbers = pl.Series(texts.name, cleaned, pl.Utf8).cast(dtype);
  const missing = numbers.isNull().toArray() as boolean[];
  const row = cleaned.findIndex((value, i) =>
    value !== null && (missing[i] || !Number.isFinite(Number(value)))
  );
  if (row !== -1) refuse(row, cleaned[row]!);
  return numbers;
}

/** Whole numbers beyond this lose digits as floats. */
const LARGEST_EXACT = 2 ** 53;

/** A column that is not declared: numbers where every value is one or missing, else text. */
function numbersIfPossible(texts: pl.Series): pl.Series {
  let numbers = texts.cast(pl.Float64);
  if (numbers.nullCount() !== texts.nullCount() || !isFinite(numbers)) {
    try {
      numbers = numbersOfTexts(texts, pl.Float64, () => {
        throw new RangeError();
      });
    } catch (error) {
      if (error instanceof RangeError) return texts;
      throw error;
    }
  }
  const largest = Math.max(Math.abs(numbers.max() ?? 0), Math.abs(numbers.min() ?? 0));
  return largest < LARGEST_EXACT ? numbers : texts;
}
