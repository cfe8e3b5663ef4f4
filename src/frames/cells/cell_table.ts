import { DataFormatError, type ErrorFacts } from "../../api/errors.ts";
import { formatStamp } from "../../time/stamps.ts";
import type { TableAdvice } from "../csv/table_advice.ts";

/** A time without offset, in the zone that is declared for the file. */
interface LocalCell {
  /** Microseconds since 1970 as if it were UTC. */
  readonly local: number;
}

/** A time with an offset. */
interface InstantCell {
  /** Microseconds since 1970 UTC. */
  readonly instant: number;
}

/** A cell that has no value because a formula failed or was never computed. */
interface FaultCell {
  /** The error as the sheet shows it, "#N/A". */
  readonly fault: string;
}

/** Content of a cell as the file stores it, before it is read as a number, a time or a text. */
export type Cell =
  | string
  | number
  | bigint
  | boolean
  | LocalCell
  | InstantCell
  | FaultCell
  | null;

/** Columns of a file of any kind, before their cells are read. */
export interface CellTable {
  /** Name of the file, for messages. */
  readonly file: string;
  /** The requested columns, in that order, with their names in the file. */
  readonly columns: readonly { readonly name: string; readonly cells: readonly Cell[] }[];
  /** Cells of the same columns in the rows below the table. */
  readonly footer: readonly (readonly Cell[])[];
  /** Whether the file has texts only, as CSV: then a text may be a number. */
  readonly texts: boolean;
  /** Whether a comma may be a decimal mark if none is declared: not if commas separate the fields. */
  readonly commas: boolean;
  /** What the caller can declare of the file. @default nothing */
  readonly advice?: TableAdvice;
  /** Number of a row in messages: its line, or its row in the sheet. */
  readonly line: (row: number) => number;
  /** Position of a cell in messages: `line 7, column "power"`, `cell C7`. */
  readonly place: (row: number, column: number) => string;
}

/** Where the table of a file is, and how a text is written: fields of a declaration. */
export interface TableLayout {
  /** Rows of the header. @default {1} */
  readonly header_rows?: number | undefined;
  /** Rows before the header. @default found by the names of the columns */
  readonly skip_rows?: number | undefined;
  /** Rows after the table. @default {0} */
  readonly footer_rows?: number | undefined;
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

/** Formats a cell as a text; empty where it is. */
export function formatCell(cell: Cell): string {
  if (cell === null || typeof cell !== "object") return String(cell ?? "").trim();
  return "fault" in cell
    ? cell.fault
    : formatStamp(("local" in cell ? cell.local : cell.instant) / 1000);
}

/** Characters of a text that an error has as a fact. */
const MAX_VALUE = 60;

/**
 * Refuses a cell.
 *
 * @param row Its row; those of the footer follow those of the table
 * @param found What is wrong with it
 * @param facts What is known beside its place and its content
 * @throws {DataFormatError} Always; the message names the cell
 */
export function refuseCell(
  { file, columns, footer, line, place }: CellTable,
  row: number,
  column: number,
  found: string,
  facts: ErrorFacts = {},
): never {
  const { name, cells } = columns[column];
  const cell = row < cells.length ? cells[row] : footer[row - cells.length][column];
  const { value = typeof cell === "number" ? cell : formatCell(cell) } = facts;
  throw new DataFormatError(`Cannot read ${file}: ${place(row, column)}: ${found}`, {
    ...facts,
    row: line(row),
    column: name,
    value: typeof value === "string" ? value.slice(0, MAX_VALUE) || undefined : value,
  });
}

/** Refuses a row with a time that is declared to be below the table. */
export function refuseFooter(table: CellTable, row: number): never {
  const found =
    "a row that is declared to be below the table has a time. Declare fewer footer_rows";
  refuseCell(table, table.columns[0].cells.length + row, 0, found, { code: "footer" });
}
