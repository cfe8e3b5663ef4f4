import pl, { type DataFrame, type DataType } from "nodejs-polars";
import { type Column, wireName } from "../api/column.ts";
import { DataFormatError } from "../api/errors.ts";
import { csvLayout } from "./csv_layout.ts";
import { parseStamps } from "./stamps.ts";

/** Texts that stand for a missing value in numeric columns. */
export const NULL_TEXTS = ["", "NaN", "nan", "NA", "N/A", "null", "NULL", "None", "-"] as const;

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
  switch (column.dtype) {
    case "f64":
      return pl.Float64;
    case "i32":
      return pl.Int32;
    case "i64":
      return pl.Int64;
    default:
      return pl.Utf8;
  }
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
  const body = Buffer.from(
    bytes.buffer,
    bytes.byteOffset + layout.from,
    layout.to - layout.from,
  );
  const schema = Object.fromEntries(layout.names.map((name) => {
    const column = declared.get(name);
    return [name, column ? readType(column) : pl.Utf8];
  }));
  const settings = { sep: layout.delimiter, nullValues: [...NULL_TEXTS] };
  let raw: DataFrame;
  try {
    raw = pl.readCSV(body, { ...settings, schema });
  } catch (cause) {
    const texts = Object.fromEntries(layout.names.map((name) => [name, pl.Utf8]));
    const text = pl.readCSV(body, { ...settings, schema: texts });
    const bad = firstUnreadable(text, columns);
    throw new DataFormatError(
      bad
        ? `Cannot read ${file}: line ${firstLine + bad.row}, column "${bad.name}": ` +
          `${JSON.stringify(bad.value.slice(0, 60))} is not a number`
        : `Cannot read ${file}: ${(cause as Error).message.split("\n")[0]}`,
      { cause },
    );
  }
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
  return { frame: pl.DataFrame([...series, ...others]), firstLine };
}

function numbersIfPossible(series: pl.Series): pl.Series {
  const numbers = series.cast(pl.Float64);
  return numbers.nullCount() === series.nullCount() ? numbers : series;
}

function firstUnreadable(
  text: DataFrame,
  columns: readonly Column[],
): { row: number; name: string; value: string } | undefined {
  let first: { row: number; name: string; value: string } | undefined;
  for (const column of columns) {
    const name = wireName(column);
    if (readType(column).equals(pl.Utf8) || !text.columns.includes(name)) continue;
    const series = text.getColumn(name);
    const values = series.toArray() as (string | null)[];
    const row = (series.cast(readType(column)).toArray() as (number | null)[])
      .findIndex((value, i) => value === null && values[i] !== null);
    if (row !== -1 && (!first || row < first.row)) first = { row, name, value: values[row]! };
  }
  return first;
}
