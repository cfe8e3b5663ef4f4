import type { ErrorFacts, Problem } from "../../api/errors.ts";
import {
  type FieldColumn,
  Kind,
  LARGEST_EXACT,
  parseNumber,
  placeStamp,
  readStampText,
} from "./field_column.ts";
import { refuseFile } from "../files/read_file.ts";
import { adviseTrailing, type CsvLayout, type TableAdvice, withAdvice } from "./csv_layout.ts";
import { type Field, readAnyField, readField, splitRow } from "./csv_field.ts";
import { parseWhole } from "./csv_numbers.ts";

const [LF, CR, QUOTE, COMMA, MINUS, DOT] = [...'\n\r",-.'].map((mark) => mark.charCodeAt(0));

/** Powers of ten that are exact as floats: dividing a whole number by one rounds only once. */
const POWERS = Float64Array.from({ length: 23 }, (_, i) => Number(`1e${i}`));

/** Reads rows into columns in one pass over the bytes; fields of plain digits are read without making a text. */
export class RowReader {
  readonly #file: string;
  readonly #columns: readonly FieldColumn[];
  readonly #delimiter: CsvLayout["delimiter"];
  readonly #header: Uint8Array;
  readonly #advice: TableAdvice | undefined;
  /** Line of the row, counted from 1. */
  #line: number;
  /** First empty line since the last row; 0 if there is none. */
  #emptyLine = 0;
  /** Line feeds in quoted fields of the row. */
  #moreLines = 0;
  #capacity = 0;
  /** For each skipped column, the last column that is skipped together with it. */
  readonly #skipsUntil: Int32Array;

  /**
   * Makes a reader of the rows below a header.
   *
   * @param columns One column for each name in the header
   * @param advice What the caller can declare of the file
   */
  constructor(
    file: string,
    layout: CsvLayout,
    columns: readonly FieldColumn[],
    advice?: TableAdvice,
  ) {
    this.#file = file;
    this.#advice = advice;
    this.#columns = columns;
    this.#delimiter = layout.delimiter;
    this.#header = new TextEncoder().encode(layout.header);
    this.#line = layout.headerLine + 1;
    this.#skipsUntil = new Int32Array(columns.length);
    for (let c = columns.length - 1; c >= 0; c--) {
      const more = columns[c + 1]?.kind === Kind.Skip;
      this.#skipsUntil[c] = more ? this.#skipsUntil[c + 1] : c;
    }
  }

  /** Line of the next row, counted from 1. */
  get line(): number {
    return this.#line;
  }

  /**
   * Reads complete rows.
   *
   * @param bytes Rows, the last of which ends with a line feed
   * @returns Number of rows
   */
  read(bytes: Uint8Array): number {
    const columns = this.#columns;
    const mark = this.#delimiter.charCodeAt(0);
    const last = columns.length - 1;
    const most = Math.max(mark, QUOTE);
    const headerByte = this.#header[0];
    let row = 0;
    for (let at = 0; at < bytes.length;) {
      const start = at;
      const first = bytes[at];
      if (first === LF || first === CR && bytes[at + 1] === LF) {
        this.#emptyLine ||= this.#line;
        this.#line++;
        at += first === LF ? 1 : 2;
        continue;
      }
      if (this.#emptyLine) this.#refuseEmptyLine(bytes, at);
      if (first === headerByte && this.#isHeader(bytes, at)) this.#refuseHeader();
      if (row >= this.#capacity) this.#grow(row, bytes);
      for (let c = 0; c <= last; c++) {
        const column = columns[c];
        const kind = column.kind;
        let end = at;
        if (kind === Kind.Skip) {
          // Unwanted fields are only counted, a whole run of them at once.
          const until = this.#skipsUntil[c];
          for (; end < bytes.length; end++) {
            const byte = bytes[end];
            if (byte > most) continue;
            if (byte === mark) {
              if (c === until) break;
              c++;
            } else if (byte === LF || byte === CR || byte === QUOTE) break;
          }
          if (bytes[end] === QUOTE) {
            const begin = Math.max(at, bytes.lastIndexOf(mark, end) + 1);
            end = this.#readField(bytes, begin, start, readAnyField).end;
          }
          const after = bytes[end];
          if (after === mark && c < last) at = end + 1;
          else if (after === LF && c === last) at = end + 1;
          else if (after === CR && bytes[end + 1] === LF && c === last) at = end + 2;
          else this.#refuseRagged(bytes, start, end);
          continue;
        }
        if (kind <= Kind.Extra) {
          const quoted = bytes[at] === QUOTE;
          if (quoted) end++;
          const negative = bytes[end] === MINUS;
          if (negative) end++;
          const digits = end;
          let value = 0;
          let digit: number;
          while ((digit = bytes[end] - 48) >= 0 && digit <= 9) {
            value = value * 10 + digit;
            end++;
          }
          let plain = end > digits && value < LARGEST_EXACT;
          const point = bytes[end];
          // If fields are separated by commas, a number can only have a point.
          const decimal = point === DOT || point === COMMA && mark !== COMMA;
          if (decimal) {
            const fraction = ++end;
            while ((digit = bytes[end] - 48) >= 0 && digit <= 9) {
              value = value * 10 + digit;
              end++;
            }
            const places = end - fraction;
            plain = plain && value < LARGEST_EXACT && places > 0 && places < POWERS.length;
            if (plain) value /= POWERS[places];
          }
          if (quoted) plain = plain && bytes[end++] === QUOTE;
          const after = bytes[end];
          if (
            plain && (after === mark || after === LF || after === CR) &&
            !(negative && column.sentinels.has(value)) && !(column.whole && value !== (value | 0))
          ) {
            column.numbers[row] = negative ? -value : value;
            const from = quoted ? at + 1 : at;
            const to = quoted ? end - 1 : end;
            if (decimal && mark !== COMMA && !column.marks.knows(point === DOT)) {
              this.#noteMark(column, bytes, from, to);
            }
            if (kind === Kind.Extra) column.texts.add(bytes, from, to);
          } else end = this.#readNumber(column, bytes, at, row, start);
        } else if (kind === Kind.Stamp) {
          end = this.#readStamp(column, bytes, at, row, start);
        } else {
          let byte = bytes[end];
          while (byte !== mark && byte !== LF && byte !== CR && byte !== QUOTE) byte = bytes[++end];
          if (byte === QUOTE || kind === Kind.Large) {
            end = this.#readOther(column, bytes, at, start);
          } else if (kind === Kind.Text) column.texts.add(bytes, at, end);
        }
        const after = bytes[end];
        if (after === mark && c < last) at = end + 1;
        else if (c < last) this.#refuseRagged(bytes, start, end);
        else if (after === LF) at = end + 1;
        else if (after === CR && bytes[end + 1] === LF) at = end + 2;
        else this.#refuseRagged(bytes, start, end);
      }
      row++;
      this.#line += 1 + this.#moreLines;
      this.#moreLines = 0;
    }
    return row;
  }

  /** Reads a number that is not plain digits: missing, quoted, with spaces, exponent, many digits or a decimal comma. */
  #readNumber(
    column: FieldColumn,
    bytes: Uint8Array,
    at: number,
    row: number,
    start: number,
  ): number {
    const extra = column.kind === Kind.Extra;
    const first = bytes[at];
    if (first === LF || first === this.#delimiter.charCodeAt(0)) { // an empty field, the most frequent missing value
      column.numbers[row] = NaN;
      column.missing = true;
      if (extra) column.texts.add(bytes, at, at);
      return at;
    }
    const field = this.#readField(bytes, at, start);
    const found = parseNumber(field.text, column, this.#delimiter !== ",", this.#line);
    if (typeof found !== "string") {
      column.numbers[row] = found;
      if (Number.isNaN(found)) column.missing = true;
    } else if (extra) column.becomeText();
    else this.#refuseValue(column, bytes, start, ["number", found, field.text]);
    if (extra) this.#addText(column, field);
    return field.end;
  }

  #readStamp(
    column: FieldColumn,
    bytes: Uint8Array,
    at: number,
    row: number,
    start: number,
  ): number {
    const { stamps } = column;
    let end = at;
    let micros = NaN;
    if (stamps.hasFormat) {
      const quoted = bytes[at] === QUOTE;
      micros = stamps.read(bytes, quoted ? at + 1 : at);
      end = stamps.end;
      if (quoted && bytes[end++] !== QUOTE) micros = NaN;
    }
    const after = bytes[end];
    const done = after === LF || after === CR || after === this.#delimiter.charCodeAt(0);
    let found: number | Problem = micros;
    if (Number.isNaN(micros) || !done) {
      const field = this.#readField(bytes, at, start);
      end = field.end;
      found = readStampText(stamps, field.text.trim(), this.#line);
    } else if (stamps.local) found = placeStamp(stamps, micros, this.#line);
    if (typeof found !== "number") return this.#refuseValue(column, bytes, start, found);
    column.numbers[row] = found;
    return end;
  }

  /** Reads a text in quotes, or a 64-bit integer. */
  #readOther(column: FieldColumn, bytes: Uint8Array, at: number, start: number): number {
    const field = this.#readField(bytes, at, start);
    if (column.kind === Kind.Text) this.#addText(column, field);
    else if (column.kind === Kind.Large) {
      const found = parseNumber(field.text, column, false, this.#line);
      const large = Number.isNaN(found) ? null : parseWhole(field.text.trim(), 64);
      if (typeof found === "string" || large === undefined) {
        const shown = JSON.stringify(field.text.slice(0, 60));
        const no = typeof found === "string" ? found : `${shown} is not a whole number of 64 bits`;
        return this.#refuseValue(column, bytes, start, ["number", no, field.text]);
      }
      column.large.push(large);
    }
    return field.end;
  }

  #addText(column: FieldColumn, field: Field): void {
    const alone = new TextEncoder().encode(field.text);
    column.texts.add(alone, 0, alone.length);
  }

  #readField(bytes: Uint8Array, at: number, start: number, read = readField): Field {
    const field = read(bytes, at, this.#delimiter);
    if ("problem" in field) return this.#refuse(field.problem, { row: this.#line });
    if (field.quoted) this.#moreLines += field.moreLines;
    else if (bytes[field.end] === CR && bytes[field.end + 1] !== LF) {
      this.#refuseRagged(bytes, start, field.end);
    }
    return field;
  }

  /** Records the decimal mark of a number. */
  #noteMark(column: FieldColumn, bytes: Uint8Array, from: number, to: number): void {
    const value = new TextDecoder().decode(bytes.subarray(from, to));
    column.marks.add({ row: this.#line, column: column.name, value }, column.column?.range);
  }

  #isHeader(bytes: Uint8Array, at: number): boolean {
    const header = this.#header;
    for (let i = 0; i < header.length; i++) if (bytes[at + i] !== header[i]) return false;
    const after = bytes[at + header.length];
    return after === LF || after === CR;
  }

  #grow(rows: number, bytes: Uint8Array): void {
    // Rows are about as long as the first one.
    const guess = Math.ceil(1.05 * bytes.length / (bytes.indexOf(LF) + 1)) + 1;
    this.#capacity = Math.max(guess, Math.ceil(rows * 1.5));
    for (const column of this.#columns) {
      if (column.kind === Kind.Text || column.kind === Kind.Large || column.kind === Kind.Skip) {
        continue;
      }
      const larger = new Float64Array(this.#capacity);
      larger.set(column.numbers.subarray(0, rows));
      column.numbers = larger;
    }
  }

  #refuse(found: string, facts?: ErrorFacts): never {
    return refuseFile(this.#file, found, facts);
  }

  #refuseEmptyLine(bytes: Uint8Array, next: number): never {
    const advice = this.#adviseTrailing(bytes, next);
    this.#refuse(`line ${this.#emptyLine} is empty, in the middle of the table${advice}`);
  }

  #refuseHeader(): never {
    this.#refuse(
      `line ${this.#line} is the header again. Read the tables one by one, or leave the line out`,
    );
  }

  /** Refuses a value, or its row if that has too many or too few fields, which may be why the value is wrong. */
  #refuseValue({ name }: FieldColumn, bytes: Uint8Array, start: number, problem: Problem): never {
    this.#assertWidth(bytes, start);
    const [code, found, text = ""] = problem;
    const { zone, numbers } = this.#advice ?? {};
    const advice = code === "time_zone" ? zone : code === "number" ? numbers : undefined;
    const whole = withAdvice(found, advice);
    const value = text.trim().slice(0, 60) || undefined;
    const facts = { code, row: this.#line, column: name, value };
    this.#refuse(whole + this.#adviseTrailing(bytes, start), facts);
  }

  #refuseRagged(bytes: Uint8Array, start: number, at: number): never {
    if (bytes[at] === CR && bytes[at + 1] !== LF) {
      this.#refuse(
        `line ${this.#line} has a carriage return without a line feed. ` +
          "Save it with line ends of Unix or Windows",
      );
    }
    this.#assertWidth(bytes, start);
    this.#refuse(`line ${this.#line} cannot be split into fields`);
  }

  #assertWidth(bytes: Uint8Array, start: number): void {
    const width = this.#columns.length;
    const fields = splitRow(bytes, start, this.#delimiter)?.length;
    if (fields !== undefined && fields !== width) {
      const advice = this.#adviseTrailing(bytes, start);
      const commas = this.#delimiter === "," && fields > width
        ? ". If its numbers have decimal commas, save it with semicolons between fields"
        : "";
      this.#refuse(
        `line ${this.#line} has ${fields} fields, the header has ${width}${advice || commas}`,
      );
    }
  }

  /** Advises on the row at a position, if it has no time. */
  #adviseTrailing(bytes: Uint8Array, start: number): string {
    const time = this.#columns.findIndex(({ kind }) => kind === Kind.Stamp);
    const fields = splitRow(bytes, start, this.#delimiter);
    return fields ? adviseTrailing(fields[time], this.#advice) : "";
  }
}
