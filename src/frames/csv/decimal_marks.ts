import type { Column } from "../../api/columns/column.ts";

/** A value as it stands in a line. */
export interface NumberText {
  /** Line, counted from 1. */
  readonly line: number;
  /** Name of the column in the header. */
  readonly column: string;
  /** The value's text. */
  readonly text: string;
}

/** A number with a decimal comma. */
const withComma = /^[+-]?\d*,\d+(?:[eE][+-]?\d+)?$/;

/** A number with either mark. */
const withMark = /^([+-]?)(\d*)[.,](\d*)([eE][+-]?\d+)?$/;

/** The number that a text with a decimal comma stands for, or `undefined` where it is none. */
export function parseNumberWithComma(text: string): number | undefined {
  return withComma.test(text) ? Number(text.replace(",", ".")) : undefined;
}

/** Whether the mark in a number can only be a decimal one: what follows is no group of three digits, or what precedes it begins none. */
function isDecimal(text: string, range: Column["range"]): boolean {
  const [, sign, whole, fraction, exponent] = withMark.exec(text)!;
  if (fraction.length !== 3 || whole.length > 3 || !/^[1-9]/.test(whole) || exponent) return true;
  if (!range) return false;
  const [low, high] = [range[0] ?? -Infinity, range[1] ?? Infinity];
  const inside = (value: number) => value >= low && value <= high;
  return inside(Number(`${sign}${whole}.${fraction}`)) &&
    !inside(Number(`${sign}${whole}${fraction}`));
}

/** What the numbers of one column, or of a file, tell about its decimal mark. */
export class DecimalMarks {
  /** First value with a point. */
  point?: NumberText;
  /** First value with a comma. */
  comma?: NumberText;
  /** First value whose mark may also group thousands. */
  #doubtful?: NumberText;
  /** Whether some value shows that its mark is a decimal one. */
  #proven = false;

  /** Whether another number with a point, or with a comma, would tell nothing new. */
  knows(point: boolean): boolean {
    return this.#proven && (point ? this.point : this.comma) !== undefined;
  }

  /** Takes note of a number with a point or a comma. */
  add(seen: NumberText, range?: Column["range"]): void {
    if (seen.text.includes(",")) this.comma ??= seen;
    else this.point ??= seen;
    if (isDecimal(seen.text, range)) this.#proven = true;
    else this.#doubtful ??= seen;
  }

  /** Takes note of what another column tells. */
  join(other: DecimalMarks): void {
    this.point ??= other.point;
    this.comma ??= other.comma;
    this.#doubtful ??= other.#doubtful;
    this.#proven ||= other.#proven;
  }

  /** The value that shows that the numbers cannot be told, and why; `undefined` where they can. */
  findProblem(): (NumberText & { readonly found: string }) | undefined {
    const { point, comma } = this;
    if (point && comma) {
      const [first, second] = point.line <= comma.line ? [point, comma] : [comma, point];
      return {
        ...second,
        found: `"${second.text}" has another decimal mark than "${first.text}" in line ` +
          `${first.line}. Use one mark in all columns, and none for thousands`,
      };
    }
    if (!this.#doubtful || this.#proven) return undefined;
    const { text } = this.#doubtful;
    const remedy = comma
      ? "Use a decimal point, and no mark for thousands"
      : "Leave out marks for thousands. Where it is a decimal point, separate fields with commas, " +
        'or give readProduction() decimal: "."';
    return {
      ...this.#doubtful,
      found: `"${text}" may be ${text.replace(",", ".")} or ${text.replace(/[.,]/, "")}: nothing ` +
        `in the file tells. ${remedy}`,
    };
  }
}
