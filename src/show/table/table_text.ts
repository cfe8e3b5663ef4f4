import {
  buildGap,
  formatHiddenRows,
  formatShape,
  isGap,
  type TableColumn,
  type TableModel,
} from "./table_model.ts";
import { formatHeading, measureText, padText } from "../text/plain_text.ts";

/** Text of a missing value. */
export const MISSING = "null";

const BETWEEN = 2;

/** Width of a column on a terminal, characters. */
export function measureColumn({ name, unit, dtype, texts }: TableColumn): number {
  const all = [name, unit, dtype, ...texts.map((text) => text ?? MISSING)];
  return all.reduce((widest, text) => Math.max(widest, measureText(text)), 0);
}

/**
 * Omits columns in the middle of a table, so its lines fit the terminal.
 *
 * @param width Longest line, in characters
 */
export function fitTable(model: TableModel, width: number): TableModel {
  const columns = model.columns.filter((column) => !isGap(column));
  const widths = columns.map((column) => BETWEEN + measureColumn(column));
  const total = widths.reduce((sum, one) => sum + one, 0);
  const room = width + BETWEEN;
  if (total <= room) return model;
  let space = room - BETWEEN - 1; // for the gap
  let [first, last] = [0, 0];
  while (first + last < columns.length) {
    const fromFront = first <= last;
    const next = widths[fromFront ? first : columns.length - 1 - last];
    if (next > space && first > 0) break; // show at least one column, even if it is too wide
    space -= next;
    if (fromFront) first++;
    else last++;
  }
  const kept = [
    ...columns.slice(0, first),
    buildGap(columns[0]),
    ...columns.slice(columns.length - last),
  ];
  const hiddenColumns = model.width - first - last;
  return hiddenColumns === 0 ? model : { ...model, columns: kept, hiddenColumns };
}

/** Width of the terminal of standard output, characters; `Infinity` if it is not a terminal. */
export function readConsoleWidth(): number {
  try {
    return Deno.stdout.isTerminal() ? Deno.consoleSize().columns || Infinity : Infinity;
  } catch {
    return Infinity;
  }
}

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
