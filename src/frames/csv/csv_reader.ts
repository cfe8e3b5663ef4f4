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
import { RowReader } from "./csv_rows.ts";
import { checkTableSize } from "../files/reader_limits.ts";

/** Options of `readCsv()`. */
export interface ReadCsvOptions {
  /** Name of the file or address, for messages. */
  file: string;
  /** IANA zone of stamps without offset. @default none: such stamps are an error */
  timeZone?: string;
  /** How the pass of a stamp of a repeated hour is found. @default by the order of the rows */
  passRule?: PassRule;
  /** Whether columns that are not declared are kept, as numbers if every value is one, else as text. @default {true} */
  extra?: boolean;
  /**
   * Columns by which the header is found; required if the columns are found by the header.
   * @default all columns that are not optional
   */
  required?: readonly Column[];
  /** Whether the line below the header may have the units of the columns. @default {false} */
  unitsRow?: boolean;
  /** Texts that mean missing where a number is read, in addition to the usual ones. @default none */
  nullTexts?: readonly string[] | undefined;
  /** What the caller can declare of the file. @default nothing */
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
  readonly units?: readonly string[];
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
 * Reads a delimited text that arrives in parts. Parts are collected into blocks of a fixed size, cut after the last
 * complete row; their sizes make no difference. Memory stays near that of the frame and one block.
 *
 * @example
 * ```ts ignore
 * const reader = new CsvReader(modelDataCsv, { file: "model.csv" });
 * for await (const part of stream) reader.write(part);
 * const { frame } = reader.end();
 * ```
 */
export class CsvReader {
  readonly #columns: readonly Column[] | ((names: readonly string[]) => readonly Column[]);
  readonly #options: ReadCsvOptions;
  readonly #blockBytes: number;
  /** Bytes of an incomplete block. */
  #pending = new Uint8Array(0);
  #length = 0;
  /** Position in the file of the next block. */
  #offset = 0;
  #layout: CsvLayout | undefined;
  #units: ReadonlyMap<Column, string> | undefined;
  #declared: readonly Column[] = [];
  #fields: readonly FieldColumn[] = [];
  #rows: RowReader | undefined;
  /** Rows so far. */
  #count = 0;

  /**
   * Makes a reader.
   *
   * @param columns Declarations by wire name, or a function that finds them for the names in the header
   * @param options Name of the file, zone of stamps without offset, names of the header
   * @param blockBytes Size of a block; tests make it small
   */
  constructor(
    columns: readonly Column[] | ((names: readonly string[]) => readonly Column[]),
    options: ReadCsvOptions,
    blockBytes: number = BLOCK_BYTES,
  ) {
    this.#columns = columns;
    this.#options = options;
    this.#blockBytes = blockBytes;
  }

  /**
   * Adds the next part of the text. The bytes are copied or read before this returns.
   *
   * @throws {DataFormatError} If a complete block does not fit the table; the message names line and column
   */
  write(part: Uint8Array): void {
    if (this.#length === 0) part = part.subarray(this.#readBlocks(part));
    const room = Math.max(HEADER_BYTES, this.#blockBytes);
    while (part.length > 0) {
      const taken = part.subarray(0, room - this.#length);
      this.#reserve(this.#length + taken.length, room);
      this.#pending.set(taken, this.#length);
      this.#length += taken.length;
      part = part.subarray(taken.length);
      const used = this.#readBlocks(this.#pending.subarray(0, this.#length));
      this.#pending.copyWithin(0, used, this.#length);
      this.#length -= used;
    }
  }

  /**
   * Ends the text and returns the table.
   *
   * @param last Last part of the text; it is not copied if it is the whole text
   * @throws {DataFormatError} If the text is not such a table; the message names line and column
   */
  end(last?: Uint8Array): CsvTable {
    let rest = last ?? new Uint8Array(0);
    if (this.#length > 0) {
      this.write(rest);
      rest = this.#pending.subarray(0, this.#length);
    }
    rest = rest.subarray(this.#readBlocks(rest, true));
    this.#readLastBlock(rest);
    return this.#buildTable();
  }

  #reserve(length: number, room: number): void {
    if (length <= this.#pending.length) return;
    const larger = new Uint8Array(Math.min(room, Math.max(length, 2 * this.#pending.length)));
    larger.set(this.#pending.subarray(0, this.#length));
    this.#pending = larger;
  }

  /** Reads all full blocks, and the header before the first; returns the number of bytes used. */
  #readBlocks(bytes: Uint8Array, ended = false): number {
    let used = 0;
    if (!this.#rows) {
      const whole = bytes.length < HEADER_BYTES;
      if (whole && !ended) return 0;
      used = this.#readHeader(bytes.subarray(0, HEADER_BYTES), whole);
    }
    while (bytes.length - used >= this.#blockBytes) {
      const block = bytes.subarray(used, used + this.#blockBytes);
      const end = findEndOfRows(block);
      if (end === 0) this.#refuseLongRow(block);
      this.#read(block.subarray(0, end));
      used += end;
    }
    return used;
  }

  #readHeader(bytes: Uint8Array, whole: boolean): number {
    const { file, extra = true, timeZone, passRule, required, unitsRow, advice } = this.#options;
    const { nullTexts } = this.#options;
    const columns = this.#columns;
    const needed = required ?? (typeof columns === "function" ? [] : columns)
      .filter(({ optional }) => !optional);
    let layout = findCsvLayout(bytes, file, needed.map(namesInHeader), whole, advice);
    const row = layout.headerLine;
    const refuse = (found: string) => this.#refuse(found, { row });
    checkTableSize(0, layout.names.length, refuse);
    const declared = typeof columns === "function" ? columns(layout.names) : columns;
    const repeated = layout.names.find((name, i) => layout.names.indexOf(name) !== i);
    if (extra && repeated !== undefined) { // a frame has each name once
      this.#refuse(`column "${repeated}" is duplicated`, { code: "columns", row });
    }
    const hidden = layout.names.map(findHidden).findIndex((found) => found !== null);
    if (extra && hidden !== -1) {
      const found = findHidden(layout.names[hidden]);
      const problem = `the name of column ${hidden + 1} has ${found}. Rename the column`;
      this.#refuse(problem, { code: "columns", row });
    }
    const bound = bindColumns(layout.names, declared);
    if ("problem" in bound) {
      this.#refuse(bound.problem, { code: "columns", row });
    }
    const missing = declared.find((column) => !column.optional && !bound.positions.has(column));
    if (missing) {
      const found = withAdvice(`column "${wireName(missing)}" is missing`, advice?.columns);
      this.#refuse(found, { code: "columns", row });
    }
    const at = new Map([...bound.positions].map(([column, i]) => [i, column]));
    const units = unitsRow ? readUnits(bytes, layout, bound.positions) : undefined;
    if (units) {
      const from = bytes.indexOf(LINE_FEED, layout.from) + 1 || bytes.length;
      layout = { ...layout, from, headerLine: layout.headerLine + 1 };
      this.#units = units;
    }
    this.#layout = layout;
    this.#declared = declared.filter((column) => bound.positions.has(column));
    this.#fields = layout.names.map((name, i) =>
      new FieldColumn(name, at.get(i), extra, timeZone, passRule)
    );
    for (const field of this.#fields) field.nullTexts = nullTexts;
    this.#rows = new RowReader(file, layout, this.#fields, advice);
    this.#assertNoClash();
    this.#offset = layout.from;
    return layout.from;
  }

  #assertNoClash(): void {
    const names = new Set(this.#declared.map(({ name }) => name));
    const clash = this.#fields.find(({ column, kind, name }) =>
      !column && kind !== Kind.Skip && names.has(name)
    );
    if (clash) {
      this.#refuse(
        `a column that is not declared has the name "${clash.name}" of a declared one. Rename it`,
        { code: "columns", row: this.#layout!.headerLine },
      );
    }
  }

  /** Reads rows, the last of which ends with a line feed. */
  #read(rows: Uint8Array): void {
    this.#refuseNul(rows);
    assertUtf8(rows, this.#options.file, this.#options.advice?.encoding, this.#offset);
    const count = this.#rows!.read(rows);
    this.#count += count;
    const refuse = (found: string) => this.#refuse(found, { row: this.#rows!.line });
    checkTableSize(this.#count, this.#fields.length, refuse);
    if (count > 0) this.#fields.forEach((field) => field.flush(count));
    this.#offset += rows.length;
  }

  /** Reads the last rows, of which the last may have no line feed. Where the others end is not sought: a quote may be in a field. */
  #readLastBlock(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    if (bytes[bytes.length - 1] === LINE_FEED) return this.#read(bytes);
    const completed = new Uint8Array(bytes.length + 1);
    completed.set(bytes);
    completed[bytes.length] = LINE_FEED;
    this.#read(completed);
  }

  #buildTable(): CsvTable {
    const layout = this.#layout!;
    const marks = new DecimalMarks();
    for (const field of this.#fields) {
      if (!field.column) continue;
      const unsure = field.stamps.findUnclearHour();
      if (unsure) {
        const { row, found } = unsure;
        const facts = { code: "time_zone", row, column: field.name } as const;
        const { zone, unclear } = this.#options.advice ?? {};
        this.#refuse(withAdvice(withAdvice(found, zone), unclear), facts);
      }
      marks.join(field.marks);
    }
    const problem = marks.findProblem();
    if (problem) this.#refuse(problem.found, { code: "number", ...problem });
    const fields = this.#declared.map((column) =>
      this.#fields.find((field) => field.column === column)!
    );
    const declared = fields.map((field) => field.take(marks)!);
    const taken = this.#fields.map((field) => field.column ? undefined : field.take(marks));
    // Without a name and a value a last column is only a comma too many.
    const others = taken.filter((series, i) =>
      series !== undefined && (i < layout.named || series.nullCount() < this.#count)
    ) as Series[];
    return {
      frame: pl.DataFrame([...declared, ...others]),
      firstLine: layout.headerLine + 1,
      columns: this.#declared,
      names: fields.map(({ name }) => name),
      ...(this.#units ? { units: this.#declared.map((column) => this.#units!.get(column)!) } : {}),
      preamble: layout.preamble,
    };
  }

  #refuse(found: string, facts?: ErrorFacts): never {
    return refuseFile(this.#options.file, found, facts);
  }

  /** Refuses rows that have a NUL, the first of them at a line. */
  #refuseNul(rows: Uint8Array): void {
    const zero = rows.indexOf(0);
    if (zero === -1) return;
    let { line } = this.#rows!;
    for (let i = 0; i < zero; i++) if (rows[i] === LINE_FEED) line++;
    this.#refuse(`byte ${this.#offset + zero} is NUL: it is not a text`, { row: line });
  }

  #refuseLongRow(block: Uint8Array): never {
    const row = this.#rows!.line;
    return endsInQuotes(block)
      ? this.#refuse(`a quoted field does not end within ${block.length} bytes`, { row })
      : this.#refuse(`line ${row} is longer than ${block.length} bytes: it is not a table`);
  }
}

export { NULL_TEXTS } from "./csv_numbers.ts";

/**
 * Reads a delimited text with declared columns into a typed frame. This is the strict reader, where every row must fit;
 * `cells/tolerant_csv.ts` is for files made by people. Delimiter, preamble and order of columns are found by the header;
 * columns that are not declared are kept.
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
  return new CsvReader(columns, options).end(bytes);
}
