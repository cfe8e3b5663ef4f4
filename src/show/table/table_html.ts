import {
  CELL,
  escapeHtml,
  FAINT,
  NO_VALUE,
  renderCaption,
  renderTitle,
  RULE,
  TABLE,
  wrapInBox,
} from "../text/html.ts";
import { formatHiddenRows, formatShape, type TableColumn, type TableModel } from "./table_model.ts";

function formatAlignment(column: TableColumn): string {
  return `text-align:${column.numeric ? "right" : "left"}`;
}

function renderHeadCell(column: TableColumn): string {
  const below = [column.unit, column.dtype].filter((text) => text !== "").join(" · ");
  const hint = column.hint === "" ? "" : ` title="${escapeHtml(column.hint)}"`;
  return `<th scope="col"${hint} style="${CELL};${
    formatAlignment(column)
  };border-bottom:${RULE}">` +
    `${escapeHtml(column.name)}<br>` +
    `<span style="font-weight:normal;${FAINT}">${escapeHtml(below)}</span></th>`;
}

function renderCell(column: TableColumn, i: number): string {
  const text = column.texts[i];
  const content = text === null ? NO_VALUE : escapeHtml(text);
  return `<td style="${CELL};${formatAlignment(column)}">${content}</td>`;
}

function renderRows(model: TableModel): string[] {
  const firstTexts = model.columns[0]?.texts ?? [];
  const rows = firstTexts.map((_, i) =>
    `<tr style="background:none">${
      model.columns.map((column) => renderCell(column, i)).join("")
    }</tr>`
  );
  if (model.hiddenRows > 0) {
    const span = `<td colspan="${model.columns.length}" style="${CELL};text-align:left;${FAINT}">`;
    rows.splice(
      model.headRows,
      0,
      `<tr style="background:none">${span}${formatHiddenRows(model)}</td></tr>`,
    );
  }
  return rows;
}

/** Renders a table as HTML with inline styles; all texts are escaped. */
export function renderTable(model: TableModel): string {
  const head = `<thead><tr style="background:none">${
    model.columns.map(renderHeadCell).join("")
  }</tr></thead>`;
  const table = model.columns.length === 0
    ? ""
    : `<table style="${TABLE}">${head}<tbody>${renderRows(model).join("\n")}</tbody></table>`;
  return wrapInBox(
    renderTitle(model) + table + renderCaption([formatShape(model), ...model.caption]),
  );
}
