/** A time on the clock of the file, whose zone is declared; microseconds since 1970 as if it were UTC. */
interface LocalCell {
  /** Microseconds. */
  readonly local: number;
}

/** A time that the file tells without doubt. */
interface InstantCell {
  /** Microseconds since 1970 UTC. */
  readonly instant: number;
}

/** A cell that has no value because a formula failed or was never computed. */
interface FaultCell {
  /** What stands there, as "#N/A". */
  readonly fault: string;
}

/** What a cell of a table holds, before it is known what it means. */
export type Cell =
  | string
  | number
  | bigint
  | boolean
  | LocalCell
  | InstantCell
  | FaultCell
  | null;

/** Columns of a file as they stand there, whatever its kind. */
export interface CellTable {
  /** Name of the file, for messages. */
  readonly file: string;
  /** The columns asked for, in that order, under their names in the file. */
  readonly columns: readonly { readonly name: string; readonly cells: readonly Cell[] }[];
  /** Rows below the last period, of the same columns. */
  readonly footer: readonly (readonly Cell[])[];
  /** Whether texts are all that the file knows: then a text may be a number whose marks have to be told. */
  readonly texts: boolean;
  /** Whether a comma may be a decimal mark where nothing is declared: not where commas separate fields. */
  readonly commas: boolean;
  /** Number that names a row in messages: a line or a row of the sheet. */
  readonly line: (row: number) => number;
  /** Where a cell stands: `line 7, column "power"`, `cell C7`. */
  readonly place: (row: number, column: number) => string;
}

/** How the table of a file is declared, whatever is in it. */
export interface TableLayout {
  readonly headerRows: number;
  /** Rows before the header; found where it is not given. */
  readonly skipRows?: number | undefined;
  /** Rows after the table. */
  readonly footerRows: number;
}

/** Whether a cell holds nothing. */
export function isEmpty(cell: Cell): boolean {
  return cell === null || typeof cell === "string" && cell.trim() === "";
}
