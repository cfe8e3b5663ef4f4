import { visibleText } from "../../api/visible_text.ts";

/** Escapes a text for Markdown: no markup, no HTML, no automatic link. */
export function escapeMarkdown(text: string): string {
  return visibleText(text)
    .replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;")
    .replace(/[\\`*_[\]|~#!@]/g, "\\$&")
    .replace(/:(?=\/\/)/g, "\\:").replace(/\bwww\./gi, (start) => `${start.slice(0, 3)}\\.`)
    .replace(/^(\s*)([-+=])/, "$1\\$2").replace(/^(\s*\d+)([.)])/, "$1\\$2");
}

/** Whether a cell has a figure, an interval of figures or nothing, and is aligned to the right. */
function isFigure(cell: string): boolean {
  return /^(–|-|[+−-]?[\d,.]+( to [\d,.]+)?( %)?)?$/.test(cell.trim());
}

/** A table: figures to the right, texts to the left. */
export function formatTable(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    line(heads),
    line(heads.map((_, i) => i > 0 && rows.every((row) => isFigure(row[i])) ? "---:" : "---")),
    ...rows.map(line),
  ].join("\n");
}

/** A link to a file of the report. */
export function formatLink(text: string, path: string): string {
  return `[${escapeMarkdown(text)}](${path.split("/").map(encodeURIComponent).join("/")})`;
}

/** Formats texts as a list. */
export function formatList(lines: readonly string[]): string {
  return lines.map((line) => `- ${escapeMarkdown(line)}`).join("\n");
}

/** Paragraphs, with an empty line between them. */
export function joinParagraphs(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n") + "\n";
}
