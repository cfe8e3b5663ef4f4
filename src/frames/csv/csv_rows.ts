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

/**
 * Makes a reader of the rows below a header. It fills the columns in one pass over the bytes, and makes no text of
 * fields of plain digits.
 *
 * @param columns One column for each name in the header
 * @param advice Advice for messages on what the caller can declare
 */
export function buildRowReader(
  file: string,
  { delimiter, header: headerText, headerLine }: CsvLayout,
  columns: readonly FieldColumn[],
  advice?: TableAdvice,
) {
  const mark = delimiter.charCodeAt(0);
  const header = new TextEncoder().encode(headerText);
  /** Line of the row, counted from 1. */
  let line = headerLine + 1;
  /** First empty line since the last row; 0 if there is none. */
  let emptyLine = 0;
  /** Line feeds in quoted fields of the row. */
  let moreLines = 0;
  let capacity = 0;
  /** The current block, where the current row begins, and the number of that row. */
  let [block, start, row]: [Uint8Array, number, number] = [new Uint8Array(0), 0, 0];
  /** For each skipped column, the last column that is skipped together with it. */
  const skipsUntil = new Int32Array(columns.length);
  for (let c = columns.length - 1; c >= 0; c--) {
    skipsUntil[c] = columns[c + 1]?.kind === Kind.Skip ? skipsUntil[c + 1] : c;
  }

  /**
   * Reads complete rows.
   *
   * @param bytes Rows, the last of which ends with a line feed
   * @returns Number of rows
   */
  function read(bytes: Uint8Array): number {
    const last = columns.length - 1;
    const largestMark = Math.max(mark, QUOTE);
    const headerByte = header[0];
    [block, row] = [bytes, 0];
    for (let at = 0; at < bytes.length;) {
      start = at;
      const first = bytes[at];
      if (first === LF || first === CR && bytes[at + 1] === LF) {
        emptyLine ||= line;
        line++;
        at += first === LF ? 1 : 2;
        continue;
      }
      if (emptyLine) {
        refuse(`line ${emptyLine} is empty in the middle of the table${adviseRow()}`);
      }
      if (first === headerByte && isHeader(at)) {
        refuse(
          `line ${line} repeats the header. Read each table separately, or remove the line`,
        );
      }
      if (row >= capacity) grow();
      for (let c = 0; c <= last; c++) {
        const column = columns[c];
        const kind = column.kind;
        let end = at;
        if (kind === Kind.Skip) {
          // Unwanted fields are only counted, a whole run of them at once.
          const until = skipsUntil[c];
          for (; end < bytes.length; end++) {
            const byte = bytes[end];
            if (byte > largestMark) continue;
            if (byte === mark) {
              if (c === until) break;
              c++;
            } else if (byte === LF || byte === CR || byte === QUOTE) break;
          }
          if (bytes[end] === QUOTE) {
            const begin = Math.max(at, bytes.lastIndexOf(mark, end) + 1);
            end = readWhole(begin, readAnyField).end;
          }
          const after = bytes[end];
          if (after === mark && c < last) at = end + 1;
          else if (after === LF && c === last) at = end + 1;
          else if (after === CR && bytes[end + 1] === LF && c === last) at = end + 2;
          else refuseRagged(end);
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
              noteMark(column, from, to);
            }
            if (kind === Kind.Extra) column.texts.add(bytes, from, to);
          } else end = readNumber(column, at);
        } else if (kind === Kind.Stamp) {
          end = readStamp(column, at);
        } else {
          let byte = bytes[end];
          while (byte !== mark && byte !== LF && byte !== CR && byte !== QUOTE) byte = bytes[++end];
          if (byte === QUOTE || kind === Kind.Large) {
            end = readOther(column, at);
          } else if (kind === Kind.Text) column.texts.add(bytes, at, end);
        }
        const after = bytes[end];
        if (after === mark && c < last) at = end + 1;
        else if (c < last) refuseRagged(end);
        else if (after === LF) at = end + 1;
        else if (after === CR && bytes[end + 1] === LF) at = end + 2;
        else refuseRagged(end);
      }
      row++;
      line += 1 + moreLines;
      moreLines = 0;
    }
    return row;
  }

  /** Reads a number that is not plain digits: missing, quoted, with spaces, exponent, many digits or a decimal comma. */
  function readNumber(column: FieldColumn, at: number): number {
    const extra = column.kind === Kind.Extra;
    const first = block[at];
    if (first === LF || first === mark) { // an empty field, the most frequent missing value
      column.numbers[row] = NaN;
      column.missing = true;
      if (extra) column.texts.add(block, at, at);
      return at;
    }
    const field = readWhole(at);
    const number = parseNumber(field.text, column, delimiter !== ",", line);
    if (typeof number !== "string") {
      column.numbers[row] = number;
      if (Number.isNaN(number)) column.missing = true;
    } else if (extra) column.becomeText();
    else refuseValue(column, ["number", number, field.text]);
    if (extra) addText(column, field);
    return field.end;
  }

  function readStamp(column: FieldColumn, at: number): number {
    const { stamps } = column;
    let end = at;
    let micros = NaN;
    if (stamps.hasFormat) {
      const quoted = block[at] === QUOTE;
      micros = stamps.read(block, quoted ? at + 1 : at);
      end = stamps.end;
      if (quoted && block[end++] !== QUOTE) micros = NaN;
    }
    const after = block[end];
    const done = after === LF || after === CR || after === mark;
    let instant: number | Problem = micros;
    if (Number.isNaN(micros) || !done) {
      const field = readWhole(at);
      end = field.end;
      instant = readStampText(stamps, field.text.trim(), line);
    } else if (stamps.local) instant = placeStamp(stamps, micros, line);
    if (typeof instant !== "number") return refuseValue(column, instant);
    column.numbers[row] = instant;
    return end;
  }

  /** Reads a text in quotes, or a 64-bit integer. */
  function readOther(column: FieldColumn, at: number): number {
    const field = readWhole(at);
    if (column.kind === Kind.Text) addText(column, field);
    else if (column.kind === Kind.Large) {
      const number = parseNumber(field.text, column, false, line);
      const large = Number.isNaN(number) ? null : parseWhole(field.text.trim(), 64);
      if (typeof number === "string" || large === undefined) {
        const quoted = JSON.stringify(field.text.slice(0, 60));
        const problem = typeof number === "string" ? number : `${quoted} is not a 64-bit integer`;
        return refuseValue(column, ["number", problem, field.text]);
      }
      column.large.push(large);
    }
    return field.end;
  }

  function addText(column: FieldColumn, field: Field): void {
    const bytes = new TextEncoder().encode(field.text);
    column.texts.add(bytes, 0, bytes.length);
  }

  function readWhole(at: number, readOne = readField): Field {
    const field = readOne(block, at, delimiter);
    if ("problem" in field) return refuse(field.problem, { row: line });
    if (field.quoted) moreLines += field.moreLines;
    else if (block[field.end] === CR && block[field.end + 1] !== LF) {
      refuseRagged(field.end);
    }
    return field;
  }

  /** Records the decimal mark of a number. */
  function noteMark(column: FieldColumn, from: number, to: number): void {
    const value = new TextDecoder().decode(block.subarray(from, to));
    column.marks.add({ row: line, column: column.name, value }, column.column?.range);
  }

  function isHeader(at: number): boolean {
    for (let i = 0; i < header.length; i++) if (block[at + i] !== header[i]) return false;
    const after = block[at + header.length];
    return after === LF || after === CR;
  }

  function grow(): void {
    // Rows are about as long as the first one.
    const guess = Math.ceil(1.05 * block.length / (block.indexOf(LF) + 1)) + 1;
    capacity = Math.max(guess, Math.ceil(row * 1.5));
    for (const column of columns) {
      if (column.kind === Kind.Text || column.kind === Kind.Large || column.kind === Kind.Skip) {
        continue;
      }
      const larger = new Float64Array(capacity);
      larger.set(column.numbers.subarray(0, row));
      column.numbers = larger;
    }
  }

  function refuse(problem: string, facts?: ErrorFacts): never {
    return refuseFile(file, problem, facts);
  }

  /** Refuses a value. If its row has too many or too few fields, refuses the row: that may be why the value is wrong. */
  function refuseValue({ name }: FieldColumn, problem: Problem): never {
    assertWidth();
    const [code, sentence, text = ""] = problem;
    const { zone, numbers } = advice ?? {};
    const more = code === "time_zone" ? zone : code === "number" ? numbers : undefined;
    const advised = withAdvice(sentence, more);
    const value = text.trim().slice(0, 60) || undefined;
    const facts = { code, row: line, column: name, value };
    refuse(advised + adviseRow(), facts);
  }

  function refuseRagged(at: number): never {
    if (block[at] === CR && block[at + 1] !== LF) {
      refuse(
        `line ${line} has a carriage return without a line feed. ` +
          "Save the file with Unix or Windows line endings",
      );
    }
    assertWidth();
    refuse(`line ${line} cannot be split into fields. Check the quotation marks`);
  }

  function assertWidth(): void {
    const width = columns.length;
    const fields = splitRow(block, start, delimiter)?.length;
    if (fields !== undefined && fields !== width) {
      const more = adviseRow();
      const commas = delimiter === "," && fields > width
        ? ". If the numbers have decimal commas, save the file with semicolons between fields"
        : "";
      refuse(
        `line ${line} has ${fields} fields, but the header has ${width}${more || commas}`,
      );
    }
  }

  /** Advises on the row at a position, if it has no time. */
  function adviseRow(): string {
    const time = columns.findIndex(({ kind }) => kind === Kind.Stamp);
    const fields = splitRow(block, start, delimiter);
    return fields ? adviseTrailing(fields[time], advice) : "";
  }

  return { read, nextLine: () => line };
}
