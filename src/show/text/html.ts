import { SYNTHETIC } from "../../api/world.ts";
import { type Heading, SYNTHETIC_NOTE } from "./plain_text.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes a text for HTML, as content and as a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]);
}

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/** Starts a document that runs no script and loads nothing, up to the end of its head. */
export function openDocument(title: string, styles: string, language = "en"): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<style>${styles}</style>
</head>`;
}

// Front ends have their own rules for tables and drop style sheets, so every cell carries its style. It uses only
// `currentColor` and opacity, which suit light and dark themes.
const FONT = "font-variant-numeric:tabular-nums;font-size:13px;line-height:1.4";
const BADGE =
  "background:#e69f00;color:#000;font-weight:bold;padding:1px 8px;border-radius:3px;letter-spacing:.06em";

/** Style of a table. Colour and size are set because documents without a doctype do not inherit them into tables. */
export const TABLE =
  "border-collapse:collapse;border:0;margin:0;color:inherit;font-size:inherit;width:auto;table-layout:auto";

/** Style of every cell. */
export const CELL =
  "padding:3px 16px 3px 0;white-space:nowrap;background:none;border:0;vertical-align:top";

/** A line between cells. */
export const RULE = "1px solid color-mix(in srgb,currentColor 25%,transparent)";

/** Style of texts other than figures: units, dtypes, lines below. */
export const FAINT = "opacity:.7";

/** Content of a cell with a missing value. */
export const NO_VALUE = `<span title="no value" style="opacity:.5">–</span>`;

/** Wraps a table or a card in a box that scrolls sideways. */
export function wrapInBox(content: string): string {
  return `<div style="${FONT};overflow-x:auto;max-width:100%">${content}</div>`;
}

/** Renders the badge of invented figures and the title. */
export function renderTitle({ title, synthetic }: Heading): string {
  const badge = synthetic
    ? `<div style="margin:4px 0"><span style="${BADGE}">${SYNTHETIC}</span> ${SYNTHETIC_NOTE}</div>`
    : "";
  return title === undefined
    ? badge
    : `${badge}<div style="font-weight:bold;margin:4px 0">${escapeHtml(title)}</div>`;
}

/** Renders sentences that wrap. */
export function renderSentences(lines: readonly string[]): string {
  if (lines.length === 0) return "";
  const rows = lines.map((line) => `<div>${escapeHtml(line)}</div>`).join("");
  return `<div style="margin:6px 0;max-width:60em">${rows}</div>`;
}

/** Renders the lines below a table or a card. */
export function renderCaption(lines: readonly string[]): string {
  if (lines.length === 0) return "";
  const rows = lines.map((line) => `<div>${escapeHtml(line)}</div>`).join("");
  return `<div style="margin:6px 0 2px;font-size:12px;${FAINT}">${rows}</div>`;
}
