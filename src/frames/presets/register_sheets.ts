import { DataFormatError, type ErrorCode } from "../../api/errors.ts";
import { refuseFile } from "../files/read_file.ts";
import { type Cell, isEmpty, isLocal } from "../cells/cell_table.ts";
import { formatCellName, readSheetGrids } from "../cells/sheet_cells.ts";
import { NULL_TEXTS } from "../csv/csv_numbers.ts";
import { checkTableSize } from "../files/reader_limits.ts";
import { monthNumberAt, monthNumberOf } from "../../time/zones.ts";
import type { RegisterNames, RegisterPreset } from "./presets.ts";

/** Rows to search for the header. */
const HEADER_ROWS = 50;

/** A turbine of a register: its row in a sheet. */
interface RegisterRow {
  /** Its identifier. */
  readonly id: string;
  /** Its cells. */
  readonly cells: readonly Cell[];
  /** Its row in the sheet, from 0. */
  readonly row: number;
}

/** A sheet of a register. */
export interface RegisterSheet {
  /** Name of the file, for messages. */
  readonly file: string;
  /** Its own name, for messages: `sheet "Vindmølledata"`. */
  readonly sheet: string;
  /** Positions of the columns that it has. */
  readonly columns: { readonly [Name in keyof RegisterNames]?: number };
  /** Months since year 0 and the positions of their columns, in the order of time. */
  readonly months: readonly { readonly month: number; readonly column: number }[];
  /** Its turbines. */
  readonly rows: readonly RegisterRow[];
  /** Rows that are left out, in sentences. */
  readonly notes: readonly string[];
}

/**
 * Reads the sheets of a register that have its header.
 *
 * @throws {DataFormatError} If it is no workbook, or no sheet has the header and a turbine
 */
export async function readRegisterSheets(
  bytes: Uint8Array,
  file: string,
  preset: RegisterPreset,
): Promise<RegisterSheet[]> {
  const grids = await readSheetGrids(bytes, file);
  const sheets = grids.flatMap(({ name, rows }) => {
    const sheet = readSheet(rows, file, name, preset);
    return sheet ? [sheet] : [];
  });
  if (sheets.some(({ rows }) => rows.length > 0)) return sheets;
  if (sheets.length > 0) {
    refuseFile(
      file,
      "no row below its header has an identifier of 18 digits. Check that the file is the register, and that its identifiers are texts",
    );
  }
  const names = grids.map(({ name }) => JSON.stringify(name)).join(", ");
  const problem =
    `no sheet of ${names} has a header with "${preset.header}" in its first ${HEADER_ROWS} rows`;
  return refuseFile(file, `${problem}. Check that the file is the register`, { code: "columns" });
}

/** Text of a cell without line breaks, in lower case. */
const simplify = (cell: Cell | string) =>
  typeof cell === "string" ? cell.replaceAll(/\s+/g, " ").trim().toLowerCase() : "";

/** Reads a sheet; `undefined` if it has no such header. */
function readSheet(
  rows: readonly (readonly Cell[])[],
  file: string,
  name: string,
  { register }: RegisterPreset,
): RegisterSheet | undefined {
  const sheet = `sheet ${JSON.stringify(name)}`;
  const refuse = (problem: string) => refuseFile(file, `${sheet}: ${problem}`);
  const top = rows.slice(0, HEADER_ROWS);
  const find = (headers: readonly (readonly Cell[])[], aliases: readonly string[]) => {
    const simpleAliases = aliases.map(simplify);
    return headers.map((cells) => cells.findIndex((cell) => simpleAliases.includes(simplify(cell))))
      .find((at) => at !== -1);
  };
  const id = find(top, register.turbine_id);
  if (id === undefined) return undefined;
  // Each language has its own row of names, and a sheet may repeat them; in the same column, a row of a turbine has its
  // identifier.
  const isHeader = top.map((cells) => find([[cells[id]]], register.turbine_id) !== undefined);
  const headers = top.filter((_, row) => isHeader[row]);
  const columns = Object.fromEntries(
    Object.entries(register).map(([column, aliases]) => [column, find(headers, aliases)]),
  ) as RegisterSheet["columns"];
  checkTableSize(rows.length, rows.reduce((most, row) => Math.max(most, row.length), 0), refuse);
  const body = rows.map((cells, row) => ({
    id: row > isHeader.indexOf(true) && !isHeader[row]
      ? readId(cells[id] ?? null, (problem) => refuseSheetCell({ file, sheet }, row, id, problem))
      : undefined,
    cells,
    row,
  }));
  const others = body.filter(({ id, cells, row }) =>
    id === undefined && row > isHeader.lastIndexOf(true) && !cells.every(isEmpty)
  );
  return {
    file,
    sheet,
    columns,
    months: findMonths(headers, refuse),
    rows: body.filter((row): row is RegisterRow => row.id !== undefined),
    notes: others.length === 0 ? [] : [
      `${file}, ${sheet}: ${others.length} rows do not name a turbine and are left out; the first is row ${
        others[0].row + 1
      }`,
    ],
  };
}

/** Reads an identifier of 18 digits, which must be a text, because a number would lose digits; `undefined` for another text or number, such as a total. */
function readId(cell: Cell, refuse: (problem: string) => never): string | undefined {
  if (typeof cell === "string") return /^\d{18}$/.test(cell.trim()) ? cell.trim() : undefined;
  if (cell === null || typeof cell === "number" && Math.abs(cell) <= Number.MAX_SAFE_INTEGER) {
    return undefined;
  }
  return refuse(
    `the identifier is ${
      typeof cell === "number" ? "a number that has lost digits" : "not a text"
    }. Store it as a text`,
  );
}

/** Finds the columns of months: a day of Excel, or a text like "2024-01". */
function findMonths(
  headers: readonly (readonly Cell[])[],
  refuse: (problem: string) => never,
): { month: number; column: number }[] {
  const months = new Map<number, number>();
  for (const cells of headers) {
    for (const [column, cell] of cells.entries()) {
      const month = readMonth(cell);
      if (month === undefined) continue;
      const other = months.get(month);
      if (other !== undefined && other !== column) {
        refuse(
          `the columns ${formatCellName(0, other).slice(0, -1)} and ${
            formatCellName(0, column).slice(0, -1)
          } have the same month. Remove one`,
        );
      }
      months.set(month, column);
    }
  }
  return [...months].map(([month, column]) => ({ month, column }))
    .sort((a, b) => a.month - b.month);
}

function readMonth(cell: Cell): number | undefined {
  if (typeof cell === "string") {
    const [, year, month] = /^\s*((?:19|20)\d{2})-(0[1-9]|1[0-2])\s*$/.exec(cell) ?? [];
    return year ? monthNumberOf({ year: Number(year), month: Number(month) }) : undefined;
  }
  return isLocal(cell) ? monthNumberAt(cell.local / 1000) : undefined;
}

/**
 * Reads a number of a register; NaN if the cell is empty.
 *
 * @throws {DataFormatError} If the cell has anything else; the message names it
 */
export function readRegisterNumber(
  { file, sheet }: RegisterSheet,
  { cells, row }: RegisterRow,
  column: number,
): number {
  const cell = cells[column] ?? null;
  if (typeof cell === "number") return cell;
  if (cell === null || typeof cell === "string" && NULL_TEXTS.has(cell.trim())) return NaN;
  const content = typeof cell === "object"
    ? "fault" in cell ? cell.fault : "a date"
    : JSON.stringify(String(cell).slice(0, 60));
  return refuseSheetCell({ file, sheet }, row, column, `${content} is not a number`, "number");
}

/** Refuses a cell of a register. */
export function refuseSheetCell(
  { file, sheet }: Pick<RegisterSheet, "file" | "sheet">,
  row: number,
  column: number,
  problem: string,
  code?: ErrorCode,
): never {
  const place = `${sheet}, cell ${formatCellName(row, column)}`;
  throw new DataFormatError(`Cannot read ${file}: ${place}: ${problem}`, { code, row: row + 1 });
}
