import { refuseFile } from "../files/read_file.ts";
import { splitRow } from "./csv_field.ts";
import { holdsNames, listNames } from "./csv_names.ts";
import { isUtf8 } from "node:buffer";

/** Header and delimiter of a delimited text. */
export interface CsvLayout {
  /** Character between fields. */
  readonly delimiter: "," | ";" | "\t";
  /** Names in the header. */
  readonly names: readonly string[];
  /** Number of names up to the last one that is not empty: a comma at the end of each line adds empty ones. */
  readonly named: number;
  /** Line of the header, counted from 1. */
  readonly headerLine: number;
  /** The header line. */
  readonly header: string;
  /** Lines before the header. */
  readonly preamble: readonly string[];
  /** Position of the first row. */
  readonly from: number;
}

const LINE_FEED = 10;
const delimiters = [",", ";", "\t"] as const;
const MAX_PREAMBLE = 50;

/** Bytes within which the header must end: enough for 10,000 turbines. */
export const HEADER_BYTES = 2 ** 20;

/**
 * Refuses content that is not UTF-8 text, and names its probable format.
 *
 * @param advice Advice on another encoding
 * @throws {DataFormatError} If it is not UTF-8 text, or is a web page
 */
export function assertText(
  bytes: Uint8Array,
  lines: Uint8Array,
  file: string,
  advice = "Save it as UTF-8",
): void {
  if (bytes.length === 0) refuseFile(file, "it is empty. Export or download the file again");
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe || bytes[0] === 0xfe && bytes[1] === 0xff;
  if (wide) refuseFile(file, `it is UTF-16 text. ${advice}`);
  const zero = bytes.subarray(0, 4096).indexOf(0);
  if (zero !== -1) {
    const also = zero < 2 ? `. If it is UTF-16 text: ${advice}` : "";
    refuseFile(file, `byte ${zero} is NUL, so this is not a text file. Save it as CSV${also}`);
  }
  assertUtf8(lines, file, advice);
  const start = new TextDecoder().decode(bytes.subarray(0, 400)).trimStart();
  if (/^<\?xml(?!.*<(!doctype )?html)/is.test(start)) {
    const root = /<([\w:.-]+)[\s>]/.exec(start)?.[1] ?? "unknown";
    refuseFile(file, `it is XML (${root}), not a table. Save its values as a table in CSV`);
  }
  if (start.startsWith("<")) {
    refuseFile(
      file,
      `it is a web page, not a table: ${JSON.stringify(start.slice(0, 200))}. ` +
        "Check the address, and whether a login page or a proxy has answered",
    );
  }
}

interface Line {
  readonly text: string;
  readonly bytes: Uint8Array;
  /** Position after its line end. */
  readonly end: number;
}

/** Reads the first lines of a text; an incomplete line counts only at the end of the file. */
function readFirstLines(bytes: Uint8Array, whole: boolean): Line[] {
  const lines: Line[] = [];
  const decoder = new TextDecoder(); // drops a byte order mark, which only the first line can have
  let from = 0;
  while (lines.length < MAX_PREAMBLE && from < bytes.length) {
    const feed = bytes.indexOf(LINE_FEED, from);
    if (feed === -1 && !whole) break;
    const end = feed === -1 ? bytes.length : feed;
    const text = decoder.decode(bytes.subarray(from, end)).replace(/\r$/, "");
    from = feed === -1 ? end : feed + 1;
    lines.push({ text, bytes: new TextEncoder().encode(text), end: from });
  }
  return lines;
}

/** Refuses the line ends of old Macs: the whole table would be one line. */
function assertNoLoneReturn(lines: readonly Line[], file: string): void {
  const line = lines.findIndex(({ text }) => text.includes("\r"));
  if (line === -1) return;
  refuseFile(
    file,
    `line ${line + 1} has a carriage return without a line feed. ` +
      "Save the file with Unix or Windows line endings",
  );
}

/** Name of a column; without one, its position counted from 1. */
export function nameByPlace(name: string, place: number): string {
  return name.trim() || `column_${place + 1}`;
}

/** Finds the width of the table in the first rows of a file, and counts the delimiters in its rows. Prose above a table has fewer of them. */
export function findTableWidth(rows: readonly (readonly unknown[])[]) {
  const counts = new Map<number, number>();
  for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1);
  const widths = [...counts].map(([width, count]) => ({ width, marks: (width - 1) * count }));
  return widths.reduce((best, one) => one.marks > best.marks ? one : best, { width: 1, marks: 0 });
}

/** Finds the names in the first line of the probable table; `undefined` if no line has two fields. */
function findNames(lines: readonly Line[]): readonly string[] | undefined {
  const tables = delimiters.map((delimiter) => {
    const rows = lines.map(({ bytes }) => splitRow(bytes, 0, delimiter) ?? []);
    const { width, marks } = findTableWidth(rows);
    const row = rows.find((row) => row.length === width);
    const last = row?.findLastIndex((name) => name.trim() !== "") ?? -1;
    return { marks, names: row?.slice(0, last + 1).map(nameByPlace) };
  });
  const { marks, names } = tables.reduce((best, one) => one.marks > best.marks ? one : best);
  return marks > 0 ? names : undefined;
}

/**
 * Finds the header of a delimited text: the first line that has all required names exactly, else the first that has them
 * in another spelling.
 *
 * @param bytes The beginning of the text, UTF-8
 * @param required Possible names of each required column, its own first
 * @param whole Whether the bytes are the whole text
 * @param advice Advice for messages on what the caller can declare
 * @throws {DataFormatError} If it is not text, the header is missing, or a required name is duplicated
 */
export function findCsvLayout(
  bytes: Uint8Array,
  file: string,
  required: readonly (readonly string[])[],
  whole = true,
  advice?: TableAdvice,
): CsvLayout {
  // The bytes may end within a character, but not within a line feed.
  const text = whole ? bytes : bytes.subarray(0, bytes.lastIndexOf(LINE_FEED) + 1);
  assertText(bytes, text, file, advice?.encoding);
  if (text.length === 0) {
    refuseFile(file, `line 1 is longer than ${bytes.length} bytes, so the file is not a table`);
  }
  const lines = readFirstLines(text, whole);
  for (const anySpelling of [false, true]) {
    for (const [i, line] of lines.entries()) {
      for (const delimiter of delimiters) {
        const fields = splitRow(line.bytes, 0, delimiter, true);
        const names = fields?.map(nameByPlace);
        if (!names || !holdsNames(names, required, anySpelling)) continue;
        assertNoLoneReturn(lines.slice(0, i + 1), file);
        const duplicate = required.flat().find((name) =>
          names.indexOf(name) !== names.lastIndexOf(name)
        );
        if (duplicate !== undefined) {
          refuseFile(file, `column "${duplicate}" is duplicated. Rename one of these columns`, {
            code: "columns",
            row: i + 1,
          });
        }
        const preamble = lines.slice(0, i).map(({ text }) => text);
        const { end: from, text: header } = line;
        const named = fields!.findLastIndex((field) => field.trim() !== "") + 1;
        return { delimiter, names, named, headerLine: i + 1, header, preamble, from };
      }
    }
  }
  assertNoLoneReturn(lines, file);
  const missing = required.map(([name]) => `"${name}"`).join(", ");
  const names = findNames(lines);
  const context = names
    ? listNames(names)
    : `The first line is ${JSON.stringify(lines[0]?.text.slice(0, 200) ?? "")}`;
  const problem = `no line among the first ${lines.length} has the columns ${missing}`;
  refuseFile(file, `${problem}. ${withAdvice(context, advice?.columns)}`, { code: "columns" });
}

/**
 * Refuses bytes that are not UTF-8.
 *
 * @param bytes The bytes; they begin and end between two characters
 * @param advice Advice for the message
 * @param offset Position of the first byte in the file
 * @throws {DataFormatError} If they are not UTF-8; the message names the first wrong byte
 */
export function assertUtf8(
  bytes: Uint8Array,
  file: string,
  advice = "Save it as UTF-8",
  offset = 0,
): void {
  if (isUtf8(bytes)) return;
  refuseFile(file, `byte ${offset + findInvalidByte(bytes)} is not UTF-8. ${advice}`);
}

/** Finds the first wrong byte by bisection: a streaming decoder fails on it, and on no byte before it. */
function findInvalidByte(bytes: Uint8Array): number {
  const fails = (length: number) => {
    try {
      new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, length), { stream: true });
      return false;
    } catch {
      return true;
    }
  };
  let [valid, invalid] = [0, bytes.length];
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    if (fails(middle)) invalid = middle;
    else valid = middle;
  }
  // The decoder fails on a byte that does not continue a character: the invalid byte is where that character begins.
  let first = invalid - 1;
  while (!isUtf8(bytes.subarray(0, first))) first--;
  return first;
}

/** Sentences that end messages with what the caller can declare: a reader does not know the options of its callers. */
export interface TableAdvice {
  /** Advice if the text is not UTF-8. */
  readonly encoding?: string;
  /** Advice if a row has no time, or an empty line is above such a row. */
  readonly trailing?: string;
  /** Advice if the first time has another form. */
  readonly times?: string;
  /** Advice if a column is missing. */
  readonly columns?: string;
  /** Advice if a field is not a number. */
  readonly numbers?: string;
  /** Advice if stamps have no offset and cannot be placed. */
  readonly zone?: string;
  /** Advice if a stamp may be either of two hours. */
  readonly unclear?: string;
}

/** Appends advice to a sentence, if there is any. */
export function withAdvice(sentence: string, advice: string | undefined): string {
  return advice === undefined ? sentence : `${sentence}. ${advice}`;
}

/**
 * Advises on a row that has no time.
 *
 * @param time Text in the column of the time
 * @returns Empty if it has a digit or there is no advice; else begins with a period
 */
export function adviseTrailing(time: string | null | undefined, advice?: TableAdvice): string {
  return /\d/.test(time ?? "") ? "" : withAdvice("", advice?.trailing);
}
