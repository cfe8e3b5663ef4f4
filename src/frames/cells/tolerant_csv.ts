import type { ErrorFacts } from "../../api/errors.ts";
import { readAnyField, readField } from "../csv/csv_field.ts";
import { adviseTrailing, assertText, findTableWidth, type TableAdvice } from "../csv/csv_layout.ts";
import { listNames } from "../csv/csv_names.ts";
import { checkHeap, checkTableSize, MAX_LINE_BYTES, VALUE_BYTES } from "../files/reader_limits.ts";
import { refuseFile } from "../files/read_file.ts";
import {
  buildLeaveOut,
  buildTimeText,
  type Cell,
  type CellTable,
  MAX_VALUE,
  type TableLayout,
} from "./cell_table.ts";
import {
  findHeader,
  findPositions,
  joinHeader,
  MAX_ROWS_BEFORE,
  spreadMerged,
  type TableHeader,
} from "./header_names.ts";

const [LF, CR, QUOTE] = [...'\n\r"'].map((mark) => mark.charCodeAt(0));

/** Problem of the line ends of old Macs. */
const LONE_RETURN =
  "a carriage return has no line feed after it. Save the file with Unix or Windows line endings";

interface TextRecord {
  /** Fields; `null` for an empty or unwanted one, "" for a pair of quotes. */
  readonly fields: (string | null)[];
  /** Position after its line end. */
  readonly end: number;
  /** Number of its lines. */
  readonly lines: number;
  /** Last field that is not empty, wanted or not, counted from 1; 0 if all are empty. */
  readonly used: number;
}

/** A text that ends with a line feed, and the character between its fields. */
interface DelimitedText {
  readonly bytes: Uint8Array;
  readonly delimiter: string;
}

/**
 * Reads the record at a position, or returns its problem.
 *
 * @param wanted Fields to read. @default all
 * @param anyQuotes Whether any field may have a quote in the middle, as unwanted ones may
 */
function readRecord(
  { bytes, delimiter }: DelimitedText,
  start: number,
  wanted?: ReadonlySet<number>,
  anyQuotes = false,
): TextRecord | string {
  const mark = delimiter.charCodeAt(0);
  const fields: (string | null)[] = [];
  let [used, lines] = [0, 1];
  for (let at = start;; at++) {
    const isWanted = !wanted || wanted.has(fields.length);
    let end = isWanted ? -1 : findPlainEnd(bytes, at, mark);
    if (end !== -1) {
      fields.push(null);
      if (end > at) used = fields.length;
    } else {
      const read = isWanted && !anyQuotes ? readField : readAnyField;
      const field = read(bytes, at, delimiter);
      if ("problem" in field) return field.problem;
      end = field.end;
      lines += field.moreLines;
      fields.push(field.text === "" && !field.quoted ? null : field.text);
      if (field.text.trim() !== "") used = fields.length;
    }
    const width = bytes[end] === LF ? 1 : bytes[end] === CR && bytes[end + 1] === LF ? 2 : 0;
    if (width > 0) return { fields, end: end + width, lines, used };
    if (bytes[end] !== mark) return LONE_RETURN;
    at = end;
  }
}

/** Finds the end of a field without quotes; -1 if it has a quote. */
function findPlainEnd(bytes: Uint8Array, start: number, mark: number): number {
  for (let end = start;; end++) {
    const byte = bytes[end];
    if (byte === mark || byte === LF || byte === CR) return end;
    if (byte === QUOTE) return -1;
  }
}

/** Reads the first records with their positions; a line that is not a valid record has no fields. */
function readFirstRecords(text: DelimitedText, count: number) {
  const head: { at: number; line: number; fields: string[] }[] = [];
  let [at, line] = [0, 1];
  while (head.length < count && at < text.bytes.length) {
    const record = readRecord(text, at, undefined, true);
    const broken = typeof record === "string";
    head.push({ at, line, fields: broken ? [] : record.fields.map((field) => field ?? "") });
    line += broken ? 1 : record.lines;
    at = broken ? text.bytes.indexOf(LF, at) + 1 : record.end;
  }
  return { head, end: at, line };
}

/** Converts a text to UTF-8. Returns a text that is declared as UTF-8 unchanged; its reader checks it. */
function convertToUtf8(
  bytes: Uint8Array,
  encoding: TableLayout["encoding"],
  file: string,
): Uint8Array {
  if (encoding === undefined || encoding === "utf-8") return bytes;
  const bigEndian = bytes[0] === 0xfe && bytes[1] === 0xff;
  const label = encoding === "latin1" ? "windows-1252" : bigEndian ? "utf-16be" : "utf-16le";
  const decoder = new TextDecoder(label, { fatal: true });
  const parts: Uint8Array[] = [];
  try {
    for (let at = 0, end = 0; at < bytes.length; at = end) { // the whole may be too long for one string
      end = at + MAX_LINE_BYTES;
      const text = decoder.decode(bytes.subarray(at, end), { stream: end < bytes.length });
      parts.push(new TextEncoder().encode(text));
    }
    return Buffer.concat(parts);
  } catch (cause) {
    const advice = 'Declare another encoding, or omit "encoding" if the file is UTF-8';
    return refuseFile(file, `it is not ${encoding} text. ${advice}`, { cause, field: "encoding" });
  }
}

/**
 * Reads columns from a delimited text in its declared format. This is the tolerant reader, for files made by people,
 * with headers of several rows, merged cells, footers and extra columns. `csv/` has the strict reader, for files that
 * services write; it reads every field of every row. Both split rows into fields with `csv_field.ts`.
 *
 * @param advice Advice for messages on what the caller can declare
 * @param verbatim Whether each line is a row, even if it is empty or repeats the header, as in files of `saveFrame()`
 * @throws {DataFormatError} If it does not have the table; the message names line and column
 */
export function readTolerantCsv(
  bytes: Uint8Array,
  file: string,
  layout: TableLayout,
  wanted: readonly string[],
  advice?: TableAdvice,
  verbatim = false,
): CellTable {
  const { header_rows: headerRows = 1 } = layout;
  const refuse = (problem: string, facts?: ErrorFacts) => refuseFile(file, problem, facts);
  const utf8 = convertToUtf8(bytes, layout.encoding, file);
  for (let from = 0; from + MAX_LINE_BYTES < utf8.length;) {
    const end = utf8.lastIndexOf(LF, from + MAX_LINE_BYTES);
    if (end < from) {
      refuse(`a line has more than ${MAX_LINE_BYTES} bytes, so the file is not a table`);
    }
    from = end + 1;
  }
  assertText(utf8, utf8, file, advice?.encoding);
  const zero = utf8.indexOf(0);
  if (zero !== -1) refuse(`byte ${zero} is NUL, so this is not a text file. Save it as CSV`);
  const text = endWithLineFeed(utf8);
  const { records, names, row } = findTextHeader(text, layout, wanted, refuse);
  const begun = readFirstRecords(records, row + headerRows);
  const positions = findPositions(
    names,
    wanted,
    (problem) => refuse(problem, { code: "columns", row: begun.head[row].line }),
  );
  const headers = new Set(
    begun.head.slice(row).map(({ fields }) => fields.join("\n")).filter((key) => key.trim() !== ""),
  );
  const isLeftOut = buildLeaveOut(layout);
  const timeText = buildTimeText(layout);
  const read = new Set(positions);
  const namedWidth = names.findLastIndex((name) => name !== "") + 1;
  const cells: Cell[][] = positions.map(() => []); // an array per row would take as much memory as its texts
  const lines: number[] = [];
  const leftOut: number[] = [];
  let [empty, size] = [0, 0];
  let { line } = begun;
  for (let start = begun.end, next = start; start < records.bytes.length; start = next) {
    const record = readRecord(records, start, read);
    if (typeof record === "string") return refuse(record, { row: line });
    next = record.end;
    const { fields, used } = record;
    const time = fields[positions[0]];
    if (isLeftOut((i) => fields[positions[i]])) {
      if (used > 0) leftOut.push(line);
    } else if (used === 0 && !verbatim) empty ||= line;
    else {
      // A row without a time may be a total with any number of fields, below an empty line.
      const more = adviseTrailing(time, advice);
      const facts = (): ErrorFacts => {
        const words = timeText((i) => fields[positions[i]]).filter((text) => text !== "");
        if (words.some((text) => /\d/.test(text))) return {};
        return { code: "time_format", value: words[0]?.slice(0, MAX_VALUE) };
      };
      if (empty) refuse(`line ${empty} is empty in the middle of the table${more}`, facts());
      if (used > names.length || fields.length < namedWidth) {
        const problem =
          `line ${line} has ${fields.length} fields, but the header has ${names.length}`;
        refuse(problem + more, facts());
      }
      const begin = time?.trim();
      const mayBeHeader = !verbatim && begin && names[positions[0]].includes(begin); // skips the exact comparison for most rows
      if (mayBeHeader && isHeader(records, start, headers)) {
        refuse(
          `line ${line} repeats the header. Read each table separately, or remove the line`,
          { code: "time_format", value: begin },
        );
      }
      for (const [i, position] of positions.entries()) {
        cells[i].push(fields[position] ?? null);
        size += VALUE_BYTES + (fields[position]?.length ?? 0);
      }
      lines.push(line);
      const row = line;
      checkHeap(lines.length, positions.length, (problem) => refuse(problem, { row }), size);
    }
    line += record.lines;
  }
  return {
    file,
    columns: cells.map((columnCells, i) => ({ name: names[positions[i]], cells: columnCells })), // `place` must not keep the cells in memory
    leftOut,
    texts: true,
    commas: records.delimiter !== ",",
    advice,
    line: (at) => lines[at],
    place: (at, i) => `line ${lines[at]}, column "${names[positions[i]]}"`,
  };
}

/** A header, and the reader whose delimiter fits it. */
interface TextHeader extends TableHeader {
  readonly records: DelimitedText;
}

/** Finds the header, and from it the delimiter if none is declared. */
function findTextHeader(
  text: Uint8Array,
  { delimiter, header_rows: headerRows = 1, skip_rows: skipRows }: TableLayout,
  wanted: readonly string[],
  refuse: (problem: string, facts?: ErrorFacts) => never,
): TextHeader {
  const readNames = (rows: readonly (readonly string[])[]) => joinHeader(spreadMerged(rows));
  let [best, most]: [string[], number] = [[], -1];
  for (const candidate of delimiter === undefined ? [",", ";", "\t"] : [delimiter]) {
    const records = { bytes: text, delimiter: candidate };
    const { head } = readFirstRecords(records, (skipRows ?? MAX_ROWS_BEFORE) + headerRows);
    const rows = head.map(({ fields }) => fields);
    checkTableSize(0, Math.max(0, ...rows.map(({ length }) => length)), refuse);
    const header = findHeader(rows, headerRows, skipRows, wanted, readNames);
    if (header) return { ...header, records };
    const { width, marks } = findTableWidth(rows);
    const first = skipRows ?? Math.max(0, rows.findIndex((row) => row.length === width));
    const names = first + headerRows > rows.length
      ? []
      : readNames(rows.slice(first, first + headerRows));
    if (marks > most) [best, most] = [names, marks];
  }
  if (!text.subarray(0, -1).includes(LF) && text.includes(CR)) refuse(LONE_RETURN);
  const names = wanted.map((name) => `"${name}"`).join(", ");
  const problem = skipRows === undefined
    ? `no header of ${
      headerRows === 1 ? "one row" : `${headerRows} rows`
    } at the start of the file has`
    : `the header after ${skipRows} rows does not have`;
  return refuse(`${problem} the columns ${names}. ${listNames(best)}`, { code: "columns" });
}

/** Removes the byte order mark, and adds a line feed at the end if it is missing. */
function endWithLineFeed(bytes: Uint8Array): Uint8Array {
  const from = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  if (bytes[bytes.length - 1] === LF) return bytes.subarray(from);
  const text = new Uint8Array(bytes.length - from + 1);
  text.set(bytes.subarray(from));
  text[text.length - 1] = LF;
  return text;
}

/** Whether the record at a position repeats a row of the header. */
function isHeader(text: DelimitedText, start: number, headers: ReadonlySet<string>): boolean {
  const record = readRecord(text, start);
  return typeof record !== "string" &&
    headers.has(record.fields.map((field) => field ?? "").join("\n"));
}
