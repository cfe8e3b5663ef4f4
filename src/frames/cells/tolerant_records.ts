import { readField } from "../csv/csv_field.ts";

const [LF, CR, SPACE, QUOTE] = [...'\n\r "'].map((mark) => mark.charCodeAt(0));

/** Sentence that refuses the line ends of old Macs. */
export const LONE_RETURN =
  "a carriage return has no line feed after it. Save it with line ends of Unix or Windows";

interface TextRecord {
  /** Fields; `null` for an empty one and for those that are not wanted, "" for a pair of quotes. */
  readonly fields: (string | null)[];
  /** Whether all fields are empty, also those that are not wanted. */
  readonly empty: boolean;
  /** Position after its line end. */
  readonly end: number;
  /** Lines that it takes. */
  readonly lines: number;
  /** Last field that is not empty, counted from 1. */
  readonly used: number;
}

/** Reads records of a text that ends with a line feed. */
export class TolerantRecords {
  /** The text. */
  readonly bytes: Uint8Array;
  /** Character between fields. */
  readonly delimiter: string;

  /**
   * Makes a reader.
   *
   * @param delimiter Character between its fields
   */
  constructor(bytes: Uint8Array, delimiter: string) {
    this.bytes = bytes;
    this.delimiter = delimiter;
  }

  /** Reads the record at a position, or returns the sentence that refuses it. */
  at(start: number, wanted?: ReadonlySet<number>): TextRecord | string {
    const { bytes, delimiter } = this;
    const mark = delimiter.charCodeAt(0);
    const fields: (string | null)[] = [];
    let [used, lines] = [0, 1];
    for (let at = start;; at++) {
      let end = wanted && !wanted.has(fields.length) ? this.#findPlainEnd(at, mark) : -1;
      if (end !== -1) {
        fields.push(null);
        if (end > at) used = fields.length;
      } else {
        const field = readField(bytes, at, delimiter);
        if ("problem" in field) return field.problem;
        end = field.end;
        lines += field.moreLines;
        fields.push(field.text === "" && !field.quoted ? null : field.text);
        if (field.text.trim() !== "") used = fields.length;
      }
      if (bytes[end] === mark) at = end;
      else if (bytes[end] === LF) return { fields, empty: used === 0, end: end + 1, lines, used };
      else if (bytes[end] === CR && bytes[end + 1] === LF) {
        return { fields, empty: used === 0, end: end + 2, lines, used };
      } else return LONE_RETURN;
    }
  }

  /** Finds the end of a field without quotes; -1 if it has a quote. */
  #findPlainEnd(at: number, mark: number): number {
    const { bytes } = this;
    while (bytes[at] === SPACE) at++;
    for (let end = at;; end++) {
      const byte = bytes[end];
      if (byte === mark || byte === LF || byte === CR) return end;
      if (byte === QUOTE) return -1;
    }
  }
}

/** Reads the first records with their positions; a line that is not a valid record has no fields. */
export function readFirstRecords(records: TolerantRecords, count: number) {
  const found: { at: number; line: number; fields: string[] }[] = [];
  let [at, line] = [0, 1];
  while (found.length < count && at < records.bytes.length) {
    const record = records.at(at);
    const broken = typeof record === "string";
    found.push({ at, line, fields: broken ? [] : record.fields.map((field) => field ?? "") });
    line += broken ? 1 : record.lines;
    at = broken ? records.bytes.indexOf(LF, at) + 1 : record.end;
  }
  return { found, end: at, line };
}
