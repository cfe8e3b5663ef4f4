import pl from "nodejs-polars";
import type { DataType, Series } from "nodejs-polars";
import type { Column } from "../../api/columns/column.ts";
import { month } from "../../api/columns/columns.ts";
import { chooseDecimals, formatNumber, formatShare, isShare } from "../text/numbers.ts";
import { MAX_CELL, shortenText } from "../text/plain_text.ts";

const DAY_START = "T00:00:00.000Z";

/** Formats a timestamp in ISO 8601; midnight UTC as a date. */
function formatDate(date: Date): string {
  if (Number.isNaN(date.getTime())) return "no date";
  const text = date.toISOString();
  return text.endsWith(DAY_START) ? text.slice(0, -DAY_START.length) : text.replace(".000Z", "Z");
}

/** Appends the parts of a value until the cell is full. */
function write(value: unknown, out: { text: string }): void {
  if (out.text.length > MAX_CELL) return;
  if (value === null || value === undefined) out.text += "null";
  else if (value instanceof Date) out.text += formatDate(value);
  else if (typeof value === "string") out.text += JSON.stringify(value.slice(0, 4 * MAX_CELL));
  else if (ArrayBuffer.isView(value) || Array.isArray(value)) {
    writeList("[", Array.from((value as unknown[]).slice(0, MAX_CELL)), "]", out, write);
  } else if (typeof value === "object") {
    writeList("{", Object.entries(value), "}", out, ([name, inner]) => {
      out.text += `${name}: `;
      write(inner, out);
    });
  } else out.text += String(value); // keeps NaN, and all digits of bigints
}

function writeList<T>(
  open: string,
  items: readonly T[],
  close: string,
  out: { text: string },
  item: (item: T, out: { text: string }) => void,
): void {
  out.text += open;
  for (const [i, one] of items.entries()) {
    if (out.text.length > MAX_CELL) return;
    if (i > 0) out.text += ", ";
    item(one, out);
  }
  out.text += close;
}

/** Formats a list, a structure or bytes to fit a cell: "[1, 2, NaN]", "{a: 1}". JSON would write NaN as null. */
export function formatNested(value: unknown): string {
  const out = { text: "" };
  write(value, out);
  return shortenText(out.text);
}

/** Significant digits of the largest number of a column, and the most decimals of any number. */
const SIGNIFICANT = 5;
const MAX_DECIMALS = 3;

const FLOATS: ReadonlySet<string> = new Set(["Float32", "Float64"]);
const NUMERIC = /^((U?Int|Float)\d+|Decimal)$/;
const NESTED: ReadonlySet<string> = new Set(["List", "FixedSizeList", "Struct", "Object"]);

/** Shortens the name of a dtype as Polars does: "f64", "u8", "str". */
const shortenName = (name: string) =>
  name.toLowerCase().replace(/^u?int(?=\d)|^float/, (match) => match[0])
    .replace(/^(utf8|string)$/, "str");

/** Reads unit and time zone from the printed dtype, the only place that has them. */
function readUnitAndZone(dtype: DataType): { unit: string; zone: string } | undefined {
  const match = /^DataType\((?:Datetime|Duration)\((\w+),?(.*)\)\)$/.exec(String(dtype));
  return match ? { unit: match[1], zone: match[2] } : undefined;
}

/** Name of a dtype as printed by Polars: "f64", "datetime[us, Europe/Copenhagen]", "list[f64]". */
export function dtypeName(dtype: DataType): string {
  const name = shortenName(dtype.variant);
  const listed = /^DataType\(List\(DataType\((\w+)/.exec(String(dtype));
  if (listed) return `${name}[${shortenName(listed[1])}]`;
  const { unit, zone } = readUnitAndZone(dtype) ?? {};
  return unit ? `${name}[${zone ? `${unit}, ${zone}` : unit}]` : name;
}

/** Whether values of the dtype are numbers, which are aligned right. */
export function isNumeric(dtype: DataType): boolean {
  return NUMERIC.test(dtype.variant);
}

/** Whether to show a column in %, rounded down: its declaration and its values, 0 to 1, must be shares. */
export function showsShares(series: Series, column: Column | undefined): boolean {
  return column !== undefined && isShare(column) && FLOATS.has(series.dtype.variant) &&
    (series.toArray() as (number | null)[]).every((value) =>
      value === null || (value >= 0 && value <= 1)
    );
}

/**
 * Formats the values of a column; `null` for a missing value.
 *
 * @param column Its declaration: numbers get the decimals of its unit, shares are in %
 */
export function formatCells(series: Series, column?: Column): (string | null)[] {
  const { variant } = series.dtype;
  if (FLOATS.has(variant)) {
    const values = series.toArray() as (number | null)[];
    return showsShares(series, column)
      ? values.map((value) => value === null ? null : formatShare(value))
      : formatFloats(values, column?.unit);
  }
  if (variant === "Date" && series.name === month.name) return formatMonths(castToTexts(series));
  if (variant === "Datetime") return formatStamps(castToTexts(series));
  if (NESTED.has(variant)) return formatNestedValues(series);
  try {
    const counts = column?.unit !== undefined && isNumeric(series.dtype); // years and ids have no unit
    return castToTexts(series).map((text) =>
      text === null ? null : counts ? formatNumber(Number(text)) : shortenText(text)
    );
  } catch {
    return formatNestedValues(series); // for bytes that are not text
  }
}

/** Lets Polars format the values: 64-bit integers keep their digits, dates are ISO. */
function castToTexts(series: Series): (string | null)[] {
  return series.cast(pl.Utf8).toArray() as (string | null)[];
}

function formatNestedValues(series: Series): (string | null)[] {
  return series.toArray().map((value: unknown) => value === null ? null : formatNested(value));
}

/** Formats the first days of months as months; other days stay unchanged. */
function formatMonths(days: readonly (string | null)[]): (string | null)[] {
  return days.every((day) => day === null || day.endsWith("-01"))
    ? days.map((day) => day && day.slice(0, -3))
    : [...days];
}

function formatFloats(
  values: readonly (number | null)[],
  unit: string | undefined,
): (string | null)[] {
  const finite = values.filter((value) => value !== null && Number.isFinite(value)) as number[];
  const largest = finite.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const extreme = largest !== 0 && (largest >= 1e12 || largest < 1e-3);
  const unitDecimals = chooseDecimals(unit, largest);
  const decimals = countDecimals(finite, largest, unitDecimals);
  return values.map((value) => {
    if (value === null) return null;
    if (Number.isNaN(value)) return "NaN";
    if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
    if (extreme) return value === 0 ? "0" : value.toExponential(SIGNIFICANT - 1);
    if (unitDecimals !== undefined) return formatNumber(value, decimals); // as in sentences
    const text = value.toFixed(decimals);
    if (Number(text) !== 0) return text;
    const rounding = 1e-14 * Math.max(1, largest); // rounding error of sums of large numbers
    return Math.abs(value) > rounding ? value.toExponential(1) : text.replace("-", "");
  });
}

/** Counts the fewest decimals that show all values exactly, limited by the unit or by the largest value. */
function countDecimals(
  values: readonly number[],
  largest: number,
  unitDecimals: number | undefined,
): number {
  const digits = largest < 1 ? 0 : Math.floor(Math.log10(largest)) + 1;
  const most = unitDecimals ?? Math.max(0, Math.min(MAX_DECIMALS, SIGNIFICANT - digits));
  for (let decimals = 0; decimals < most; decimals++) {
    const tolerance = 1e-9 * Math.max(1, largest);
    if (values.every((value) => Math.abs(Number(value.toFixed(decimals)) - value) <= tolerance)) {
      return decimals;
    }
  }
  return most;
}

/** Formats timestamps in ISO 8601 with the offset of the time zone; with seconds only if the column needs them. */
function formatStamps(texts: readonly (string | null)[]): (string | null)[] {
  const parts = texts.map((text) =>
    text === null ? null : /^(\S+) (\d+:\d+)(:\d+)(\.\d+)?(\S*)$/.exec(text)
  );
  const fraction = parts.some((part) => /[1-9]/.test(part?.[4] ?? ""));
  const seconds = fraction || parts.some((part) => /[1-9]/.test(part?.[3] ?? ""));
  return texts.map((text, i) => {
    const part = parts[i];
    if (!part) return text;
    const [, day, minutes, second, decimals = "", offset] = part;
    return `${day}T${minutes}${seconds ? second : ""}${fraction ? decimals : ""}${offset}`;
  });
}
