import { visibleText } from "../../api/visible_text.ts";

/** A text that Markdown takes as text: no markup, no HTML, no link that makes itself. */
export function plain(text: string): string {
  return visibleText(text)
    .replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;")
    .replace(/[\\`*_[\]|~#!@]/g, "\\$&")
    .replace(/:(?=\/\/)/g, "\\:").replace(/\bwww\./gi, (start) => `${start.slice(0, 3)}\\.`)
    .replace(/^(\s*)([-+=])/, "$1\\$2").replace(/^(\s*\d+)([.)])/, "$1\\$2");
}

/** Whether a cell holds a figure, an interval of them or nothing: what stands to the right. */
function isFigure(cell: string): boolean {
  return /^(–|-|[+−-]?[\d,.]+( to [\d,.]+)?( %)?)?$/.test(cell.trim());
}

/** A table: figures to the right, texts to the left. */
export function markdownTable(
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
export function link(text: string, path: string): string {
  return `[${plain(text)}](${path.split("/").map(encodeURIComponent).join("/")})`;
}

/** A list. */
export function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${plain(line)}`).join("\n");
}

/** Paragraphs, with an empty line between them. */
export function paragraphs(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n") + "\n";
}
