import { refuseFile } from "../files/read_file.ts";
import { type CellTable, pickRows, refuseCell, textOf } from "../cells/cell_table.ts";

/** Most names or values in a message. */
const MAX_LISTED = 10;

/**
 * Selects the rows of a table in which columns have given values.
 *
 * @param table Table that ends with the columns of `where`, in that order
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
    const available = compared.map(({ name, cells }) =>
      `"${name}": ${
        listTexts(cells.map((cell) => textOf(cell) ?? "").filter((text) => text !== ""))
      }`
    ).join("; ");
    const wanted = compared.map(({ name }, i) => `"${values[i]}" in "${name}"`).join(" and ");
    refuseFile(table.file, `no row has ${wanted}. The file has ${available}`, { field: "where" });
  }
  return pickRows(table, rows);
}

/**
 * Splits a table by the turbine that a column names.
 *
 * @param column Position of the column
 * @returns Functions that pick the table of a turbine, by turbine in the order of appearance
 * @throws {DataFormatError} If a row names no turbine
 */
export function splitByTurbine(table: CellTable, column: number): Map<string, () => CellTable> {
  const { cells } = table.columns[column];
  const rows = Map.groupBy(cells.keys(), (row) =>
    textOf(cells[row]) ||
    refuseCell(table, row, column, "the turbine is missing. Fill the cell", { field: "turbine" }));
  return new Map([...rows].map(([id, turbineRows]) => [id, () => pickRows(table, turbineRows)]));
}

/** Lists names or values for a message, each once, the first of many. */
export function listTexts(texts: readonly string[]): string {
  const different = [...new Set(texts)];
  const first = different.slice(0, MAX_LISTED).map((text) => JSON.stringify(text)).join(", ");
  return different.length > MAX_LISTED
    ? `${first} and ${different.length - MAX_LISTED} more`
    : first;
}
