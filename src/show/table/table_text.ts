import { formatHeading } from "../text/heading.ts";
import { padText } from "../text/text_width.ts";
import { fitTable, measureColumn, MISSING } from "./fit_table.ts";
import { formatHiddenRows, formatShape, type TableColumn, type TableModel } from "./table_model.ts";

/** Formats name, unit, dtype and values of a column to the same width. */
function formatColumn(column: TableColumn, withUnits: boolean): string[] {
  const head = [column.name, ...(withUnits ? [column.unit] : []), column.dtype];
  const values = column.texts.map((text) => text ?? MISSING);
  const width = measureColumn(column);
  return [...head, "─".repeat(width), ...values].map((text) =>
    padText(text, width, column.numeric)
  );
}

/**
 * Formats a table as plain text.
 *
 * @param width Longest line of its rows, in characters
 */
export function formatTable(table: TableModel, width = Infinity): string {
  const model = fitTable(table, width);
  const withUnits = model.columns.some((column) => column.unit !== "");
  const columns = model.columns.map((column) => formatColumn(column, withUnits));
  const rows = (columns[0] ?? []).map((_, i) =>
    columns.map((lines) => lines[i]).join("  ").trimEnd()
  );
  if (model.hiddenRows > 0) {
    const headLines = withUnits ? 4 : 3;
    rows.splice(headLines + model.headRows, 0, formatHiddenRows(model));
  }
  return [
    ...formatHeading(model),
    formatShape(model),
    ...(rows.length > 0 ? ["", ...rows] : []),
    ...(model.caption.length > 0 ? ["", ...model.caption] : []),
  ].join("\n");
}
