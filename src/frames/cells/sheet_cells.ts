import type { CellValue, Sheet } from "hucre/xlsx";
import { ArgumentError, type ErrorFacts } from "../../api/errors.ts";
import {
  buildLeaveOut,
  type Cell,
  type CellTable,
  formatCell,
  isEmpty,
  isLocal,
  type TableLayout,
} from "./cell_table.ts";
import { findHeader, findPositions, joinHeader, MAX_ROWS_BEFORE } from "./header_names.ts";
import { checkHeap, MAX_WORKBOOK_BYTES, MAX_WORKBOOK_CELLS } from "../files/reader_limits.ts";
import { adviseTrailing, type TableAdvice } from "../csv/csv_layout.ts";
import { listNames } from "../csv/csv_names.ts";
import { refuseFile } from "../files/read_file.ts";
import { verifyZip } from "../files/archive.ts";

/** Part of a sheet, from 0, both ends included. */
interface Area {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

/**
 * Reads columns from a sheet of an Excel file.
 *
 * @throws {DataFormatError} If the sheet does not have the table; the message names the cell
 * @throws {ArgumentError} If the sheet is unknown, or must be named because there are several
 */
export async function readSheetCells(
  bytes: Uint8Array,
  file: string,
  layout: TableLayout,
  wanted: readonly string[],
  advice?: TableAdvice,
): Promise<CellTable> {
  const refuse = (problem: string, facts?: ErrorFacts) => refuseFile(file, problem, facts);
  const range = parseRange(file, layout.range);
  const sheet = await readSheet(bytes, file, layout);
  const area = findArea(sheet, range);
  const { header_rows: headerRows = 1, skip_rows: skipRows } = layout;
  checkHeap(
    area.bottom - area.top + 1,
    area.right - area.left + 1,
    (problem) => refuse(`sheet "${sheet.name}": ${problem}. Give the "range" of the table`),
  );
  const rowAt = (row: number) => {
    const cells = sheet.rows[row] ?? [];
    return Array.from(
      { length: area.right - area.left + 1 },
      (_, i) => readCell(sheet, cells[area.left + i] ?? null, row, area.left + i),
    );
  };
  const grid = Array.from({ length: area.bottom - area.top + 1 }, (_, i) => rowAt(area.top + i));
  while (grid.length > 0 && grid[grid.length - 1].every(isEmpty)) grid.pop();
  if (grid.length === 0) refuse(`sheet "${sheet.name}" is empty. Name another sheet`);
  const first = grid.slice(0, (skipRows ?? MAX_ROWS_BEFORE) + headerRows)
    .map((row, i) => ({ row: area.top + i, texts: row.map(formatName) }));
  const readNames = (rows: Readonly<typeof first>) => joinHeader(fillMerged(sheet, area, rows));
  const header = findHeader(first, headerRows, skipRows, wanted, readNames);
  if (!header) {
    const names = wanted.map((name) => `"${name}"`).join(", ");
    const mostTexts = Math.max(...first.map(({ texts }) => texts.filter((text) => text).length));
    const fullest = first.findIndex(({ texts }) =>
      texts.filter((text) => text).length === mostTexts
    );
    const known = readNames(first.slice(skipRows ?? fullest, (skipRows ?? fullest) + headerRows));
    return refuse(
      `no header of sheet "${sheet.name}" has the columns ${names}. ${listNames(known)}`,
      { code: "columns" },
    );
  }
  const top = area.top + header.row + 1;
  const positions = findPositions(
    header.names,
    wanted,
    (problem) => refuse(`row ${top}: ${problem}`, { code: "columns" }),
  );
  const from = header.row + headerRows;
  const body = grid.slice(from);
  const firstRow = area.top + from;
  const isLeftOut = buildLeaveOut(layout);
  const leftOut = new Set(
    [...body.keys()].filter((row) => isLeftOut((i) => body[row][positions[i]])),
  );
  const rows = [...body.keys()].filter((row) => !leftOut.has(row));
  const filled = rows.filter((row) => !body[row].every(isEmpty));
  const empty = rows.slice(0, filled.length).findIndex((row, i) => row !== filled[i]);
  if (empty !== -1) {
    const below = body[filled[empty]][positions[0]];
    const isTime = typeof below === "object" && below !== null;
    const trailing = isTime ? "" : adviseTrailing(below?.toString(), advice);
    const facts: ErrorFacts = trailing === ""
      ? {}
      : { code: "time_format", value: below?.toString().trim() || undefined };
    const problem = `row ${firstRow + rows[empty] + 1} is empty in the middle of the table`;
    refuse(problem + trailing, facts);
  }
  const columns = positions.map((position) => area.left + position);
  assertNoMergedValues(sheet, columns, firstRow, firstRow + (filled.at(-1) ?? -1), refuse);
  return {
    file,
    columns: positions.map((position) => ({
      name: header.names[position],
      cells: filled.map((row) => body[row][position]),
    })),
    leftOut: [...leftOut].map((row) => firstRow + row + 1),
    texts: false,
    commas: true,
    advice,
    line: (row) => firstRow + filled[row] + 1,
    place: (row, column) => `cell ${formatCellName(firstRow + filled[row], columns[column])}`,
  };
}

/**
 * Reads all visible sheets of an Excel file.
 *
 * @returns Name and rows of each, from the first row on; the last rows may be shorter
 * @throws {DataFormatError} If it is not a readable workbook, or too large
 */
export async function readSheetGrids(bytes: Uint8Array, file: string) {
  const sheets = await openSheets(
    bytes,
    file,
    {},
    (all) => all.filter(({ hidden }) => !hidden).map(({ name }) => name),
  );
  return sheets.map((sheet) => ({
    name: sheet.name,
    rows: sheet.rows.map((cells, row) =>
      Array.from(cells, (value, column) => readCell(sheet, value ?? null, row, column))
    ),
  }));
}

/** Reads a sheet. */
async function readSheet(
  bytes: Uint8Array,
  file: string,
  { sheet: name, range }: TableLayout,
): Promise<Sheet> {
  const bound = range === undefined ? {} : { range: range.toUpperCase().replaceAll(/[\s$]/g, "") };
  const [sheet] = await openSheets(bytes, file, bound, (sheets) => {
    const visible = sheets.filter(({ hidden }) => !hidden);
    const names = sheets.map(({ name }) => `"${name}"`).join(", ");
    const chosen = name ?? (visible.length === 1 ? visible[0].name : undefined);
    if (chosen === undefined) {
      throw new ArgumentError(`Cannot read ${file}: it has several sheets. Name one of ${names}`);
    }
    if (!sheets.some((sheet) => sheet.name === chosen)) {
      throw new ArgumentError(
        `Cannot read ${file}: it has no sheet "${chosen}". Name one of ${names}`,
      );
    }
    return [chosen];
  });
  return sheet;
}

/** Reads sheets. Checks the archive against our own limits before it reads any part into memory. */
async function openSheets(
  bytes: Uint8Array,
  file: string,
  bound: { range?: string },
  choose: (sheets: readonly { name: string; hidden: boolean }[]) => string[],
): Promise<Sheet[]> {
  const isWholeSheet = bound.range === undefined;
  let cells = 0;
  await verifyZip(
    bytes,
    file,
    MAX_WORKBOOK_BYTES,
    (name) =>
      isWholeSheet && name.startsWith("xl/worksheets/")
        ? countCells((count, place) => {
          cells += count;
          if (cells > MAX_WORKBOOK_CELLS) refuseFarCell(file, `has a cell ${place}`);
        })
        : undefined,
  );
  const { readXlsx } = await import("hucre/xlsx");
  const sheets: { name: string; hidden: boolean }[] = [];
  try {
    await readXlsx(bytes, {
      sheets: ({ name, hidden, veryHidden }) => {
        sheets.push({ name, hidden: Boolean(hidden || veryHidden) });
        return false;
      },
    });
    return (await readXlsx(bytes, { sheets: choose(sheets), ...bound })).sheets;
  } catch (cause) {
    if (cause instanceof ArgumentError) throw cause;
    const wide = /spans (\d+ rows x \d+ columns)/.exec((cause as Error).message)?.[1];
    if (wide) refuseFarCell(file, `spans ${wide}`, cause);
    const problem = `it is not a readable Excel workbook (${(cause as Error).message})`;
    return refuseFile(file, problem, { hint: "Save it as .xlsx, or as CSV", cause });
  }
}

function refuseFarCell(file: string, problem: string, cause?: unknown): never {
  const advice =
    'Delete the cells far from the table, or give the "range" of the table, such as "B4:H5000"';
  const facts = { cause, field: "range" };
  refuseFile(file, `the sheet ${problem}, so it is too large. ${advice}`, facts);
}

/**
 * Counts the cells that hucre makes of a sheet: each row is as wide as its last cell.
 *
 * @param add Called with the width of each row but the last, and the place of its last cell
 * @returns A function that receives the parts of the sheet
 */
function countCells(add: (count: number, place: string) => void): (part: Uint8Array) => void {
  const decoder = new TextDecoder();
  let [tail, row, width, place] = ["", "", 0, ""];
  return (part) => {
    const text = tail + decoder.decode(part, { stream: true });
    for (const [, letters, digits] of text.matchAll(/\sr\s*=\s*["']([A-Z]{1,3})(\d+)["']/g)) {
      if (digits !== row) {
        add(width, place);
        [row, width] = [digits, 0];
      }
      const column = parseColumn(letters) + 1;
      if (column > width) [width, place] = [column, letters + digits];
    }
    tail = text.slice(-20); // a place may be split between parts; reading one twice does no harm
  };
}

const rangeText = /^\$?([A-Z]{1,3})\$?([1-9]\d{0,6}):\$?([A-Z]{1,3})\$?([1-9]\d{0,6})$/;

/** Reads a declared range; `undefined` if none is declared. */
function parseRange(file: string, range?: string): Area | undefined {
  if (range === undefined) return undefined;
  const match = rangeText.exec(range.trim().toUpperCase());
  const [top, bottom] = [Number(match?.[2]) - 1, Number(match?.[4]) - 1];
  const [left, right] = [parseColumn(match?.[1] ?? ""), parseColumn(match?.[3] ?? "")];
  if (!match || bottom < top || right < left) {
    throw new ArgumentError(
      `Cannot read ${file}: "${range}" is not a range like "B4:H100". Give the upper left and the lower right cell of the table`,
    );
  }
  return { top, left, bottom, right };
}

/** Limits the declared range to the rows of the sheet; the whole sheet if none is declared. */
function findArea(sheet: Sheet, range?: Area): Area {
  const bottom = sheet.rows.length - 1;
  if (range) return { ...range, bottom: Math.min(range.bottom, bottom) };
  const right = sheet.rows.reduce((most, row) => Math.max(most, row.length), 0) - 1;
  return { top: 0, left: 0, bottom, right: Math.max(0, right) };
}

/** Position of a column by its letters, from 0. */
function parseColumn(letters: string): number {
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** Name of a cell, "C7". */
export function formatCellName(row: number, column: number): string {
  let letters = "";
  for (let remainder = column + 1; remainder > 0; remainder = Math.floor((remainder - 1) / 26)) {
    letters = String.fromCharCode(65 + (remainder - 1) % 26) + letters;
  }
  return `${letters}${row + 1}`;
}

const errorText = /^#(?:N\/A|DIV\/0!|VALUE!|REF!|NAME\?|NUM!|NULL!|SPILL!|CALC!|GETTING_DATA)$/;

function readCell(sheet: Sheet, value: CellValue, row: number, column: number): Cell {
  const detail = sheet.cells?.get(`${row},${column}`);
  const formula = detail?.formula !== undefined;
  const displayed = formula ? detail.formulaResult ?? value : value;
  if (formula && (displayed === null || displayed === undefined)) {
    return { fault: "a formula without a stored value" };
  }
  const failed = detail?.type === "error" || formula && errorText.test(String(displayed));
  if (failed) return { fault: String(displayed) };
  // Excel stores days as floats with rounding errors; it shows whole seconds, too.
  if (displayed instanceof Date && Number.isNaN(displayed.getTime())) {
    return { fault: "an impossible date" };
  }
  if (displayed instanceof Date) return { local: Math.round(displayed.getTime() / 1000) * 1e6 };
  return displayed;
}

/** Formats a header cell as a name; a day as "2023-01-01". */
function formatName(cell: Cell): string {
  const text = formatCell(cell);
  return isLocal(cell) ? text.slice(0, 10) : text;
}

/** Repeats the text of merged header cells in each cell that they cover. */
function fillMerged(
  sheet: Sheet,
  area: Area,
  rows: readonly { readonly row: number; readonly texts: readonly string[] }[],
): string[][] {
  const filled = rows.map(({ texts }) => [...texts]);
  for (const { startRow, startCol, endRow, endCol } of sheet.merges ?? []) {
    const value = sheet.rows[startRow]?.[startCol] ?? null;
    const text = formatName(readCell(sheet, value, startRow, startCol));
    for (const [i, { row }] of rows.entries()) {
      if (row < startRow || row > endRow) continue;
      for (let c = Math.max(startCol, area.left); c <= Math.min(endCol, area.right); c++) {
        filled[i][c - area.left] = text;
      }
    }
  }
  return filled;
}

/** Refuses merged cells among values: all cells but the first would count as missing. */
function assertNoMergedValues(
  sheet: Sheet,
  columns: readonly number[],
  top: number,
  bottom: number,
  refuse: (problem: string) => never,
): void {
  for (const { startRow, startCol, endRow, endCol } of sheet.merges ?? []) {
    const hit = columns.some((column) => column >= startCol && column <= endCol);
    if (!hit || endRow < top || startRow > bottom) continue;
    const name = `${formatCellName(startRow, startCol)}:${formatCellName(endRow, endCol)}`;
    refuse(`cells ${name} are merged in the middle of the table. Unmerge them, and fill each cell`);
  }
}
