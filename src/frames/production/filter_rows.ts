import { DataFormatError } from "../../api/errors.ts";
import type { Cell, CellTable } from "../cells/cell_table.ts";

/** Values of a column in a message at most. */
const MAX_LISTED = 10;

/**
 * Selects the rows of a table in which columns have given values.
 *
 * @param table The table; its last columns are those of `where`, in that order
 * @param where Values by name of the column; they are compared as texts
 * @throws {DataFormatError} If no row has the values
 */
export function filterRows(
  table: CellTable,
  where: Readonly<Record<string, string | number>> = {},
): CellTable {
  const values = Object.values(where).map((value) => String(value).trim());
  if (values.length === 0) return table;
  const compared = table.columns.slice(-values.length);
  const height = compared[0].cells.length;
  const rows = Array.from({ length: height }, (_, row) => row)
    .filter((row) => values.every((value, i) => textOf(compared[i].cells[row]) === value));
  if (rows.length === 0) {
    const found = compared.map(({ name, cells }) => `"${name}": ${listValues(cells)}`).join("; ");
    const wanted = compared.map(({ name }, i) => `"${name}" "${values[i]}"`).join(" and ");
    throw new DataFormatError(
      `Cannot read ${table.file}: no row has ${wanted}. The file has ${found}`,
    );
  }
  return pickRows(table, rows);
}

/** A part of a table: the rows at some positions. */
function pickRows(table: CellTable, rows: readonly number[]): CellTable {
  const height = table.columns[0].cells.length;
  // Rows of the footer follow those of the table.
  const inFile = (row: number) => row < rows.length ? rows[row] : height + row - rows.length;
  return {
    ...table,
    columns: table.columns.map(({ name, cells }) => ({
      name,
      cells: rows.map((row) => cells[row]),
    })),
    line: (row) => table.line(inFile(row)),
    place: (row, column) => table.place(inFile(row), column),
  };
}

/**
 * Splits a table by the turbine that a column names.
 *
 * @param table The table
 * @param column Position of the column
 * @param only Turbines to keep. @default all
 * @returns A table by turbine, in the order in which they appear
 * @throws {DataFormatError} If a row names no turbine, or none is of one of `only`
 */
export function splitByTurbine(
  table: CellTable,
  column: number,
  only?: readonly string[],
): Map<string, CellTable> {
  const rows = new Map<string, number[]>();
  for (const [row, cell] of table.columns[column].cells.entries()) {
    const id = textOf(cell);
    if (!id) {
      throw new DataFormatError(
        `Cannot read ${table.file}: ${table.place(row, column)}: it names no turbine`,
      );
    }
    const own = rows.get(id);
    if (own) own.push(row);
    else rows.set(id, [row]);
  }
  const ids = [...rows.keys()].filter((id) => only?.includes(id) ?? true);
  if (ids.length === 0 && only) {
    const wanted = only.map((id) => JSON.stringify(id)).join(", ");
    throw new DataFormatError(
      `Cannot read ${table.file}: no row is of ${wanted}. The file has ${
        listValues([...rows.keys()])
      }`,
    );
  }
  return new Map(ids.map((id) => [id, pickRows(table, rows.get(id)!)]));
}

function textOf(cell: Cell): string | undefined {
  return cell === null || typeof cell === "object" ? undefined : String(cell).trim();
}

function listValues(cells: readonly Cell[]): string {
  const texts = [...new Set(cells.map(textOf).filter((text) => text))];
  const first = texts.slice(0, MAX_LISTED).map((text) => JSON.stringify(text)).join(", ");
  return texts.length > MAX_LISTED ? `${first} and ${texts.length - MAX_LISTED} more` : first;
}
