import type { CardRow } from "./card.ts";
import { formatNested } from "./table/cells.ts";
import { chooseDecimals, formatCount, formatNumber } from "./text/numbers.ts";
import { shortenText } from "./text/plain_text.ts";

/** Display of a field of a record. */
export interface Field {
  /** Short name. @default the field's name */
  readonly label?: string | undefined;
  /** Unit of the value. */
  readonly unit?: string | undefined;
  /** Decimals. @default two, and four digits below ten */
  readonly decimals?: number | undefined;
  /** Meaning of the value, one sentence. */
  readonly description?: string | undefined;
  /** Formats a list or a structure in a few words; `undefined` to show it normally. */
  readonly short?: (value: unknown) => string | undefined;
  /** The fields of a structure. */
  readonly fields?: Fields | undefined;
}

/** Fields by their names in the record. It is a map because a service may name a field `__proto__`. */
export type Fields = ReadonlyMap<string, Field>;

/** Significant digits of numbers below ten without declared decimals; larger ones have two decimals. */
const SIGNIFICANT = 4;

/** Longest text, in characters. */
const MAX_TEXT = 200;

/** Most parts shown of a structure. */
const MAX_PARTS = 20;

const NOTHING_DECLARED: Fields = new Map();

function formatDigits(value: number, { unit, decimals }: Field): string {
  const fixed = decimals ?? chooseDecimals(unit, Math.abs(value));
  if (fixed !== undefined && Number.isInteger(value)) return formatNumber(value);
  if (!Number.isFinite(value) || Number.isInteger(value)) return String(value);
  if (fixed !== undefined) return formatNumber(value, fixed);
  return Math.abs(value) >= 10 ? value.toFixed(2) : String(Number(value.toPrecision(SIGNIFICANT)));
}

/** Formats a list: its length, and its first values if they are texts or numbers. */
function formatList(values: readonly unknown[], field: Field): string {
  if (values.length === 0) return "none";
  const first = values.slice(0, MAX_PARTS);
  if (first.some((value) => typeof value === "object")) {
    return formatCount(values.length, "item");
  }
  const words = first.map((value) =>
    typeof value === "number" ? formatDigits(value, field) : String(value)
  );
  const more = values.length > first.length ? ", …" : "";
  const between = words.some((word) => /[\s,]/.test(word)) ? "; " : ", ";
  return shortenText(`${values.length}: ${words.join(between)}${more}`, MAX_TEXT);
}

/** Formats the value of a field in a few words; `null` if it is missing. */
export function formatValue(value: unknown, field: Field = {}): string | null {
  if (value === null || value === undefined) return null;
  const short = field.short?.(value);
  if (short !== undefined) return short;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return formatDigits(value, field);
  if (Array.isArray(value)) return formatList(value, field);
  return typeof value === "object" ? formatNested(value) : shortenText(String(value), MAX_TEXT);
}

function isStructure(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Builds the rows of a record: declared fields with their labels and units, others with their names, structures down to one
 * level.
 */
export function buildRecordRows(
  record: object,
  fields: Fields = NOTHING_DECLARED,
): CardRow[] {
  return Object.entries(record).flatMap(([name, value]): CardRow[] => {
    const field = fields.get(name) ?? {};
    const row = buildRow(name, value, field);
    if (!isStructure(value) || field.short?.(value) !== undefined) return [row];
    const all = Object.entries(value);
    const parts = all.slice(0, MAX_PARTS).map(([part, inner]) => ({
      ...buildRow(part, inner, field.fields?.get(part) ?? {}),
      part: true,
    }));
    const more = all.length - parts.length;
    return [
      { ...row, value: undefined },
      ...parts,
      ...(more > 0 ? [{ label: `… ${more} more`, value: "not shown", part: true }] : []),
    ];
  });
}

function buildRow(name: string, value: unknown, field: Field): CardRow {
  const { label, unit, description } = field;
  return {
    label: label ?? name,
    value: formatValue(value, field),
    unit: typeof value === "object" ? undefined : unit,
    hint: description === undefined ? undefined : `${name}: ${description}`,
  };
}
