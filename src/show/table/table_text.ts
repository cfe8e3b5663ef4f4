import { titleLines } from "../text/title_lines.ts";
import { padded } from "../text/columns_of.ts";
import { fitted, MISSING, widthOf } from "./fitted.ts";
import { hiddenLine, shapeLine, type TableColumn, type TableModel } from "./table_model.ts";

/** Name, unit, dtype and values of a column, all of the same width. */
function linesOf(column: TableColumn, withUnits: boolean): string[] {
  const head = [column.name, ...(withUnits ? [column.unit] : []), column.dtype];
  const values = column.texts.map((text) => text ?? MISSING);
  const width = widthOf(column);
  return [...head, "─".repeat(width), ...values].map((text) => padded(text, width, column.numeric));
}

/**
 * Writes a table as plain text.
 *
 * @param width Longest line of its rows, in characters
 */
export function tableText(table: TableModel, width = Infinity): string {
  const model = fitted(table, width);
  const withUnits = model.columns.some((column) => column.unit !== "");
  const columns = model.columns.map((column) => linesOf(column, withUnits));
  const rows = (columns[0] ?? []).map((_, i) =>
    columns.map((lines) => lines[i]).join("  ").trimEnd()
  );
  if (model.hiddenRows > 0) {
    const headLines = withUnits ? 4 : 3;
    rows.splice(headLines + model.headRows, 0, hiddenLine(model));
  }
  return [
    ...titleLines(model),
    shapeLine(model),
    ...(rows.length > 0 ? ["", ...rows] : []),
    ...(model.caption.length > 0 ? ["", ...model.caption] : []),
  ].join("\n");
}
