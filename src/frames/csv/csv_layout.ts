import { DataFormatError } from "../../api/errors.ts";
import { MissingColumnsError } from "./missing_columns_error.ts";
import { splitRow } from "./csv_field.ts";
import { holdsNames } from "./csv_names.ts";
import { assertUtf8 } from "./utf8.ts";

/** Header and delimiter of a delimited text. */
export interface CsvLayout {
  /** Character between fields. */
  readonly delimiter: "," | ";" | "\t";
  /** Names in the header. */
  readonly names: readonly string[];
  /** Line of the header, counted from 1. */
  readonly headerLine: number;
  /** The header line. */
  readonly header: string;
  /** Lines before the header. */
  readonly preamble: readonly string[];
  /** Position of the first row. */
  readonly from: number;
  /** Whether the header ends with a line end. */
  readonly endsWithLineEnd: boolean;
}

const LINE_FEED = 10;
const delimiters = [",", ";", "\t"] as const;
const MAX_PREAMBLE = 50;

/** Bytes within which the header must end: enough for 10,000 turbines. */
export const HEADER_BYTES = 2 ** 20;

function refuse(file: string, found: string): never {
  throw new DataFormatError(`Cannot read ${file}: ${found}`);
}

/**
 * Refuses content that is not UTF-8 text, and says what it seems to be.
 *
 * @param bytes The beginning of the text
 * @param lines Its complete lines
 * @param file Its name, for messages
 * @throws {DataFormatError} If it is not UTF-8 text, or is a web page
 */
export function assertText(bytes: Uint8Array, lines: Uint8Array, file: string): void {
  if (bytes.length === 0) refuse(file, "it is empty");
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe || bytes[0] === 0xfe && bytes[1] === 0xff;
  if (wide) refuse(file, "it is UTF-16 text. Save it as UTF-8");
  const zero = bytes.subarray(0, 4096).indexOf(0);
  if (zero !== -1) {
    const also = zero < 2 ? ". If it is UTF-16 text, save it as UTF-8" : "";
    refuse(file, `byte ${zero} is NUL: it is not a text${also}`);
  }
  assertUtf8(lines, file);
  const start = new TextDecoder().decode(bytes.subarray(0, 400)).trimStart();
  if (start.startsWith("<")) {
    refuse(
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
  readonly ended: boolean;
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
    lines.push({ text, bytes: new TextEncoder().encode(text), end: from, ended: feed !== -1 });
  }
  return lines;
}

/** How much a line is like a header: by the names that it has, then by its fields unless it is a comment. */
function rankHeader({ text, bytes }: Line, required: readonly string[]): number {
  return Math.max(...delimiters.map((delimiter) => {
    const names = splitRow(bytes, 0, delimiter)?.map((name) => name.trim()) ?? [];
    const found = required.filter((name) => names.includes(name)).length;
    return found + (text.startsWith("#") ? 0 : names.length / 1e9);
  }));
}

/** Refuses the line ends of old Macs: the whole table would be one line. */
function assertNoLoneReturn(lines: readonly Line[], file: string): void {
  const line = lines.findIndex(({ text }) => text.includes("\r"));
  if (line === -1) return;
  refuse(
    file,
    `line ${line + 1} has a carriage return without a line feed. ` +
      "Save it with line ends of Unix or Windows",
  );
}

/**
 * Finds the header of a delimited text: the first line that has all required names exactly, else the first that has them
 * in another spelling.
 *
 * @param bytes The beginning of the text, UTF-8
 * @param file Its name, for messages
 * @param required Names that the header must have
 * @param whole Whether the bytes are the whole text
 * @throws {DataFormatError} If it is not text, the header is missing, or a name is duplicated
 */
export function findCsvLayout(
  bytes: Uint8Array,
  file: string,
  required: readonly string[],
  whole = true,
): CsvLayout {
  // A window may end within a letter, never within a line feed.
  const text = whole ? bytes : bytes.subarray(0, bytes.lastIndexOf(LINE_FEED) + 1);
  assertText(bytes, text, file);
  if (text.length === 0) {
    refuse(file, `line 1 is longer than ${bytes.length} bytes: it is not a table`);
  }
  const lines = readFirstLines(text, whole);
  for (const alike of [false, true]) {
    for (const [i, line] of lines.entries()) {
      for (const delimiter of delimiters) {
        const names = splitRow(line.bytes, 0, delimiter)?.map((name) => name.trim());
        if (!names || !holdsNames(names, required, alike)) continue;
        assertNoLoneReturn(lines.slice(0, i + 1), file);
        const twice = names.find((name, k) => names.indexOf(name) !== k);
        if (twice !== undefined) {
          refuse(file, `line ${i + 1}: column "${twice}" is duplicated`);
        }
        const preamble = lines.slice(0, i).map(({ text }) => text);
        const { end: from, ended: endsWithLineEnd, text: header } = line;
        return { delimiter, names, headerLine: i + 1, header, preamble, from, endsWithLineEnd };
      }
    }
  }
  assertNoLoneReturn(lines, file);
  const rank = (line: Line) => rankHeader(line, required);
  const nearest = lines.toSorted((a, b) => rank(b) - rank(a))[0];
  const missing = required.map((name) => `"${name}"`).join(", ");
  throw new MissingColumnsError(
    `Cannot read ${file}: no line among the first ${lines.length} has the columns ${missing}. ` +
      `The nearest is ${JSON.stringify(nearest?.text.slice(0, 200) ?? "")}`,
  );
}
