import { DataFormatError, type ErrorFacts } from "../../api/errors.ts";
import { formatStamp } from "../../time/stamps.ts";
import type { TableAdvice } from "../csv/csv_layout.ts";

/**
 * Content of a cell as the file stores it, before it becomes a number, a time or a text. A time is in microseconds
 * since 1970: in UTC if it has an offset, else as if it were UTC. If a formula failed or was never computed, the cell
 * has the error that the sheet shows, such as "#N/A".
 */
export type Cell =
  | string
  | number
  | bigint
  | boolean
  | { readonly local: number }
  | { readonly instant: number }
  | { readonly fault: string }
  | null;

/** Whether a cell is a time without offset. */
export function isLocal(cell: Cell): cell is { readonly local: number } {
  return typeof cell === "object" && cell !== null && "local" in cell;
}

/** Reads a cell as a text without spaces around it; `undefined` if it is empty, a time or a fault. */
export function textOf(cell: Cell): string | undefined {
  return cell === null || typeof cell === "object" ? undefined : String(cell).trim();
}

/** Columns of a file of any kind, before their cells are read. */
export interface CellTable {
  /** Name of the file, for messages. */
  readonly file: string;
  /** The requested columns, in that order, with their names in the file. */
  readonly columns: readonly { readonly name: string; readonly cells: readonly Cell[] }[];
  /** Lines of the rows that are left out, as declared. */
  readonly leftOut: readonly number[];
  /** Whether the file has texts only, as CSV: then a text may be a number. */
  readonly texts: boolean;
  /** Whether a comma may be a decimal mark if none is declared: not if commas separate the fields. */
  readonly commas: boolean;
  /** Advice for messages on what the caller can declare. @default none */
  readonly advice?: TableAdvice | undefined;
  /** Number of a row in messages: its line, or its row in the sheet. */
  readonly line: (row: number) => number;
  /** Position of a cell in messages: `line 7, column "power"`, `cell C7`. */
  readonly place: (row: number, column: number) => string;
}

/** Place of the table in a file, and format of a text: fields of a declaration. */
export interface TableLayout {
  /** Rows of the header. @default {1} */
  readonly header_rows?: number | undefined;
  /** Rows before the header. @default found by the names of the columns */
  readonly skip_rows?: number | undefined;
  /** Rows to leave out: their time begins with one of these texts; "" is an empty cell. @default none */
  readonly leave_out?: readonly string[] | undefined;
  /** Column of the time, or columns of its parts, such as date and time of day. They come first in a table. @default one column */
  readonly time?: string | readonly string[] | undefined;
  /** Character between the fields of a text. @default found by the header */
  readonly delimiter?: string | undefined;
  /** Encoding of a text; "latin1" is Windows-1252, which contains Latin-1. @default {"utf-8"} */
  readonly encoding?: "utf-8" | "utf-16" | "latin1" | undefined;
  /** Name of the sheet of a workbook. @default the only visible one */
  readonly sheet?: string | undefined;
  /** Cells of the sheet that are the table, as "B4:H100". @default the whole sheet */
  readonly range?: string | undefined;
}

/** Whether a cell is empty or has spaces only. */
export function isEmpty(cell: Cell): boolean {
  return cell === null || typeof cell === "string" && cell.trim() === "";
}

/** Builds the function that reads the time of a row as texts, one for each part. */
export function buildTimeText(
  { time }: TableLayout,
): (cellOf: (i: number) => Cell | undefined) => string[] {
  const columns = Array.isArray(time) ? [...time.keys()] : [0];
  return (cellOf) => columns.map((i) => formatCell(cellOf(i) ?? null));
}

/** Builds the function that decides from the wanted cells of a row whether to leave it out. */
export function buildLeaveOut(
  layout: TableLayout,
): (cellOf: (i: number) => Cell | undefined) => boolean {
  const { leave_out: texts = [] } = layout;
  if (texts.length === 0) return () => false;
  const read = buildTimeText(layout);
  return (cellOf) => {
    const cells = read(cellOf);
    return texts.some((one) =>
      one === "" ? cells.every((cell) => cell === "") : cells.some((cell) => cell.startsWith(one))
    );
  };
}

/** Formats a cell as text; an empty cell gives an empty text. */
export function formatCell(cell: Cell): string {
  if (cell === null || typeof cell !== "object") return String(cell ?? "").trim();
  return "fault" in cell
    ? cell.fault
    : formatStamp(("local" in cell ? cell.local : cell.instant) / 1000);
}

/** Picks the rows of a table at some positions. */
export function pickRows(table: CellTable, rows: readonly number[]): CellTable {
  const { line, place } = table; // for messages, without a reference to the cells
  return {
    ...table,
    columns: table.columns.map(({ name, cells }) => ({
      name,
      cells: rows.map((row) => cells[row]),
    })),
    line: (row) => line(rows[row]),
    place: (row, column) => place(rows[row], column),
  };
}

/** Longest text that an error has as a fact, characters. */
export const MAX_VALUE = 60;

/**
 * Refuses a cell.
 *
 * @param row Its row
 * @param problem Problem, for the message
 * @param facts Facts other than the place and the content of the cell
 * @throws {DataFormatError} Always; the message names the cell
 */
export function refuseCell(
  { file, columns, line, place }: CellTable,
  row: number,
  column: number,
  problem: string,
  facts: ErrorFacts = {},
): never {
  const { name, cells } = columns[column];
  const cell = cells[row];
  const { value = typeof cell === "number" ? cell : formatCell(cell) } = facts;
  throw new DataFormatError(`Cannot read ${file}: ${place(row, column)}: ${problem}`, {
    ...facts,
    row: line(row),
    column: name,
    value: typeof value === "string" ? value.slice(0, MAX_VALUE) || undefined : value,
  });
}
