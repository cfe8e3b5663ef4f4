import { SYNTHETIC } from "../api/world.ts";
import {
  hiddenLine,
  shapeLine,
  SYNTHETIC_NOTE,
  type TableColumn,
  type TableModel,
} from "./_table_model.ts";

const MISSING = "null";

function lengthOf(text: string): number {
  return [...text].length;
}

function pad(text: string, width: number, right: boolean): string {
  const space = " ".repeat(width - lengthOf(text));
  return right ? space + text : text + space;
}

/** Name, unit, dtype and values of a column, all of the same width. */
function linesOf(column: TableColumn, withUnits: boolean): string[] {
  const head = [column.name, ...(withUnits ? [column.unit] : []), column.dtype];
  const values = column.texts.map((text) => text ?? MISSING);
  const width = Math.max(...[...head, ...values].map(lengthOf));
  return [...head, "─".repeat(width), ...values].map((text) => pad(text, width, column.numeric));
}

/** Writes a table as plain text. */
export function tableText(model: TableModel): string {
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
    ...(model.synthetic ? [`${SYNTHETIC}: ${SYNTHETIC_NOTE}`] : []),
    ...(model.title === undefined ? [] : [model.title]),
    shapeLine(model),
    ...(rows.length > 0 ? ["", ...rows] : []),
    ...(model.caption.length > 0 ? ["", ...model.caption] : []),
  ].join("\n");
}
