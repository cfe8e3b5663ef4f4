import { visibleText } from "../../api/error_text.ts";
import { messages } from "../content/messages.ts";
import { formatStamp } from "../content/sources.ts";
import type { Block, Cell, Head, ReportDocument, Row } from "../document/document.ts";
import { listGiven } from "../../show/text/lists.ts";

/** Escapes a text within a line of Markdown against markup, HTML and automatic links. */
function escapeInline(text: string): string {
  return visibleText(text)
    .replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;")
    .replace(/[\\`*_[\]|~#!@]/g, "\\$&")
    .replace(/:(?=\/\/)/g, "\\:").replace(/\bwww\./gi, (start) => `${start.slice(0, 3)}\\.`);
}

/** Escapes a text at the start of a line, also against lists. */
function escapeMarkdown(text: string): string {
  return escapeInline(text)
    .replace(/^(\s*)([-+=])/, "$1\\$2").replace(/^(\s*\d+)([.)])/, "$1\\$2");
}

/** Whether a cell has a figure, an interval of figures or is empty, and so is aligned to the right. */
function isFigure(cell: string): boolean {
  return /^(–|-|[+−-]?[\d,.]+( to [\d,.]+)?( %)?)?$/.test(cell.trim());
}

/** A table: figures to the right, texts to the left. */
function formatTable(
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
function formatLink(text: string, path: string): string {
  return `[${escapeMarkdown(text)}](${path.split("/").map(encodeURIComponent).join("/")})`;
}

/** Formats texts as a list. */
function formatList(lines: readonly string[]): string {
  return lines.map((line) => `- ${escapeMarkdown(line)}`).join("\n");
}

const DASH = "–";

/** Formats a head; heads of figures include the unit. */
const formatHead = ({ label, unit }: Head) => escapeMarkdown(unit ? `${label} (${unit})` : label);

const formatCell = ({ text }: Cell) => text === null || text === "" ? DASH : escapeInline(text);

/** A row without its pictures. */
function formatRow({ cells: [name, ...cells], kind }: Row, heads: readonly Head[]): string[] {
  const { text, link } = name;
  const title = link && "file" in link
    ? formatLink(text ?? "", `turbines/${link.file}.md`)
    : escapeMarkdown(text ?? "");
  return [
    kind || link && "anchor" in link ? `**${title}**` : title,
    ...cells.filter((_, i) => heads[i + 1].kind !== "strip").map(formatCell),
  ];
}

function formatBlock(block: Block): string {
  const { labels } = messages;
  switch (block.kind) {
    case "text":
      return escapeMarkdown(block.text);
    case "figures": // figures without sentences are in the summary
      return block.items[0].sentence === undefined ? "" : formatTable(
        [labels.figure, labels.value, labels.meaning],
        block.items.map(({ label, value, unit, sentence }) => [
          escapeMarkdown(label),
          value === null ? DASH : `${messages.figure(value, unit)} ${unit}`,
          escapeMarkdown(sentence ?? ""),
        ]),
      );
    case "table":
      return block.detail ? "" : formatTable(
        block.heads.filter(({ kind }) => kind !== "strip").map(formatHead),
        block.groups.flat().map((row) => formatRow(row, block.heads)),
      );
    case "facts":
      return formatList(
        block.items.map(([label, text]) => messages.because(label, text ?? messages.notKnown)),
      );
    case "terms":
      return block.items.map(([term, text]) =>
        `- **${escapeMarkdown(term)}**: ${escapeMarkdown(text ?? messages.notKnown)}`
      ).join("\n");
    case "list":
      return formatList(block.items);
    case "pictures":
    case "verdicts": // the table has the same content
      return "";
  }
}

/** Writes a report as Markdown. */
export function writeMarkdown(document: ReportDocument): string {
  const { title, about, back, sections, sources, origin } = document;
  return listGiven(
    `# ${escapeMarkdown(title)}`,
    escapeMarkdown(about),
    back !== undefined && formatLink(back, "../index.md"),
    origin.world === "sample" && `> **${escapeMarkdown(messages.synthetic)}**`,
    ...sections.flatMap(({ title, blocks }) => {
      const written = blocks.map(formatBlock).filter((part) => part !== "");
      return written.length === 0 ? [] : [`## ${title}`, ...written];
    }),
    `## ${messages.headings.sources}`,
    formatList([...sources, messages.sources.made(formatStamp(origin.generatedAt))]),
  ).join("\n\n") + "\n";
}
