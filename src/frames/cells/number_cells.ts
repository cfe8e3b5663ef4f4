import { type Cell, type CellTable, refuseCell } from "./cell_table.ts";
import { refuseFile } from "../files/read_file.ts";
import { DecimalMarks, moveSign, NULL_TEXTS, parsePlainNumber } from "../csv/csv_numbers.ts";

/** Declared format of numbers. */
export interface NumberFormat {
  /** Decimal mark. */
  readonly decimal?: "." | "," | undefined;
  /** Mark between groups of three digits. */
  readonly thousands?: "." | "," | "'" | " " | undefined;
  /** Values that mean missing, in addition to the usual ones. */
  readonly null_values?: readonly (string | number)[] | undefined;
}

/** Characters that count as a declared mark: several spaces, two apostrophes. */
const groupMarks = {
  ".": "\\.",
  ",": ",",
  "'": "['\u2019]",
  " ": "[ \u00a0\u2009\u202f]",
} as const;

/** Reads columns of numbers. */
export interface NumberReader {
  /** Reads the numbers of the column at a position; missing ones are NaN. */
  readonly read: (column: number) => Float64Array;
  /** Refuses decimal marks that are still ambiguous. Call it after all columns. */
  readonly end: () => void;
}

/**
 * Makes a reader of numbers in their declared format; if no decimal mark is declared, some number must show which one it is.
 *
 * @returns Its functions throw `DataFormatError` if a cell is not a number; the message names the cell
 */
export function buildNumberReader(
  table: CellTable,
  { decimal, thousands, null_values: nullValues = [] }: NumberFormat,
): NumberReader {
  const point = decimal === "," ? "," : "\\.";
  const mark = thousands && groupMarks[thousands];
  const integer = mark ? `(?:\\d{1,3}(?:${mark}\\d{3})+|\\d+)` : "\\d+";
  const pattern = new RegExp(
    `^[+-]?(?:${integer}(?:${point}\\d*)?|${point}\\d+)(?:[eE][+-]?\\d+)?$`,
  );
  const group = mark ? new RegExp(`^[+-]?0+${mark}\\d{3}$`) : undefined;
  const marks = mark ? new RegExp(mark, "g") : undefined;
  const missing = new Set(nullValues.map(String));
  const numbers = new Set(
    nullValues.map((value) => typeof value === "number" ? value : parse(value.trim())),
  );
  const seen = new DecimalMarks();

  function read(column: number): Float64Array {
    const { cells } = table.columns[column];
    return Float64Array.from(cells, (cell, row) => {
      const value = readCell(cell, row, column);
      if (typeof value === "string") {
        return refuseCell(table, row, column, value, { code: "number" });
      }
      return numbers.has(value) ? NaN : value;
    });
  }

  function end(): void {
    const problem = seen.findProblem();
    if (!problem) return;
    const sentence = `${problem.explanation}. You can also declare "decimal" and "thousands"`;
    refuseFile(table.file, sentence, { code: "number", ...problem });
  }

  function readCell(cell: Cell, row: number, column: number): number | string {
    if (cell === null) return NaN;
    if (typeof cell === "string") return readText(cell.trim(), row, column);
    if (typeof cell === "number" || typeof cell === "bigint") {
      const value = Number(cell);
      return Number.isNaN(value) || Number.isFinite(value)
        ? value
        : `${cell} is not a finite number`;
    }
    if (typeof cell === "object" && "fault" in cell) {
      if (missing.has(cell.fault)) return NaN;
      return `${cell.fault} is not a number. Correct the formula, or add it to null_values if it means ` +
        "missing";
    }
    if (typeof cell === "boolean") return `${cell} is not a number. Declare another column`;
    return "a date is not a number. If a spreadsheet has turned numbers such as 12.5 into dates, export the numbers " +
      "again. Otherwise declare another column";
  }

  function readText(cell: string, row: number, column: number): number | string {
    if (NULL_TEXTS.has(cell) || missing.has(cell)) return NaN;
    const text = moveSign(cell);
    const quoted = JSON.stringify(text.slice(0, 60));
    if (!table.texts && decimal === undefined) {
      return `${quoted} is a text, not a number. Declare "decimal" if numbers are stored as texts, ` +
        "or add the text to null_values if it means missing";
    }
    // A group of three digits after a single 0 is a fraction: "0.412" is not 412.
    if (group?.test(text)) {
      return `${quoted} has a 0 before the declared thousands mark "${thousands}", which is probably the ` +
        'decimal mark. Correct "decimal" and "thousands"';
    }
    const value = parse(text);
    if (value === undefined) return `${quoted} is not a number${advise(text)}`;
    // If commas separate fields, a decimal mark can only be a point.
    if (decimal === undefined && table.commas && /[.,]/.test(text)) {
      const name = table.columns[column].name;
      seen.add({ row: table.line(row), column: name, value: text });
    }
    return value;
  }

  function parse(text: string): number | undefined {
    let value: number;
    if (decimal === undefined) {
      value = parsePlainNumber(text, table.commas);
    } else if (pattern.test(text)) {
      const digits = marks ? text.replaceAll(marks, "") : text;
      value = Number(decimal === "," ? digits.replace(",", ".") : digits);
    } else return undefined;
    return Number.isFinite(value) ? value : undefined;
  }

  /** Advises to declare the format of the number, or the text as missing. */
  function advise(text: string): string {
    if (/^[+-]?[\d.,'\u2019 \u00a0\u2009\u202f]*\d\s*[kMG]?Wh?$/i.test(text)) {
      return ': the cell contains the unit. Remove the unit from all cells, and declare it as "unit"';
    }
    if (/^[+-]?[\d.,'\u2019]*\d\s*[^\d\s.,]$/.test(text)) {
      return ": the number has a mark after it. Remove the mark from all cells. If a number must not count, add it to " +
        "null_values";
    }
    if (!/^[+-]?[\d.,'\u2019 \u00a0\u2009\u202f]+$/.test(text) || !/\d/.test(text)) {
      return ". Add it to null_values if it means missing";
    }
    if (decimal === undefined) return '. Declare its "decimal" and "thousands" marks';
    const declaredMark = thousands === undefined ? "none" : `"${thousands}"`;
    return `: the declared decimal mark is "${decimal}" and the thousands mark is ` +
      `${declaredMark}. Correct "decimal" or "thousands"`;
  }

  return { read, end };
}
