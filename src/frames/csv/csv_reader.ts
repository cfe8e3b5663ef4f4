import pl, { type DataFrame, type Series } from "nodejs-polars";
import { type Column, wireName } from "../../api/columns/column.ts";
import { findHidden } from "../../api/error_text.ts";
import type { ErrorFacts } from "../../api/errors.ts";
import type { PassRule } from "../../time/local_clock.ts";
import { refuseFile } from "../files/read_file.ts";
import { endsInQuotes, findEndOfRows, splitRow } from "./csv_field.ts";
import { FieldColumn, Kind } from "./field_column.ts";
import {
  assertUtf8,
  type CsvLayout,
  findCsvLayout,
  HEADER_BYTES,
  type TableAdvice,
  withAdvice,
} from "./csv_layout.ts";
import { bindColumns, namesInHeader } from "./csv_names.ts";
import { DecimalMarks, NULL_TEXTS } from "./csv_numbers.ts";
import { buildRowReader } from "./csv_rows.ts";
import { checkTableSize } from "../files/reader_limits.ts";

/** Options of `readCsv()`. */
export interface ReadCsvOptions {
  /** Name of the file or address, for messages. */
  file: string;
  /** IANA zone of stamps without offset. @default none: such stamps are an error */
  timeZone?: string | undefined;
  /** How to tell the two passes of a repeated hour apart. @default by the order of the rows */
  passRule?: PassRule;
  /** Whether to keep undeclared columns: as numbers if every value is one, else as text. @default {true} */
  extra?: boolean;
  /**
   * Columns that identify the header; needed if `columns` is a function.
   * @default all columns that are not optional
   */
  required?: readonly Column[];
  /** Whether the line below the header may have the units of the columns. @default {false} */
  unitsRow?: boolean;
  /** Texts that mean a missing number, in addition to the usual ones. @default none */
  nullTexts?: readonly string[] | undefined;
  /** Advice for messages on what the caller can declare. @default none */
  advice?: TableAdvice;
}

/** A table read from delimited text. */
export interface CsvTable {
  /** Declared columns with their names in frames, then the others. Datetimes are in UTC. */
  readonly frame: DataFrame;
  /** Line of the first row, counted from 1. */
  readonly firstLine: number;
  /** The declared columns that the text has, in the order of the frame. */
  readonly columns: readonly Column[];
  /** Their names in the header, which may be spelled differently. */
  readonly names: readonly string[];
  /** Their units, if a line below the header has them. */
  readonly units?: readonly string[] | undefined;
  /** Lines before the header. */
  readonly preamble: readonly string[];
}

/** Bytes of a block: large enough that its overhead is negligible, small compared with the frame of a large file. */
const BLOCK_BYTES = 2 * 2 ** 20;

const LINE_FEED = 10;

/** Reads the first line below a header as units of the columns; `undefined` if a column of numbers has no word there. */
function readUnits(
  bytes: Uint8Array,
  { from, delimiter }: CsvLayout,
  positions: ReadonlyMap<Column, number>,
): ReadonlyMap<Column, string> | undefined {
  const fields = splitRow(bytes, from, delimiter)?.map((field) => field.trim());
  const isUnit = (text = "") => /^[[(]?[a-z%°]/i.test(text) && !NULL_TEXTS.has(text);
  const numbers = [...positions].filter(([{ dtype }]) => dtype === "f64");
  if (!fields || !numbers.every(([, i]) => isUnit(fields[i]))) return undefined;
  return new Map([...positions].map(([column, i]) => [column, fields[i] ?? ""]));
}

/**
 * Makes a reader of a delimited text that arrives in parts of any size. It collects them into blocks of a fixed size,
 * cut after the last complete row, so it needs little more memory than the frame and one block.
 *
 * @example
 * ```ts ignore
 * const reader = openCsv(modelDataCsv, { file: "model.csv" });
 * for await (const part of stream) reader.write(part);
 * const { frame } = reader.end();
 * ```
 *
 * @param columns Declarations by wire name, or a function that finds them for the names in the header
 * @param options Name of the file, zone of stamps without offset, names of the header
 * @param blockBytes Size of a block; tests make it small
 * @returns `write()` adds the next part, whose bytes are copied or read before it returns; `end()` takes the last one, which
 * is not copied if it is the whole text, and returns the table. Both throw `DataFormatError` if the text is not such a
 * table; the message names line and column
 */
export function openCsv(
  columns: readonly Column[] | ((names: readonly string[]) => readonly Column[]),
  options: ReadCsvOptions,
  blockBytes: number = BLOCK_BYTES,
): { readonly write: (part: Uint8Array) => void; readonly end: (last?: Uint8Array) => CsvTable } {
  const { file, extra = true, timeZone, passRule, unitsRow, nullTexts, advice } = options;
  /** Bytes of an incomplete block. */
  let pending = new Uint8Array(0);
  let length = 0;
  /** Position in the file of the next block. */
  let offset = 0;
  /** Rows so far. */
  let count = 0;
  let header: ReturnType<typeof readHeader> | undefined;
  const refuse = (problem: string, facts?: ErrorFacts) => refuseFile(file, problem, facts);

  function reserve(needed: number, room: number): void {
    if (needed <= pending.length) return;
    const larger = new Uint8Array(Math.min(room, Math.max(needed, 2 * pending.length)));
    larger.set(pending.subarray(0, length));
    pending = larger;
  }

  /** Reads all full blocks, and the header before the first; returns the number of bytes used. */
  function readBlocks(bytes: Uint8Array, ended = false): number {
    let used = 0;
    if (!header) {
      const whole = bytes.length < HEADER_BYTES;
      if (whole && !ended) return 0;
      header = readHeader(bytes.subarray(0, HEADER_BYTES), whole);
      used = offset = header.layout.from;
    }
    while (bytes.length - used >= blockBytes) {
      const block = bytes.subarray(used, used + blockBytes);
      const end = findEndOfRows(block);
      if (end === 0) refuseLongRow(block, header.rows.nextLine());
      read(block.subarray(0, end));
      used += end;
    }
    return used;
  }

  function readHeader(bytes: Uint8Array, whole: boolean) {
    const needed = options.required ?? (typeof columns === "function" ? [] : columns)
      .filter(({ optional }) => !optional);
    let layout = findCsvLayout(bytes, file, needed.map(namesInHeader), whole, advice);
    const { names, headerLine: row } = layout;
    const refuseColumns = (problem: string) => refuse(problem, { code: "columns", row });
    checkTableSize(0, names.length, (problem) => refuse(problem, { row }));
    const wanted = typeof columns === "function" ? columns(names) : columns;
    const repeated = names.find((name, i) => names.indexOf(name) !== i);
    if (extra && repeated !== undefined) { // a frame cannot have a name twice
      refuseColumns(`column "${repeated}" is duplicated. Rename one of these columns`);
    }
    const hidden = names.map(findHidden);
    const first = hidden.findIndex((character) => character !== null);
    if (extra && first !== -1) {
      refuseColumns(`the name of column ${first + 1} has ${hidden[first]}. Rename the column`);
    }
    const bound = bindColumns(names, wanted);
    if ("problem" in bound) return refuseColumns(bound.problem);
    const { positions } = bound;
    const missing = wanted.find((column) => !column.optional && !positions.has(column));
    if (missing) {
      refuseColumns(withAdvice(`column "${wireName(missing)}" is missing`, advice?.columns));
    }
    const at = new Map([...positions].map(([column, i]) => [i, column]));
    const units = unitsRow ? readUnits(bytes, layout, positions) : undefined;
    if (units) {
      const from = bytes.indexOf(LINE_FEED, layout.from) + 1 || bytes.length;
      layout = { ...layout, from, headerLine: row + 1 };
    }
    const declared = wanted.filter((column) => positions.has(column));
    const fields = names.map((name, i) =>
      new FieldColumn(name, at.get(i), extra, timeZone, passRule)
    );
    for (const field of fields) field.nullTexts = nullTexts;
    const declaredNames = new Set(declared.map(({ name }) => name));
    const clash = fields.find(({ column, kind, name }) =>
      !column && kind !== Kind.Skip && declaredNames.has(name)
    );
    if (clash) {
      const problem = `an undeclared column has the name "${clash.name}" of a declared column`;
      refuse(`${problem}. Rename the undeclared one`, { code: "columns", row: layout.headerLine });
    }
    return { layout, units, declared, fields, rows: buildRowReader(file, layout, fields, advice) };
  }

  /** Reads rows, the last of which ends with a line feed. */
  function read(bytes: Uint8Array): void {
    const { rows, fields } = header!;
    const zero = bytes.indexOf(0);
    if (zero !== -1) {
      let row = rows.nextLine();
      for (let i = 0; i < zero; i++) if (bytes[i] === LINE_FEED) row++;
      refuse(
        `byte ${offset + zero} is NUL, so the file is damaged there. Export or download it again`,
        { row },
      );
    }
    assertUtf8(bytes, file, advice?.encoding, offset);
    const more = rows.read(bytes);
    count += more;
    checkTableSize(count, fields.length, (problem) => refuse(problem, { row: rows.nextLine() }));
    if (more > 0) fields.forEach((field) => field.flush(more));
    offset += bytes.length;
  }

  /** Reads the last rows; the very last may have no line feed. Reads them as one block, because a quote may be in a field. */
  function readLastBlock(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    if (bytes[bytes.length - 1] === LINE_FEED) return read(bytes);
    const completed = new Uint8Array(bytes.length + 1);
    completed.set(bytes);
    completed[bytes.length] = LINE_FEED;
    read(completed);
  }

  function buildTable(): CsvTable {
    const { layout, units, declared, fields } = header!;
    const marks = new DecimalMarks();
    for (const field of fields) {
      if (!field.column) continue;
      const unsure = field.stamps.findUnclearHour();
      if (unsure) {
        const { row } = unsure;
        const { zone, unclear } = advice ?? {};
        const facts = { code: "time_zone", row, column: field.name } as const;
        refuse(withAdvice(withAdvice(unsure.explanation, zone), unclear), facts);
      }
      marks.join(field.marks);
    }
    const problem = marks.findProblem();
    if (problem) refuse(problem.explanation, { code: "number", ...problem });
    const declaredFields = declared.map((column) =>
      fields.find((field) => field.column === column)!
    );
    const declaredSeries = declaredFields.map((field) => field.take(marks)!);
    // A last column without a name and a value only shows a comma too many.
    const others = fields.map((field) => field.column ? undefined : field.take(marks))
      .filter((series, i) =>
        series !== undefined && (i < layout.named || series.nullCount() < count)
      ) as Series[];
    return {
      frame: pl.DataFrame([...declaredSeries, ...others]),
      firstLine: layout.headerLine + 1,
      columns: declared,
      names: declaredFields.map(({ name }) => name),
      units: units && declared.map((column) => units.get(column)!),
      preamble: layout.preamble,
    };
  }

  function refuseLongRow(block: Uint8Array, row: number): never {
    return endsInQuotes(block)
      ? refuse(`a quoted field does not end within ${block.length} bytes`, { row })
      : refuse(`line ${row} is longer than ${block.length} bytes, so the file is not a table`);
  }

  function write(part: Uint8Array): void {
    if (length === 0) part = part.subarray(readBlocks(part));
    const room = Math.max(HEADER_BYTES, blockBytes);
    while (part.length > 0) {
      const piece = part.subarray(0, room - length);
      reserve(length + piece.length, room);
      pending.set(piece, length);
      length += piece.length;
      part = part.subarray(piece.length);
      const used = readBlocks(pending.subarray(0, length));
      pending.copyWithin(0, used, length);
      length -= used;
    }
  }

  function end(last: Uint8Array = new Uint8Array(0)): CsvTable {
    let lastBlock = last;
    if (length > 0) {
      write(last);
      lastBlock = pending.subarray(0, length);
    }
    readLastBlock(lastBlock.subarray(readBlocks(lastBlock, true)));
    return buildTable();
  }

  return { write, end };
}

/**
 * Reads a delimited text with declared columns into a typed frame. This is the strict reader, for which every row must
 * fit; `cells/tolerant_csv.ts` is for files made by people. The header shows the delimiter, the preamble and the order
 * of columns. Undeclared columns are kept.
 *
 * A name in the header may differ from the declared one in case, spaces, underscores, hyphens and a bracketed unit.
 * Decimal commas are read if fields are separated by another character, and some value or declared range shows that they
 * do not mark thousands. -999 and -9999 are missing values if the declared range excludes them.
 *
 * @param bytes The text, UTF-8
 * @param columns Declarations by wire name; all but the optional ones are required
 * @param options Name of the file, zone of stamps without offset
 * @throws {DataFormatError} If the text is not such a table; the message names line and column
 */
export function readCsv(
  bytes: Uint8Array,
  columns: readonly Column[],
  options: ReadCsvOptions,
): CsvTable {
  return openCsv(columns, options).end(bytes);
}
