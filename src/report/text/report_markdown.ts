import { month as monthColumn, predictedInterval } from "../../api/columns/columns.ts";
import type { FleetContent } from "../content/fleet_content.ts";
import type { FleetFigures } from "../content/fleet_figures.ts";
import type { FleetMember } from "../content/fleet_member.ts";
import { listFleetSources } from "../pages/fleet_page.ts";
import { messages } from "../content/messages.ts";
import { listSources } from "../pages/page.ts";
import { formatStamp, type ReportOrigin } from "../content/sources.ts";
import {
  isPreliminary,
  type MonthContent,
  partialShareOf,
  shownFigures,
  type TurbineContent,
} from "../content/turbine_content.ts";
import { listFacts } from "../pages/turbine_page.ts";
import { visibleText } from "../../api/error_text.ts";

/** Escapes a text for Markdown: no markup, no HTML, no automatic link. */
function escapeMarkdown(text: string): string {
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

/** Paragraphs, with an empty line between them. */
function joinParagraphs(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n") + "\n";
}

const DASH = "–";
const [low, high] = predictedInterval;

const buildHeads = (...first: readonly string[]): string[] => [
  ...first.map(escapeMarkdown),
  ...shownFigures.map((column) => escapeMarkdown(messages.labelWithUnit(column))),
  escapeMarkdown(messages.labels.interval),
  escapeMarkdown(messages.labels.produced),
  escapeMarkdown(messages.labels.hours),
  escapeMarkdown(messages.labels.status),
];

function buildCells(own: MonthContent | undefined): string[] {
  const number = (value: number | null | undefined) =>
    value === null || value === undefined ? DASH : messages.figure(value);
  const share = own?.compared ? partialShareOf(own.compared) : null;
  const [from, to] = [own?.figures[low.name] ?? null, own?.figures[high.name] ?? null];
  return [
    ...shownFigures.map(({ name }) => number(own?.figures[name])),
    from === null || to === null ? DASH : messages.range(from, to),
    number(own?.compared?.ratio) + (share === null ? "" : ` (${messages.partCompared(share)})`),
    own?.completeness == null ? DASH : messages.share(own.completeness),
    own && isPreliminary(own) ? messages.preliminaryMark : escapeMarkdown(own?.status ?? DASH),
  ];
}

function formatBanner({ world }: ReportOrigin): string {
  return world === "sample" ? `> **${escapeMarkdown(messages.synthetic)}**` : "";
}

function listDefinitions(): string[] {
  const { headings, labels } = messages;
  return [
    `## ${headings.definitions}`,
    escapeMarkdown(messages.normal),
    [
      ...shownFigures.map((column) => [messages.labelWithUnit(column), messages.meaning(column)]),
      [labels.interval, messages.intervalMeaning],
      [labels.produced, messages.comparison],
    ].map(([term, text]) => `- **${escapeMarkdown(term)}**: ${escapeMarkdown(text)}`).join("\n"),
    escapeMarkdown(messages.missingValue),
  ];
}

function buildFooter(lines: readonly string[], { generatedAt }: ReportOrigin): string[] {
  return [
    `## ${messages.headings.sources}`,
    formatList([...lines, messages.sources.made(formatStamp(generatedAt))]),
  ];
}

/** The report on a turbine as Markdown. */
export function formatTurbineMarkdown(content: TurbineContent): string {
  const { id, name, month, months, sentences, remarks, sources, origin, reference } = content;
  const { headings, labels } = messages;
  return joinParagraphs([
    `# ${escapeMarkdown(name)}`,
    escapeMarkdown(
      messages.aboutTurbine(month, id.slice(0, 200), origin.generatedAt.slice(0, 10), reference),
    ),
    formatLink(messages.toFleet(month), "../index.md"),
    formatBanner(origin),
    `## ${headings.short}`,
    formatTable(
      [labels.figure, labels.value, labels.meaning],
      sentences.map(({ label, value, unit, sentence }) => [
        escapeMarkdown(label),
        value === null ? DASH : `${messages.figure(value)} ${unit}`,
        escapeMarkdown(sentence),
      ]),
    ),
    escapeMarkdown(remarks.join(" ")),
    `## ${headings.twelve}`,
    formatTable(
      buildHeads(messages.label(monthColumn)),
      months.slice(-12).map((one) => [messages.monthName(one.month), ...buildCells(one)]),
    ),
    `## ${headings.facts}`,
    formatList(
      listFacts(content).map(([label, text]) => messages.because(label, text ?? messages.notKnown)),
    ),
    ...listDefinitions(),
    ...buildFooter(listSources(sources, origin), origin),
  ]);
}

function buildMemberRow({ name, file, own, units, reason }: FleetMember): string[] {
  return [
    file === undefined ? escapeMarkdown(name) : formatLink(name, `turbines/${file}.md`),
    messages.outOf(reason === undefined ? units : 0, units),
    ...buildCells(own),
  ];
}

/** Figures of several entries together. */
function buildSumRow(title: string, all: FleetFigures, units: number): string[] {
  const number = (value: number | null) => value === null ? DASH : messages.figure(value);
  return [
    `**${escapeMarkdown(title)}**`,
    messages.outOf(all.units, units),
    ...[all.abnormality, all.index, all.last12, all.quarter, all.year, all.energy].map(number),
    all.low === null || all.high === null ? DASH : messages.range(all.low, all.high),
    number(all.ratio),
    DASH,
    DASH,
  ];
}

/** The report on a fleet as Markdown. */
export function formatFleetMarkdown(content: FleetContent): string {
  const { title, fleet, members, groups, summary, origin, figures: all, units } = content;
  const { headings, labels } = messages;
  const without = members.filter(({ reason }) => reason !== undefined);
  const total = buildSumRow(messages.allTurbines, all, units);
  return joinParagraphs([
    `# ${escapeMarkdown(title)}`,
    escapeMarkdown(
      messages.about(
        fleet,
        members.length,
        content.units,
        origin.generatedAt.slice(0, 10),
        content.reference,
      ),
    ),
    formatBanner(origin),
    `## ${headings.short}`,
    escapeMarkdown(summary.join(" ")),
    ...(groups.length === 0 ? [] : [
      `## ${headings.groups}`,
      formatTable(buildHeads(labels.park, labels.turbines), [
        ...groups.map(({ name, units, figures }) =>
          buildSumRow(messages.parkName(name), figures, units)
        ),
        total,
      ]),
    ]),
    `## ${headings.fleet}`,
    escapeMarkdown(messages.fleet.order(groups.length > 0)),
    formatTable(buildHeads(labels.turbine, labels.turbines), [
      ...members.map(buildMemberRow),
      ...(members.length > 1 ? [total] : []),
    ]),
    escapeMarkdown(`${messages.fleet.sums} ${messages.fleet.interval}`),
    ...(without.length === 0 ? [] : [
      `## ${headings.without}`,
      formatList(without.map(({ name, reason }) => messages.because(name, reason!))),
    ]),
    ...listDefinitions(),
    ...buildFooter(listFleetSources(content), origin),
  ]);
}
