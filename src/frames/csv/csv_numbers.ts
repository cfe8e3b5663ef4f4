import type { Column } from "../../api/columns/column.ts";

/** Texts that mean a missing value in numeric columns. */
export const NULL_TEXTS: ReadonlySet<string> = new Set(
  ["", "NaN", "nan", "NA", "N/A", "null", "NULL", "None", "-"],
);

/** A number without thousands marks and without decimal comma. */
export const plainNumber: RegExp = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** A number with a decimal comma. */
const withComma = /^[+-]?\d*,\d+(?:[eE][+-]?\d+)?$/;

/** Moves the minus of a number to its front, as a hyphen: SAP writes it at the end, "12,5-", and some programs write U+2212. */
export function moveSign(text: string): string {
  return /^\d.*\d-$/.test(text) ? `-${text.slice(0, -1)}` : text.replace(/^\u2212(?=\d)/, "-");
}

/** Reads a number without thousands marks; NaN if it is not one. */
export function parsePlainNumber(text: string, commas: boolean): number {
  if (commas && withComma.test(text)) return Number(text.replace(",", "."));
  return plainNumber.test(text) ? Number(text) : NaN;
}

/** Reads an integer of 32 or 64 bits; `undefined` if it is not one. */
export function parseWhole(text: string, bits: 32 | 64): bigint | undefined {
  if (!/^[+-]?\d{1,30}$/.test(text)) return undefined;
  const value = BigInt(text);
  return BigInt.asIntN(bits, value) === value ? value : undefined;
}

/** A number as text, with its position, as facts of an error. */
export interface NumberText {
  /** Line, counted from 1. */
  readonly row: number;
  /** Name of the column in the header. */
  readonly column: string;
  /** Text of the number. */
  readonly value: string;
}

/** A number with either mark. */
const withMark = /^([+-]?)(\d*)[.,](\d*)([eE][+-]?\d+)?$/;

/** Whether the mark in a number can only be a decimal mark: by the digits around it, or by the declared range. */
function isDecimal(text: string, range: Column["range"]): boolean {
  const [, sign, whole, fraction, exponent] = withMark.exec(text)!;
  if (fraction.length !== 3 || whole.length > 3 || !/^[1-9]/.test(whole) || exponent) return true;
  if (!range) return false;
  const [low, high] = [range[0] ?? -Infinity, range[1] ?? Infinity];
  const inside = (value: number) => value >= low && value <= high;
  return inside(Number(`${sign}${whole}.${fraction}`)) &&
    !inside(Number(`${sign}${whole}${fraction}`));
}

/** Decimal marks in the numbers of one column, or of a file. */
export class DecimalMarks {
  /** First value with a point. */
  point?: NumberText;
  /** First value with a comma. */
  comma?: NumberText;
  /** First value whose mark may also group thousands. */
  #doubtful?: NumberText;
  /** Whether some value shows that its mark is a decimal one. */
  #proven = false;

  /** Whether another number with a point, or with a comma, would add no information. */
  knows(point: boolean): boolean {
    return this.#proven && (point ? this.point : this.comma) !== undefined;
  }

  /** Records a number with a point or a comma. */
  add(seen: NumberText, range?: Column["range"]): void {
    if (seen.value.includes(",")) this.comma ??= seen;
    else this.point ??= seen;
    if (isDecimal(seen.value, range)) this.#proven = true;
    else this.#doubtful ??= seen;
  }

  /** Adds the marks of another column. */
  join(other: DecimalMarks): void {
    this.point ??= other.point;
    this.comma ??= other.comma;
    this.#doubtful ??= other.#doubtful;
    this.#proven ||= other.#proven;
  }

  /** Finds a number that makes the decimal mark ambiguous, and explains why; `undefined` if it is unambiguous. */
  findProblem(): (NumberText & { readonly explanation: string }) | undefined {
    const { point, comma } = this;
    if (point && comma) {
      const [first, second] = point.row <= comma.row ? [point, comma] : [comma, point];
      return {
        ...second,
        explanation: `"${second.value}" has a different decimal mark from "${first.value}" in ` +
          `line ${first.row}. Use one decimal mark in all columns, and no thousands mark`,
      };
    }
    if (!this.#doubtful || this.#proven) return undefined;
    const { value } = this.#doubtful;
    const remedy = comma
      ? "Use a decimal point and no thousands mark"
      : "Remove thousands marks. If the mark is a decimal point, separate fields with commas, or " +
        'give readProduction() decimal: "."';
    return {
      ...this.#doubtful,
      explanation:
        `"${value}" may be ${value.replace(",", ".")} or ${value.replace(/[.,]/, "")}: the ` +
        `other numbers do not show which. ${remedy}`,
    };
  }
}
