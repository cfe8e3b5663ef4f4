import { figures, month as monthColumn, predictedInterval } from "../../api/columns/columns.ts";
import type { FleetContent } from "../content/fleet_content.ts";
import type { Member } from "../content/fleet_member.ts";
import { fleetSources } from "../pages/fleet_page.ts";
import { bullets, link, markdownTable, paragraphs, plain } from "./markdown.ts";
import { messages } from "../content/messages.ts";
import { sourceLines } from "../pages/page.ts";
import { type ReportOrigin, stampText } from "../content/sources.ts";
import {
  isPreliminary,
  type MonthContent,
  partCompared,
  type TurbineContent,
} from "../content/turbine_content.ts";
import { factsOf } from "../pages/turbine_page.ts";

const DASH = "–";
const [low, high] = predictedInterval;

const heads = (first: string): string[] => [
  plain(first),
  ...figures.map((column) => plain(messages.labelWithUnit(column))),
  plain(messages.labels.interval),
  plain(messages.labels.produced),
  plain(messages.labels.hours),
  plain(messages.labels.status),
];

function cells(own: MonthContent | undefined): string[] {
  const number = (value: number | null | undefined) =>
    value === null || value === undefined ? DASH : messages.figure(value);
  const share = own?.compared ? partCompared(own.compared) : null;
  const [from, to] = [own?.figures[low.name] ?? null, own?.figures[high.name] ?? null];
  return [
    ...figures.map(({ name }) => number(own?.figures[name])),
    from === null || to === null ? DASH : messages.range(from, to),
    number(own?.compared?.ratio) + (share === null ? "" : ` (${messages.partCompared(share)})`),
    own?.completeness == null ? DASH : messages.share(own.completeness),
    own && isPreliminary(own) ? messages.preliminaryMark : plain(own?.status ?? DASH),
  ];
}

function banner({ world }: ReportOrigin): string {
  return world === "sample" ? `> **${plain(messages.synthetic)}**` : "";
}

function definitions(): string[] {
  const { headings, labels } = messages;
  return [
    `## ${headings.definitions}`,
    plain(messages.normal),
    [
      ...figures.map((column) => [messages.labelWithUnit(column), messages.meaning(column)]),
      [labels.interval, messages.intervalMeaning],
      [labels.produced, messages.comparison],
    ].map(([term, text]) => `- **${plain(term)}**: ${plain(text)}`).join("\n"),
    plain(messages.missingValue),
  ];
}

function footer(lines: readonly string[], { generatedAt }: ReportOrigin): string[] {
  return [
    `## ${messages.headings.sources}`,
    bullets([...lines, messages.sources.made(stampText(generatedAt))]),
  ];
}

/** The report on a turbine as Markdown. */
export function turbineMarkdown(content: TurbineContent): string {
  const { id, name, month, months, said, remarks, sources, origin } = content;
  const { headings, labels } = messages;
  return paragraphs([
    `# ${plain(name)}`,
    plain(messages.aboutTurbine(month, id.slice(0, 200), origin.generatedAt.slice(0, 10))),
    link(messages.toFleet(month), "../index.md"),
    banner(origin),
    `## ${headings.short}`,
    markdownTable(
      [labels.figure, labels.value, labels.meaning],
      said.map(({ label, value, unit, sentence }) => [
        plain(label),
        value === null ? DASH : `${messages.figure(value)} ${unit}`,
        plain(sentence),
      ]),
    ),
    plain(remarks.join(" ")),
    `## ${headings.twelve}`,
    markdownTable(
      heads(messages.label(monthColumn)),
      months.slice(-12).map((one) => [messages.monthName(one.month), ...cells(one)]),
    ),
    `## ${headings.facts}`,
    bullets(
      factsOf(content).map(([label, text]) => messages.because(label, text ?? messages.notKnown)),
    ),
    ...definitions(),
    ...footer(sourceLines(sources, origin), origin),
  ]);
}

function memberRow({ name, file, own }: Member): string[] {
  return [file === undefined ? plain(name) : link(name, `turbines/${file}.md`), ...cells(own)];
}

/** The report on a fleet as Markdown. */
export function fleetMarkdown(content: FleetContent): string {
  const { title, fleet, members, groups, summary, origin } = content;
  const { headings, labels } = messages;
  const without = members.filter(({ reason }) => reason !== undefined);
  const parks = groups.filter(({ name }) => name !== undefined);
  const number = (value: number | null) => value === null ? DASH : messages.figure(value);
  return paragraphs([
    `# ${plain(title)}`,
    plain(messages.about(fleet, members.length, content.units, origin.generatedAt.slice(0, 10))),
    banner(origin),
    `## ${headings.short}`,
    plain(summary.join(" ")),
    ...(parks.length === 0 ? [] : [
      `## ${headings.groups}`,
      markdownTable(
        [
          labels.park,
          labels.turbines,
          ...[1, 2, 5].map((i) => plain(messages.labelWithUnit(figures[i]))),
          plain(labels.produced),
        ],
        parks.map(({ name, units, figures: all }) => [
          plain(name!),
          messages.outOf(all.units, units),
          ...[all.abnormality, all.last12, all.energy, all.ratio].map(number),
        ]),
      ),
    ]),
    `## ${headings.fleet}`,
    plain(messages.fleet.order(groups.length > 0)),
    markdownTable(heads(labels.turbine), members.map(memberRow)),
    plain(messages.fleet.interval),
    ...(without.length === 0 ? [] : [
      `## ${headings.without}`,
      bullets(without.map(({ name, reason }) => messages.because(name, reason!))),
    ]),
    ...definitions(),
    ...footer(fleetSources(content), origin),
  ]);
}
