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

/** Reads numbers in their declared format; if no decimal mark is declared, some number must show which one it is. */
export class NumberCells {
  readonly #table: CellTable;
  readonly #decimal: "." | "," | undefined;
  readonly #thousands: NumberFormat["thousands"];
  readonly #pattern: RegExp;
  readonly #marks: RegExp | undefined;
  readonly #group: RegExp | undefined;
  readonly #texts: ReadonlySet<string>;
  readonly #numbers: ReadonlySet<number>;
  readonly #seen = new DecimalMarks();

  constructor(
    table: CellTable,
    { decimal, thousands, null_values: nullValues = [] }: NumberFormat,
  ) {
    this.#table = table;
    this.#decimal = decimal;
    this.#thousands = thousands;
    const point = decimal === "," ? "," : "\\.";
    const mark = thousands && groupMarks[thousands];
    const whole = mark ? `(?:\\d{1,3}(?:${mark}\\d{3})+|\\d+)` : "\\d+";
    this.#pattern = new RegExp(
      `^[+-]?(?:${whole}(?:${point}\\d*)?|${point}\\d+)(?:[eE][+-]?\\d+)?$`,
    );
    this.#group = mark ? new RegExp(`^[+-]?0+${mark}\\d{3}$`) : undefined;
    this.#marks = mark ? new RegExp(mark, "g") : undefined;
    this.#texts = new Set(nullValues.map(String));
    this.#numbers = new Set(
      nullValues.map((value) => typeof value === "number" ? value : this.#parse(value.trim()))
        .filter((value): value is number => typeof value === "number"),
    );
  }

  /**
   * Reads the numbers of a column; missing ones are NaN.
   *
   * @param column Position of the column
   * @throws {DataFormatError} If a cell is not a number; the message names it
   */
  read(column: number): Float64Array {
    const { cells } = this.#table.columns[column];
    return Float64Array.from(cells, (cell, row) => {
      const found = this.#readCell(cell, row, column);
      if (typeof found === "string") {
        return refuseCell(this.#table, row, column, found, { code: "number" });
      }
      return this.#numbers.has(found) ? NaN : found;
    });
  }

  /** Refuses decimal marks that remain ambiguous; to be called after all columns. */
  end(): void {
    const problem = this.#seen.findProblem();
    if (!problem) return;
    const found = `${problem.found}. Or declare decimal and thousands`;
    refuseFile(this.#table.file, found, { code: "number", ...problem });
  }

  #readCell(cell: Cell, row: number, column: number): number | string {
    if (cell === null) return NaN;
    if (typeof cell === "string") return this.#readText(cell.trim(), row, column);
    if (typeof cell === "number" || typeof cell === "bigint") {
      const value = Number(cell);
      return Number.isNaN(value) || Number.isFinite(value)
        ? value
        : `${cell} is not a finite number`;
    }
    if (typeof cell === "object" && "fault" in cell) {
      if (this.#texts.has(cell.fault)) return NaN;
      return `${cell.fault} is not a number. Correct the formula, or add it to null_values if it means ` +
        "missing";
    }
    if (typeof cell === "boolean") return `${cell} is not a number. Declare another column`;
    return "a date is not a number. If a spreadsheet took numbers, as 12.5, for dates, export the numbers again; else " +
      "declare another column";
  }

  #readText(cell: string, row: number, column: number): number | string {
    if (NULL_TEXTS.has(cell) || this.#texts.has(cell)) return NaN;
    const text = moveSign(cell);
    const shown = JSON.stringify(text.slice(0, 60));
    if (!this.#table.texts && this.#decimal === undefined) {
      return `${shown} is a text, not a number. Declare decimal if numbers are stored as texts, ` +
        "or add it to null_values if it means missing";
    }
    // A group of three digits after a single 0 is a fraction: "0.412" is no number of thousands.
    if (this.#group?.test(text)) {
      return `${shown} has a 0 before its mark for thousands, declared as "${this.#thousands}": that is its ` +
        "decimal mark. Correct decimal and thousands";
    }
    const value = this.#parse(text);
    if (value === undefined) return `${shown} is not a number${this.#advise(text)}`;
    // Where commas separate fields, a number can only have a point.
    if (this.#decimal === undefined && this.#table.commas && /[.,]/.test(text)) {
      const name = this.#table.columns[column].name;
      this.#seen.add({ row: this.#table.line(row), column: name, value: text });
    }
    return value;
  }

  #parse(text: string): number | undefined {
    let value: number;
    if (this.#decimal === undefined) {
      value = parsePlainNumber(text, this.#table.commas);
    } else if (this.#pattern.test(text)) {
      const bare = this.#marks ? text.replaceAll(this.#marks, "") : text;
      value = Number(this.#decimal === "," ? bare.replace(",", ".") : bare);
    } else return undefined;
    return Number.isFinite(value) ? value : undefined;
  }

  /** Advice to declare the format of the number, or that the text means missing. */
  #advise(text: string): string {
    if (/^[+-]?[\d.,'\u2019 \u00a0\u2009\u202f]*\d\s*[kMG]?Wh?$/i.test(text)) {
      return ": it has its unit in the cell. Remove the unit from all cells, and declare it as unit";
    }
    if (/^[+-]?[\d.,'\u2019]*\d\s*[^\d\s.,]$/.test(text)) {
      return ": it has a mark behind the number. Remove the mark from all cells; a number that is not to count goes to " +
        "null_values";
    }
    if (!/^[+-]?[\d.,'\u2019 \u00a0\u2009\u202f]+$/.test(text) || !/\d/.test(text)) {
      return ". Add it to null_values if it means missing";
    }
    if (this.#decimal === undefined) return ". Declare its decimal and thousands marks";
    const thousands = this.#thousands === undefined ? "none" : `"${this.#thousands}"`;
    return `: its decimal mark is declared as "${this.#decimal}", its mark for thousands as ` +
      `${thousands}. Correct decimal or thousands`;
  }
}
