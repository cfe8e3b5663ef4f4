import { SYNTHETIC } from "../api/world.ts";
import { escapeHtml } from "./escape.ts";
import {
  hiddenLine,
  shapeLine,
  SYNTHETIC_NOTE,
  type TableColumn,
  type TableModel,
} from "./_table_model.ts";

// Front ends bring their own rules for tables and drop style sheets: every cell carries its style.
// Only `currentColor` and opacity are used, so that light and dark themes both read well.
const FONT = "font-variant-numeric:tabular-nums;font-size:13px;line-height:1.4";
// Without its own colour and size a table takes none from around it in documents without a doctype.
const TABLE = "border-collapse:collapse;border:0;margin:0;color:inherit;font-size:inherit";
const CELL =
  "padding:3px 16px 3px 0;white-space:nowrap;background:none;border:0;vertical-align:top";
const RULE = "1px solid color-mix(in srgb,currentColor 25%,transparent)";
const FAINT = "opacity:.6";
const BADGE =
  "background:#e69f00;color:#000;font-weight:bold;padding:1px 8px;border-radius:3px;letter-spacing:.06em";

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
  const content = text === null
    ? `<span title="no value" style="opacity:.4">–</span>`
    : escapeHtml(text);
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
  const badge = model.synthetic
    ? `<div style="margin:4px 0"><span style="${BADGE}">${SYNTHETIC}</span> ${SYNTHETIC_NOTE}</div>`
    : "";
  const title = model.title === undefined
    ? ""
    : `<div style="font-weight:bold;margin:4px 0">${escapeHtml(model.title)}</div>`;
  const caption = [shapeLine(model), ...model.caption]
    .map((line) => `<div>${escapeHtml(line)}</div>`).join("");
  const head = `<thead><tr style="background:none">${
    model.columns.map(headCell).join("")
  }</tr></thead>`;
  const table = model.columns.length === 0
    ? ""
    : `<table style="${TABLE}">${head}<tbody>${bodyRows(model).join("\n")}</tbody></table>`;
  return `<div style="${FONT};overflow-x:auto;max-width:100%">${badge}${title}${table}` +
    `<div style="margin:6px 0 2px;font-size:12px;${FAINT}">${caption}</div></div>`;
}
