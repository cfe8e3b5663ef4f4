import { isUtf8 } from "node:buffer";
import { parse } from "@std/csv";
import { DataFormatError } from "../api/errors.ts";

/** Where the table stands in a delimited text, and how it is written. */
export interface CsvLayout {
  /** Character between fields. */
  readonly delimiter: "," | ";" | "\t";
  /** Names in the header. */
  readonly names: readonly string[];
  /** Line of the header, counted from 1. */
  readonly headerLine: number;
  /** Lines before the header. */
  readonly preamble: readonly string[];
  /** Position of the header's first byte. */
  readonly from: number;
  /** Position after the table's last byte, without empty lines at the end. */
  readonly to: number;
  /** Number of rows below the header. */
  readonly rows: number;
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const QUOTE = 34;
const COMMA = 44;
const delimiters = [",", ";", "\t"] as const;
const MAX_PREAMBLE = 50;

function refuse(file: string, found: string): never {
  throw new DataFormatError(`Cannot read ${file}: ${found}`);
}

/** Refuses what is no UTF-8 text, and names what it looks like instead. */
function assertText(bytes: Uint8Array, file: string): void {
  if (bytes.length === 0) refuse(file, "it is empty");
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe || bytes[0] === 0xfe && bytes[1] === 0xff;
  if (wide) refuse(file, "it is UTF-16 text. Save it as UTF-8");
  const zero = bytes.subarray(0, 4096).indexOf(0);
  if (zero !== -1) refuse(file, `byte ${zero} is NUL: it is no text`);
  if (!isUtf8(bytes)) {
    refuse(file, `byte ${firstInvalid(bytes)} is not UTF-8. Save it as UTF-8`);
  }
  const start = new TextDecoder().decode(bytes.subarray(0, 400)).replace(/^\ufeff/, "").trimStart();
  if (start.startsWith("<")) {
    refuse(
      file,
      `it is a web page, not a table: ${JSON.stringify(start.slice(0, 200))}. ` +
        "Check the address and whether a login or a proxy stands in between",
    );
  }
}

/** Position of the first byte that no UTF-8 text has there. A decoder that may expect more bytes fails on it, and on nothing before. */
function firstInvalid(bytes: Uint8Array): number {
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
  // It failed on a byte that does not go on with what came before: the fault is where that began.
  let first = invalid - 1;
  while (!isUtf8(bytes.subarray(0, first))) first--;
  return first;
}

/** Fields of one line; `undefined` where its quotes do not fit. */
function splitLine(line: string, delimiter: string): string[] | undefined {
  // Spaces around quotes are no part of CSV, and stand in many headers.
  const tight = line.replaceAll(/(^|[,;\t]) *(".*?") *(?=$|[,;\t])/g, "$1$2");
  try {
    return (parse(tight, { separator: delimiter })[0] ?? []).map((field) => field.trim());
  } catch {
    return undefined;
  }
}

/**
 * Finds the table in a delimited text, and checks that each row has as many fields as the header.
 *
 * @param bytes The text, UTF-8
 * @param file Its name, for messages
 * @param required Names that the header has; the first line that holds them all is the header
 * @throws {DataFormatError} If it is no such table: not text, no header, a ragged row (with its line number)
 */
export function csvLayout(
  bytes: Uint8Array,
  file: string,
  required: readonly string[],
): CsvLayout {
  assertText(bytes, file);
  let from = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const preamble: string[] = [];
  const decoder = new TextDecoder();
  for (let line = 1; line <= MAX_PREAMBLE && from < bytes.length; line++) {
    let end = bytes.indexOf(LINE_FEED, from);
    if (end === -1) end = bytes.length;
    const text = decoder.decode(bytes.subarray(from, end)).replace(/\r$/, "");
    const delimiter = delimiters.find((candidate) => {
      const names = splitLine(text, candidate);
      return names !== undefined && required.every((name) => names.includes(name));
    });
    if (delimiter) {
      const names = splitLine(text, delimiter)!;
      const twice = names.find((name, i) => names.indexOf(name) !== i);
      if (twice !== undefined) refuse(file, `line ${line}: column "${twice}" stands there twice`);
      return { ...countRows(bytes, file, from, line, delimiter, names.length), names, preamble };
    }
    preamble.push(text);
    from = end + 1;
  }
  const missing = required.map((name) => `"${name}"`).join(", ");
  return refuse(
    file,
    `no line among the first ${
      Math.min(preamble.length, MAX_PREAMBLE)
    } has the columns ${missing}. ` +
      `The first line is ${JSON.stringify(preamble[0]?.slice(0, 200) ?? "")}`,
  );
}

function countRows(
  bytes: Uint8Array,
  file: string,
  from: number,
  headerLine: number,
  delimiter: CsvLayout["delimiter"],
  width: number,
): Omit<CsvLayout, "names" | "preamble"> {
  const mark = delimiter.charCodeAt(0);
  const last = Math.max(COMMA, mark);
  const { length } = bytes;
  let line = headerLine;
  let rows = -1; // the header is no row
  let to = from;
  let emptyLine = 0;
  for (let i = from; i < length; i++) {
    const start = i;
    const firstLine = line;
    let fields = 1;
    for (; i < length; i++) {
      const byte = bytes[i];
      if (byte > last) continue; // most bytes are digits: leave early
      if (byte === mark) fields++;
      else if (byte === LINE_FEED) break;
      else if (byte === 0) refuse(file, `line ${line}: byte ${i} is NUL`);
      else if (byte === QUOTE) {
        for (i++; i < length && bytes[i] !== QUOTE; i++) {
          if (bytes[i] === LINE_FEED) line++;
          else if (bytes[i] === 0) refuse(file, `line ${line}: byte ${i} is NUL`);
        }
        if (i >= length) refuse(file, `line ${firstLine}: a quoted field does not end`);
      }
    }
    if (i === start || i === start + 1 && bytes[start] === CARRIAGE_RETURN) emptyLine ||= line;
    else {
      if (emptyLine) refuse(file, `line ${emptyLine} is empty, in the middle of the table`);
      if (fields !== width) {
        refuse(file, `line ${firstLine} has ${fields} fields, the header has ${width}`);
      }
      rows++;
      to = i;
    }
    line++;
  }
  return { delimiter, headerLine, from, to, rows };
}

/**
 * Line in which a row begins, counted from 1; quoted fields may take several.
 *
 * @param bytes The text
 * @param layout Its layout
 * @param row Position of the row, counted from 0
 */
export function lineOfRow(bytes: Uint8Array, layout: CsvLayout, row: number): number {
  let line = layout.headerLine;
  let begun = -1; // the header is no row
  let quoted = false;
  for (let i = layout.from; i < layout.to && begun < row; i++) {
    if (bytes[i] === QUOTE) quoted = !quoted;
    if (bytes[i] !== LINE_FEED) continue;
    line++;
    if (!quoted) begun++;
  }
  return line;
}
