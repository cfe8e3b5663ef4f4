import type { FieldColumn } from "./field_column.ts";

/** Texts that mean a missing value in numeric columns. */
export const NULL_TEXTS: ReadonlySet<string> = new Set(
  ["", "NaN", "nan", "NA", "N/A", "null", "NULL", "None", "-"],
);

/** A number without marks for thousands and without decimal comma. */
export const plainNumber: RegExp = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** A number with a decimal comma. */
const withComma = /^[+-]?\d*,\d+(?:[eE][+-]?\d+)?$/;

/** Writes the minus of a number as a hyphen in front: SAP has it behind, "12,5-", and some programs as a sign of its own. */
export function moveSign(text: string): string {
  return /^\d.*\d-$/.test(text) ? `-${text.slice(0, -1)}` : text.replace(/^\u2212(?=\d)/, "-");
}

/** Reads a number without marks for thousands; NaN if it is none. */
export function parsePlainNumber(text: string, commas: boolean): number {
  if (commas && withComma.test(text)) return Number(text.replace(",", "."));
  return plainNumber.test(text) ? Number(text) : NaN;
}

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
  const trimmed = moveSign(text.trim());
  if (NULL_TEXTS.has(trimmed) || column.nullTexts?.includes(trimmed)) return NaN;
  const value = parsePlainNumber(trimmed, commas);
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
