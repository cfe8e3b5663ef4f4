import type { FieldColumn } from "./field_column.ts";
import { parseNumberWithComma } from "./decimal_marks.ts";

/** Texts that mean a missing value in numeric columns. */
export const NULL_TEXTS: ReadonlySet<string> = new Set(
  ["", "NaN", "nan", "NA", "N/A", "null", "NULL", "None", "-"],
);

/** A number without marks for thousands and without decimal comma. */
export const plainNumber: RegExp = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** A number with a group of three digits after any mark. */
const thousands = /^[+-]?\d{1,3}[.,' \u00a0\u202f]\d{3}(?!\d)/;

/**
 * Reads a number, or returns the sentence that refuses the text; NaN for a missing value.
 *
 * @param column Its column, which records decimal marks
 * @param commas Whether a comma may be a decimal mark
 * @param line Line of the field, counted from 1
 */
export function parseNumber(
  text: string,
  column: FieldColumn,
  commas: boolean,
  line: number,
): number | string {
  const trimmed = text.trim();
  if (NULL_TEXTS.has(trimmed)) return NaN;
  const withComma = commas ? parseNumberWithComma(trimmed) : undefined;
  const value = withComma ?? (plainNumber.test(trimmed) ? Number(trimmed) : NaN);
  const no = column.whole ? "is not a whole number of 32 bits" : "is not a number";
  if (!Number.isFinite(value) || column.whole && value !== (value | 0)) {
    const remedy = thousands.test(trimmed) ? ". Write numbers without marks for thousands" : "";
    return `${JSON.stringify(trimmed.slice(0, 60))} ${no}${remedy}`;
  }
  if (value < 0 && column.sentinels.has(-value)) return NaN;
  if (commas && /[.,]/.test(trimmed)) {
    column.marks.add({ row: line, column: column.name, value: trimmed }, column.column?.range);
  }
  return value;
}

/** Reads a whole number of 64 bits; `undefined` if it is not one. */
export function parseLargeNumber(text: string): bigint | undefined {
  if (!/^[+-]?\d{1,30}$/.test(text)) return undefined;
  const value = BigInt(text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}
