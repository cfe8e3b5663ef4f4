import pl, { type DataFrame, type Series } from "nodejs-polars";
import { ArgumentError } from "../../api/errors.ts";
import { declaredType, dtypeName, zoneOf } from "../frame.ts";
import { isTimeZone } from "../../time/zones.ts";

/** Format of a CSV file. */
interface CsvStyle {
  /** Decimal mark; with a comma, fields are separated by semicolons. */
  readonly decimal: "." | ",";
  /** Whether texts are escaped, so spreadsheets cannot run them as formulas. */
  readonly safe: boolean;
  /** Whether the file begins with a byte order mark, by which Excel recognizes UTF-8. */
  readonly bom: boolean;
  /** First line, above the header, which says that the figures are invented; `undefined` if they are not. */
  readonly firstLine: string | undefined;
}

/** Character between fields for a decimal mark. */
export function delimiterOf(decimal: "." | ","): "," | ";" {
  return decimal === "," ? ";" : ",";
}

/** From here on the offsets of all zones are whole minutes; an earlier stamp with offset is not exact. */
const WHOLE_MINUTES_SINCE = 94_694_400e6; // 1973-01-01, microseconds

/**
 * Formats a frame as CSV, UTF-8: numbers with all digits, stamps with offset, empty fields for missing values.
 *
 * @throws {ArgumentError} If a column has values that CSV cannot store
 */
export function formatCsv(frame: DataFrame, file: string, style: CsvStyle): Uint8Array {
  const delimiter = delimiterOf(style.decimal);
  const quote = buildQuote(delimiter, style.safe);
  const refuse = (column: string, problem: string): never => {
    throw new ArgumentError(`Cannot save ${file}: in column "${column}", ${problem}`);
  };
  const names = frame.columns;
  if (names.includes("")) refuse("", "the name is empty. Rename the column");
  const columns = names.map((name) => formatFields(frame, name, style.decimal, quote, refuse));
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  if (style.bom) parts.push(Uint8Array.of(0xef, 0xbb, 0xbf));
  let lines = style.firstLine === undefined ? [] : [style.firstLine];
  lines.push(names.map(quote).join(delimiter));
  for (let row = 0; row < frame.height; row++) {
    lines.push(columns.map((column) => column[row]).join(delimiter));
    if (lines.length === LINES_AT_ONCE) {
      parts.push(encoder.encode(`${lines.join("\n")}\n`));
      lines = [];
    }
  }
  if (lines.length > 0) parts.push(encoder.encode(`${lines.join("\n")}\n`));
  return Buffer.concat(parts);
}

/** Lines that are encoded at once: a few megabytes. */
const LINES_AT_ONCE = 65_536;

/** Builds a function that puts texts in quotes if they need them. */
function buildQuote(delimiter: string, safe: boolean): (text: string) => string {
  const special = new RegExp(`^$|^\\s|\\s$|["#\\r\\n\\t;,${delimiter}]`);
  return (text) => {
    const written = safe ? escapeFormulas(text) : text;
    return special.test(written) ? `"${written.replaceAll('"', '""')}"` : written;
  };
}

function formatFields(
  frame: DataFrame,
  name: string,
  decimal: "." | ",",
  quote: (text: string) => string,
  refuse: (column: string, problem: string) => never,
): string[] {
  const series = frame.getColumn(name);
  const type = dtypeName(series.dtype);
  switch (declaredType(type)) {
    case "f64":
      return formatNumbers(series, decimal);
    case "i64":
      if (type === "UInt64" && BigInt(series.max() ?? 0) >= 2n ** 63n) {
        refuse(
          name,
          "a number does not fit into a signed 64-bit integer. Save the frame as .parquet",
        );
      }
      return replaceNulls(series.cast(pl.Utf8));
    case "i32":
    case "bool":
      return replaceNulls(series.cast(pl.Utf8));
    case "utf8":
      return (series.cast(pl.Utf8).toArray() as (string | null)[]).map((text) => {
        if (text?.includes("\0")) {
          refuse(name, "a text contains a NUL character. Save the frame as .parquet");
        }
        return text === null ? "" : quote(text);
      });
    case "date":
      return replaceNulls(formatTimes(frame, name, "%Y-%m-%d"));
    case "datetime":
      return formatStamps(frame, name, zoneOf(series.dtype), (problem) => refuse(name, problem));
    default:
      return refuse(
        name,
        `CSV cannot store ${type}. Save the frame as .parquet, or leave the column out`,
      );
  }
}

function replaceNulls(series: Series): string[] {
  return (series.toArray() as (string | null)[]).map((text) => text ?? "");
}

function formatTimes(frame: DataFrame, name: string, format: string): Series {
  return frame.select(pl.col(name).dt.strftime(format)).getColumn(name);
}

/** Formats numbers with all digits; none is NaN or infinite. */
function formatNumbers(series: Series, decimal: "." | ","): string[] {
  return (series.toArray() as (number | null)[]).map((value) => {
    if (value === null) return "";
    const text = Object.is(value, -0) ? "-0" : String(value);
    return decimal === "," ? text.replace(".", ",") : text;
  });
}

function formatStamps(
  frame: DataFrame,
  name: string,
  zone: string | undefined,
  refuse: (problem: string) => never,
): string[] {
  if (zone !== undefined && !isTimeZone(zone)) {
    refuse(`its zone "${zone}" is not an IANA time zone. Cast it to one, or to UTC`);
  }
  const series = frame.getColumn(name).cast(pl.Datetime("us"));
  const micros = series.cast(pl.Int64);
  const fraction = (micros.cast(pl.Float64).toArray() as (number | null)[])
    .some((value) => value !== null && value % 1e6 !== 0);
  const format = `%Y-%m-%dT%H:%M:%S${fraction ? "%.6f" : ""}`;
  if (zone === undefined) return replaceNulls(formatTimes(frame, name, format));
  const utc = zone === "UTC" || Number(micros.min() ?? 0) < WHOLE_MINUTES_SINCE;
  const inUtc = frame.withColumn(pl.col(name).cast(pl.Datetime("us", "UTC")));
  return replaceNulls(
    utc ? formatTimes(inUtc, name, `${format}Z`) : formatTimes(frame, name, `${format}%:z`),
  );
}

/** Characters with which formulas begin in spreadsheets, full-width ones among them, and our own mark. */
const FORMULA_STARTS = "=+\\-@\\t\\r\\n'\uff1d\uff0b\uff0d\uff20";

/** Positions where a cell may begin: a spreadsheet that expects other separators splits texts as well. */
const CELL_START = "^|[;,\\t\\r\\n]";

const unsafe = new RegExp(`(?<=${CELL_START})(?=[${FORMULA_STARTS}])`, "g");
const marked = new RegExp(`(?<=${CELL_START})'`, "g");

/** Puts an apostrophe wherever a formula could begin, so spreadsheets cannot run the text. */
export function escapeFormulas(text: string): string {
  return text.replace(unsafe, "'");
}

/** Removes the apostrophes of {@linkcode escapeFormulas}. */
export function unescapeFormulas(text: string): string {
  return text.replace(marked, "");
}
