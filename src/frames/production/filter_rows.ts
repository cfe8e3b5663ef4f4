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

function textOf(cell: Cell): string | undefined {
  return cell === null || typeof cell === "object" ? undefined : String(cell).trim();
}

function listValues(cells: readonly Cell[]): string {
  const texts = [...new Set(cells.map(textOf).filter((text) => text))];
  const first = texts.slice(0, MAX_LISTED).map((text) => JSON.stringify(text)).join(", ");
  return texts.length > MAX_LISTED ? `${first} and ${texts.length - MAX_LISTED} more` : first;
}
