/**
 * Formats cells in columns, for a terminal.
 *
 * @param rows Rows of as many cells each, the header first
 */
export function formatGrid(rows: readonly (readonly string[])[]): string {
  const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => row[i].length)));
  return rows
    .map((row) => row.map((cell, i) => cell.padEnd(widths[i])).join("  ").trimEnd())
    .join("\n");
}
