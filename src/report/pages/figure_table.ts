import { type Column, pickColumns } from "../../api/columns/column.ts";
import { figures, monthlyIndicesFrame, predictedInterval } from "../../api/columns/columns.ts";
import type { Group } from "../content/fleet_content.ts";
import type { FleetFigures } from "../content/fleet_figures.ts";
import type { Member } from "../content/fleet_member.ts";
import { type Content, type Markup, markup } from "./markup.ts";
import { messages } from "../content/messages.ts";
import { strip } from "./strip.ts";
import {
  type Compared,
  comparedColumns,
  isPreliminary,
  type MonthContent,
  partCompared,
} from "../content/turbine_content.ts";

const [monthColumn] = pickColumns(monthlyIndicesFrame, ["month"]);
const [index, abnormality, last12, quarter, year, energy] = figures;
const [low, high] = predictedInterval;
const [produced, , ratio] = comparedColumns;

/** Columns of the indices in the order of the tables: what is compared with its season first. */
const indexColumns = [abnormality, index, last12, quarter, year];

/** A dash where a value is missing. */
export const missing: Markup =
  markup`<span class="missing" role="img" aria-label="${messages.noValue}">–</span>`;

/** A figure with one decimal, or a dash. */
export function figureText(value: number | null | undefined): Content {
  return value === null || value === undefined ? missing : messages.figure(value);
}

function head(
  { label, unit, description }: Pick<Column, "label" | "unit" | "description">,
): Markup {
  return markup`<th scope="col" title="${description}">${label}${
    unit ? markup`<br><span class="unit">${unit}</span>` : ""
  }</th>`;
}

function headOf(column: Column): Markup {
  const { unit } = column;
  return head({
    label: messages.label(column),
    ...(unit ? { unit } : {}),
    description: messages.meaning(column),
  });
}

const cell = (content: Content): Markup => markup`<td>${content}</td>`;
const textHead = (text: string): Markup => markup`<th scope="col" class="text">${text}</th>`;

/** A table in a box that scrolls where it is too wide. */
function tableOf(heads: Content, bodies: readonly Content[], label: string, kind: string): Markup {
  return markup`<div class="box ${kind}" role="region" aria-label="${label}" tabindex="0"><table>
<thead><tr>${heads}</tr></thead>
${
    bodies.map((rows) =>
      markup`<tbody>
${rows}
</tbody>`
    )
  }
</table></div>`;
}

function intervalText(from: number | null | undefined, to: number | null | undefined): Content {
  return from === null || from === undefined || to === null || to === undefined
    ? missing
    : messages.range(from, to);
}

/** Produced over predicted, with the share of the hours where they are a part of the month's. */
function ratioText(compared: Compared | null | undefined): Content {
  const share = compared ? partCompared(compared) : null;
  if (share === null) return figureText(compared?.ratio);
  return [
    figureText(compared!.ratio),
    markup`<br><span class="unit">${messages.partCompared(share)}</span>`,
  ];
}

/** What a month's status and completeness add: its valid hours, and that it may still change. */
function stateCells(own: MonthContent | undefined): Markup[] {
  return [
    cell(
      own === undefined || own.completeness === null ? missing : messages.share(own.completeness),
    ),
    markup`<td class="text">${
      own && isPreliminary(own) ? messages.preliminaryMark : own?.status ?? ""
    }</td>`,
  ];
}

function memberRow(member: Member): Markup {
  const { name, file, own } = member;
  const values = own?.figures;
  const link = file === undefined
    ? name
    : markup`<a href="turbines/${encodeURIComponent(file)}.html">${name}</a>`;
  return markup`<tr><th scope="row">${link}</th>${
    indexColumns.map((column) => cell(figureText(values?.[column.name])))
  }<td class="strip">${member.strip.length > 0 ? strip(member.strip) : missing}</td>${
    cell(figureText(values?.[energy.name]))
  }${cell(intervalText(values?.[low.name], values?.[high.name]))}${cell(ratioText(own?.compared))}${
    stateCells(own)
  }</tr>`;
}

const indicesOf = (all: FleetFigures): Markup[] =>
  [all.abnormality, all.index, all.last12, all.quarter, all.year]
    .map((value) => cell(figureText(value)));

const energiesOf = (all: FleetFigures): Markup[] => [
  cell(figureText(all.energy)),
  cell(intervalText(all.low, all.high)),
  cell(figureText(all.ratio)),
];

const sumOf = (all: FleetFigures): Markup =>
  markup`${indicesOf(all)}<td class="strip"></td>${energiesOf(all)}<td></td><td></td>`;

function fleetHeads(first: string): Markup[] {
  const { labels } = messages;
  return [
    markup`<th scope="col">${first}</th>`,
    ...indexColumns.map(headOf),
    textHead(labels.strip),
    headOf(energy),
    head({ label: labels.interval, unit: energy.unit!, description: messages.intervalMeaning }),
    head({ label: labels.produced, unit: ratio.unit!, description: messages.comparison }),
    textHead(labels.hours),
    textHead(labels.status),
  ];
}

/** Figures of the parks in one month, each with a way to its turbines. */
export function parksTable(groups: readonly Group[], month: string): Markup {
  const { labels } = messages;
  const heads = [
    markup`<th scope="col">${labels.park}</th>`,
    ...indexColumns.map(headOf),
    headOf(energy),
    head({ label: labels.interval, unit: energy.unit!, description: messages.intervalMeaning }),
    head({ label: labels.produced, unit: ratio.unit!, description: messages.comparison }),
  ];
  const rows = groups.map(({ name, units, figures: all }, i) =>
    markup`<tr><th scope="row"><a href="#park-${i + 1}">${
      messages.parkName(name, all.units, units)
    }</a></th>${indicesOf(all)}${energiesOf(all)}</tr>`
  );
  return tableOf(heads, [rows], messages.tables.groups(month), "parks");
}

/** Figures of all turbines in one month, by parks where there are such. */
export function fleetTable(
  members: readonly Member[],
  groups: readonly Group[],
  all: FleetFigures,
  month: string,
): Markup {
  const total = members.length > 1
    ? [markup`<tr class="sum"><th scope="row">${messages.allTurbines}</th>${sumOf(all)}</tr>`]
    : [];
  const bodies = groups.length === 0 ? [members.map(memberRow)] : groups.map((group, i) => [
    markup`<tr class="park" id="park-${i + 1}"><th scope="row">${
      messages.parkName(group.name, group.figures.units, group.units)
    }</th>${group.name === undefined ? markup`<td colspan="11"></td>` : sumOf(group.figures)}</tr>`,
    ...group.members.map(memberRow),
  ]);
  return tableOf(
    fleetHeads(messages.labels.turbine),
    [...bodies, ...(total.length > 0 ? [total] : [])],
    messages.tables.fleet(month),
    "turbines",
  );
}

/** Figures of the months that end with the report's own, with what was produced where that is known. */
export function twelveMonthTable(months: readonly MonthContent[]): Markup {
  const { labels } = messages;
  const compared = months.some((one) => one.compared !== null);
  const heads = [
    markup`<th scope="col">${messages.label(monthColumn)}</th>`,
    ...indexColumns.map(headOf),
    headOf(energy),
    head({ label: labels.interval, unit: energy.unit!, description: messages.intervalMeaning }),
    ...(compared ? [produced, ratio].map(headOf) : []),
    textHead(labels.hours),
    textHead(labels.status),
  ];
  const rows = months.map((one) => {
    // Produced energy beside that of a whole month counts only where nearly all hours were compared.
    const whole = one.compared && partCompared(one.compared) === null ? one.compared : null;
    return markup`<tr><th scope="row">${messages.monthName(one.month)}</th>${
      indexColumns.map((column) => cell(figureText(one.figures[column.name])))
    }${cell(figureText(one.figures[energy.name]))}${
      cell(intervalText(one.figures[low.name], one.figures[high.name]))
    }${compared ? [cell(figureText(whole?.produced)), cell(figureText(whole?.ratio))] : ""}${
      stateCells(one)
    }</tr>`;
  });
  const label = messages.tables.twelve(months[months.length - 1].month);
  return tableOf(heads, [rows], label, "months");
}
