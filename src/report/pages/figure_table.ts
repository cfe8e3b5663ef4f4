import { type Column, pickColumns } from "../../api/columns/column.ts";
import { figures, monthlyIndicesFrame, predictedInterval } from "../../api/columns/columns.ts";
import type { FleetContent, ParkGroup } from "../content/fleet_content.ts";
import type { FleetFigures } from "../content/fleet_figures.ts";
import type { FleetMember } from "../content/fleet_member.ts";
import { type Content, type Markup, markup, scrollHint } from "./markup.ts";
import { messages } from "../content/messages.ts";
import { buildStrip } from "./strip.ts";
import {
  comparedColumns,
  isPreliminary,
  type MonthComparison,
  type MonthContent,
  partialShareOf,
  shownFigures,
} from "../content/turbine_content.ts";

const [monthColumn] = pickColumns(monthlyIndicesFrame, ["month"]);
const [energy] = pickColumns(figures, ["predicted_production"]);
const [low, high] = predictedInterval;
const [produced, , ratio] = comparedColumns;

const indexColumns = shownFigures.filter((column) => column !== energy);

/** A dash where a value is missing. */
export const missing: Markup =
  markup`<span class="missing" role="img" aria-label="${messages.noValue}">–</span>`;

/** A figure with one decimal, or a dash. */
export function formatFigure(value: number | null | undefined): Content {
  return value === null || value === undefined ? missing : messages.figure(value);
}

function buildHead(
  { label, unit, description }: Pick<Column, "label" | "unit" | "description">,
): Markup {
  return markup`<th scope="col" title="${description}">${label}${
    unit ? markup`<br><span class="unit">${unit}</span>` : ""
  }</th>`;
}

function buildColumnHead(column: Column): Markup {
  const { unit } = column;
  return buildHead({
    label: messages.label(column),
    ...(unit ? { unit } : {}),
    description: messages.meaning(column),
  });
}

const buildCell = (content: Content): Markup => markup`<td>${content}</td>`;
const buildTextHead = (text: string): Markup => markup`<th scope="col" class="text">${text}</th>`;

const { labels } = messages;

/** Heads of the modelled energy and its interval. */
const energyHeads = [
  buildColumnHead(energy),
  buildHead({
    label: labels.interval,
    unit: energy.unit!,
    description: messages.intervalMeaning,
  }),
];

const producedHead = buildHead({
  label: labels.produced,
  unit: ratio.unit!,
  description: messages.comparison,
});

const stateHeads = [labels.hours, labels.status].map(buildTextHead);

/** A table in a box that scrolls where it is too wide. */
function buildTable(
  heads: Content,
  bodies: readonly Content[],
  label: string,
  kind: string,
): Markup {
  return markup`${scrollHint}<div class="box ${kind}" role="region" aria-label="${label}" tabindex="0"><table>
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

function formatInterval(from: number | null | undefined, to: number | null | undefined): Content {
  return from === null || from === undefined || to === null || to === undefined
    ? missing
    : markup`<span class="range">${messages.range(from, to)}</span>`;
}

/** Produced over predicted, with the share of the hours where they are a part of the month's. */
function formatRatio(compared: MonthComparison | null | undefined): Content {
  const share = compared ? partialShareOf(compared) : null;
  if (share === null) return formatFigure(compared?.ratio);
  return [
    formatFigure(compared!.ratio),
    markup`<br><span class="unit">${messages.partCompared(share)}</span>`,
  ];
}

/** Valid hours and status of a month. */
function buildStateCells(own: MonthContent | undefined): Markup[] {
  return [
    buildCell(
      own === undefined || own.completeness === null ? missing : messages.share(own.completeness),
    ),
    markup`<td class="text">${
      own && isPreliminary(own) ? messages.preliminaryMark : own?.status ?? ""
    }</td>`,
  ];
}

function buildMemberRow(member: FleetMember): Markup {
  const { name, file, own, units, reason } = member;
  const values = own?.figures;
  const link = file === undefined
    ? name
    : markup`<a href="turbines/${encodeURIComponent(file)}.html">${name}</a>`;
  return markup`<tr><th scope="row">${link}</th>${
    buildCell(messages.outOf(reason === undefined ? units : 0, units))
  }${
    indexColumns.map((column) => buildCell(formatFigure(values?.[column.name])))
  }<td class="strip">${member.strip.length > 0 ? buildStrip(member.strip) : missing}</td>${
    buildCell(formatFigure(values?.[energy.name]))
  }${buildCell(formatInterval(values?.[low.name], values?.[high.name]))}${
    buildCell(formatRatio(own?.compared))
  }${buildStateCells(own)}</tr>`;
}

const buildIndexCells = (all: FleetFigures): Markup[] =>
  [all.abnormality, all.index, all.last12, all.quarter, all.year]
    .map((value) => buildCell(formatFigure(value)));

const buildEnergyCells = (all: FleetFigures): Markup[] => [
  buildCell(formatFigure(all.energy)),
  buildCell(formatInterval(all.low, all.high)),
  buildCell(formatFigure(all.ratio)),
];

/** Figures of several entries together, below the columns of one. */
const buildSumCells = (all: FleetFigures, units: number): Markup =>
  markup`${buildCell(messages.outOf(all.units, units))}${
    buildIndexCells(all)
  }<td class="strip"></td>${buildEnergyCells(all)}<td></td><td></td>`;

/** Figures of the parks in one month, each with a link to its turbines, and their sum. */
export function buildParksTable(
  groups: readonly ParkGroup[],
  { figures: sum, units: turbines, month }: Pick<FleetContent, "figures" | "units" | "month">,
): Markup {
  const heads = [
    markup`<th scope="col">${labels.park}</th>`,
    markup`<th scope="col">${labels.turbines}</th>`,
    ...indexColumns.map(buildColumnHead),
    ...energyHeads,
    producedHead,
  ];
  const rows = groups.map(({ name, units, figures: all }, i) =>
    markup`<tr><th scope="row"><a href="#park-${i + 1}">${messages.parkName(name)}</a></th>${
      buildCell(messages.outOf(all.units, units))
    }${buildIndexCells(all)}${buildEnergyCells(all)}</tr>`
  );
  const total = markup`<tr class="sum"><th scope="row">${messages.allTurbines}</th>${
    buildCell(messages.outOf(sum.units, turbines))
  }${buildIndexCells(sum)}${buildEnergyCells(sum)}</tr>`;
  return buildTable(heads, [rows, total], messages.tables.groups(month), "parks");
}

/** Figures of all turbines in one month, grouped by park where there are parks. */
export function buildFleetTable(
  { members, groups, figures: all, units, month }: FleetContent,
): Markup {
  const total = members.length > 1
    ? [
      markup`<tr class="sum"><th scope="row">${messages.allTurbines}</th>${
        buildSumCells(all, units)
      }</tr>`,
    ]
    : [];
  const bodies = groups.length === 0 ? [members.map(buildMemberRow)] : groups.map((group, i) => [
    markup`<tr class="park" id="park-${i + 1}"><th scope="row">${
      messages.parkName(group.name)
    }</th>${buildSumCells(group.figures, group.units)}</tr>`,
    ...group.members.map(buildMemberRow),
  ]);
  const heads = [
    markup`<th scope="col">${labels.turbine}</th>`,
    markup`<th scope="col">${labels.turbines}</th>`,
    ...indexColumns.map(buildColumnHead),
    buildTextHead(labels.strip),
    ...energyHeads,
    producedHead,
    ...stateHeads,
  ];
  return buildTable(
    heads,
    [...bodies, ...(total.length > 0 ? [total] : [])],
    messages.tables.fleet(month),
    "turbines",
  );
}

/** Names of the cells of a turbine on a narrow screen, where its row is a card, from the second on. */
export const cardLabels: readonly string[] = [
  labels.turbines,
  ...indexColumns.map((column) => messages.label(column)),
  labels.strip,
  `${messages.label(energy)}, ${energy.unit}`,
  labels.interval,
  labels.produced,
  labels.hours,
  labels.status,
];

/** Figures of the months that end with the report's own, with the production where it is known. */
export function buildMonthsTable(months: readonly MonthContent[]): Markup {
  const compared = months.some((one) => one.compared !== null);
  const heads = [
    markup`<th scope="col">${messages.label(monthColumn)}</th>`,
    ...indexColumns.map(buildColumnHead),
    ...energyHeads,
    ...(compared ? [produced, ratio].map(buildColumnHead) : []),
    ...stateHeads,
  ];
  const rows = months.map((one) => {
    // Produced energy beside that of a whole month counts only where nearly all hours were compared.
    const whole = one.compared && partialShareOf(one.compared) === null ? one.compared : null;
    return markup`<tr><th scope="row">${messages.monthName(one.month)}</th>${
      indexColumns.map((column) => buildCell(formatFigure(one.figures[column.name])))
    }${buildCell(formatFigure(one.figures[energy.name]))}${
      buildCell(formatInterval(one.figures[low.name], one.figures[high.name]))
    }${
      compared
        ? [buildCell(formatFigure(whole?.produced)), buildCell(formatFigure(whole?.ratio))]
        : ""
    }${buildStateCells(one)}</tr>`;
  });
  const label = messages.tables.twelve(months[months.length - 1].month);
  return buildTable(heads, [rows], label, "months");
}
