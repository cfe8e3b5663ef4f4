import {
  captionHtml,
  CELL,
  FAINT,
  framed,
  NO_VALUE,
  RULE,
  TABLE,
  titleHtml,
} from "../html_parts.ts";
import { escapeHtml } from "../text/escape.ts";
import { hiddenLine, shapeLine, type TableColumn, type TableModel } from "./table_model.ts";

function alignment(column: TableColumn): string {
  return `text-align:${column.numeric ? "right" : "left"}`;
}

function headCell(column: TableColumn): string {
  const below = [column.unit, column.dtype].filter((text) => text !== "").join(" · ");
  const hint = column.hint === "" ? "" : ` title="${escapeHtml(column.hint)}"`;
  return `<th scope="col"${hint} style="${CELL};${alignment(column)};border-bottom:${RULE}">` +
    `${escapeHtml(column.name)}<br>` +
    `<span style="font-weight:normal;${FAINT}">${escapeHtml(below)}</span></th>`;
}

function cell(column: TableColumn, i: number): string {
  const text = column.texts[i];
  const content = text === null ? NO_VALUE : escapeHtml(text);
  return `<td style="${CELL};${alignment(column)}">${content}</td>`;
}

function bodyRows(model: TableModel): string[] {
  const shown = model.columns[0]?.texts ?? [];
  const rows = shown.map((_, i) =>
    `<tr style="background:none">${model.columns.map((column) => cell(column, i)).join("")}</tr>`
  );
  if (model.hiddenRows > 0) {
    const span = `<td colspan="${model.columns.length}" style="${CELL};text-align:left;${FAINT}">`;
    rows.splice(
      model.headRows,
      0,
      `<tr style="background:none">${span}${hiddenLine(model)}</td></tr>`,
    );
  }
  return rows;
}

/** Writes a table as HTML with inline styles. */
export function tableHtml(model: TableModel): string {
  const head = `<thead><tr style="background:none">${
    model.columns.map(headCell).join("")
  }</tr></thead>`;
  const table = model.columns.length === 0
    ? ""
    : `<table style="${TABLE}">${head}<tbody>${bodyRows(model).join("\n")}</tbody></table>`;
  return framed(
    titleHtml(model) + table + captionHtml([shapeLine(model), ...model.caption]),
  );
}
