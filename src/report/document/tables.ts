import pl, { type DataFrame } from "nodejs-polars";
import { type Verdict, verdictColumns } from "../../analysis/verdict/row.ts";
import { type Column, pickColumns } from "../../api/columns/column.ts";
import { figures, monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { extractEpochs } from "../../frames/frame.ts";
import { displayOf } from "../../show/check_frame.ts";
import { buildTableModel } from "../../show/table/table_model.ts";
import { formatMonth, formatNumber, formatShare, formatSigned } from "../../show/text/numbers.ts";
import { compareMembers, type FleetContent } from "../content/fleet_content.ts";
import type { FleetFigures } from "../content/fleet_figures.ts";
import type { FleetMember } from "../content/fleet_member.ts";
import { messages } from "../content/messages.ts";
import {
  type Figures,
  isPreliminary,
  type MonthContent,
  shownFigures,
} from "../content/turbine_content.ts";
import type { Block, Cell, Head, Row } from "./document.ts";

const [monthColumn] = pickColumns(monthlyIndicesFrame, ["month"]);
const [energy] = pickColumns(figures, ["predicted_production"]);

const indexColumns = shownFigures.filter(({ name }) => name !== energy.name);

const { labels } = messages;

const headOf = (column: Column): Head => ({
  label: column.label,
  unit: column.unit,
  hint: column.description,
});

const indexHeads = indexColumns.map(headOf);

/** Heads of the modelled energy and its interval. */
const energyHeads: readonly Head[] = [
  headOf(energy),
  { label: labels.interval, unit: energy.unit, hint: messages.intervalMeaning, form: "range" },
];

const shareHead: Head = { label: labels.share, form: "share" };

/** Share of an owner. */
const shareOf = (share: number | undefined): Cell =>
  share === undefined ? text("") : { text: messages.owner.share(share), value: share };

const stateHeads: readonly Head[] = [
  { label: labels.hours, kind: "words", form: "share" },
  { label: labels.status, kind: "words" },
];

/** Heads of the tables of turbines. */
const fleetHeads: readonly Head[] = [
  { label: labels.turbines },
  ...indexHeads,
  { label: labels.strip, kind: "strip" },
  ...energyHeads,
  ...stateHeads,
];

/** Names of a turbine's cells on a narrow screen, where each row is a card, from the second cell on. */
export const cardLabels: readonly string[] = fleetHeads.map(({ label, unit }) =>
  unit === energy.unit && label !== labels.interval ? `${label}, ${unit}` : label
);

const text = (words: string | null): Cell => ({ text: words });

/** A figure with one decimal. */
const figure = (value: number | null | undefined): Cell =>
  value == null ? text(null) : { text: messages.figure(value), value };

const range = (from: number | null | undefined, to: number | null | undefined): Cell =>
  from == null || to == null
    ? text(null)
    : { text: messages.range(from, to), value: [from, to], wraps: true };

/** Number of turbines, and how many of them have figures. */
const outOf = (known: number, all: number): Cell => ({
  text: messages.outOf(known, all),
  ...(known === all && { value: all }),
});

/** A modelled energy and its interval. */
const buildEnergyCells = (figures: Figures | undefined): Cell[] => [
  figure(figures?.predicted_production),
  range(figures?.predicted_production_low, figures?.predicted_production_high),
];

/** Index, energy, interval and state of a month. */
function buildMonthCells(content: MonthContent | undefined, strip: readonly Cell[] = []): Cell[] {
  return [
    ...indexColumns.map(({ name }) => figure(content?.[name])),
    ...strip,
    ...buildEnergyCells(content),
    hours(content?.completeness),
    text(content && isPreliminary(content) ? messages.preliminaryMark : content?.status ?? ""),
  ];
}

function buildMemberRow(
  { name, file, reportMonth, units, reason, strip, share }: FleetMember,
  ofOwner: boolean,
): Row {
  return {
    cells: [
      { text: name, ...(file !== undefined && { link: { file } }) },
      ofOwner ? shareOf(share) : outOf(reason === undefined ? units : 0, units),
      ...buildMonthCells(reportMonth, [{
        text: null,
        ...(strip.length > 0 && { strip }),
      }]),
    ],
  };
}

/** Figures of several entries together, with columns for fields that only single entries have. */
function buildSumCells(
  all: FleetFigures,
  units: number,
  layout: "columns" | "alone",
): Cell[] {
  const nothing = layout === "alone" ? [] : [text("")];
  return [
    outOf(all.units, units),
    ...indexColumns.map(({ name }) => figure(all[name])),
    ...nothing,
    ...buildEnergyCells(all),
    ...nothing,
    ...nothing,
  ];
}

/** Figures of the parks in one month, each with a link to its turbines, and their sum. */
export function buildParksTable(
  { groups, figures: sum, units, month }: FleetContent,
): Block {
  const rows = groups.map((group, i): Row => ({
    cells: [
      { text: messages.parkName(group.name), link: { anchor: `park-${i + 1}` } },
      ...buildSumCells(group.figures, group.units, "alone"),
    ],
  }));
  const total: Row = {
    kind: "sum",
    cells: [text(messages.allTurbines), ...buildSumCells(sum, units, "alone")],
  };
  return {
    kind: "table",
    name: "parks",
    label: messages.tables.groups(month),
    heads: [
      { label: labels.park },
      { label: labels.turbines },
      ...indexHeads,
      ...energyHeads,
    ],
    groups: [rows, [total]],
  };
}

/** Figures of all turbines in one month, or of an owner's share in them, grouped by park if there are parks. */
export function buildFleetTable(
  { members, groups, figures: all, units, month }: FleetContent,
  owner?: string,
): Block {
  const ofOwner = owner !== undefined;
  const [turbines, ...heads] = fleetHeads;
  const sums = (name: string, figures: FleetFigures, count: number): readonly Cell[] => {
    const [number, ...cells] = buildSumCells(figures, count, "columns");
    return [text(name), ofOwner ? shareOf(undefined) : number, ...cells];
  };
  const listRows = (all: readonly FleetMember[]) => all.map((one) => buildMemberRow(one, ofOwner));
  const parks = groups.map((group, i): readonly Row[] => [
    {
      kind: "park",
      ...(!ofOwner && { anchor: `park-${i + 1}` }),
      cells: sums(messages.parkName(group.name), group.figures, group.units),
    },
    ...listRows(group.members),
  ]);
  const total: readonly (readonly Row[])[] = members.length > 1
    ? [[{ kind: "sum", cells: sums(messages.allTurbines, all, units) }]]
    : [];
  return {
    kind: "table",
    name: "turbines",
    label: ofOwner ? messages.owner.table(owner) : messages.tables.fleet(month),
    heads: [{ label: labels.turbine }, ofOwner ? shareHead : turbines, ...heads],
    groups: [...(groups.length === 0 ? [listRows(members)] : parks), ...total],
  };
}

/** Figures of verdicts in a table. */
const verdictFigures = ["produced", "normal", "wind", "stops", "limited", "rest"] as const;

/** Heads of verdicts, from the declared columns. */
const verdictHeads: readonly Head[] = pickColumns(verdictColumns, verdictFigures).map(headOf);

const verdictHead: Head = { label: labels.verdict, hint: messages.verdict, kind: "words" };
const comparedHead: Head = { label: labels.compared, kind: "words", form: "share" };

/** Names of a verdict's cells on a narrow screen, from the second cell on. */
export const verdictLabels: readonly string[] = [...verdictHeads, verdictHead, comparedHead]
  .map(({ label }) => label);

/** A change of an energy, with its sign. */
const change = (value: number | null | undefined): Cell =>
  value == null ? text(null) : { text: messages.change(value), value };

/** A share of hours, rounded down in all formats as in sentences: 100 % only if no hour is missing. */
const hours = (share: number | null | undefined): Cell =>
  share == null
    ? text(null)
    : { text: messages.share(share), value: Number(formatShare(share)) / 100 };

/** The figures of a verdict: from normal on they add up to the production. */
function buildVerdictCells(verdict: Verdict | null | undefined): Cell[] {
  const { produced, normal, wind, stops, limited, rest, completeness } = verdict ?? {};
  const share = produced == null ? null : completeness ?? null;
  return [
    figure(produced),
    figure(normal),
    ...[wind, stops, limited, rest].map(change),
    text(verdict?.verdict ?? null),
    hours(share),
  ];
}

/** Value of the energies of rows with a verdict, with a note; empty without prices. */
function buildValues(
  first: Head,
  rows: readonly { readonly cell: Cell; readonly verdict?: Verdict | null | undefined }[],
): Block[] {
  const currency = rows.find(({ verdict }) => verdict?.value)?.verdict?.value?.currency;
  if (currency === undefined) return [];
  const note = messages.tables.values(currency);
  return [{ kind: "text", look: "note", text: note }, {
    kind: "table",
    name: "frame",
    label: note,
    heads: [first, ...verdictHeads.map((head) => ({ ...head, unit: currency }))],
    groups: [rows.map(({ cell, verdict }): Row => ({
      cells: [
        cell,
        ...verdictFigures.map((name, i) => {
          const value = verdict?.value?.[name];
          if (value == null) return text(null);
          return { text: i < 2 || value === 0 ? formatNumber(value) : formatSigned(value), value };
        }),
      ],
    }))],
  }];
}

/** Value of the energies of a fleet's turbines, and their sum. */
export function buildFleetValues({ members, figures }: FleetContent): Block[] {
  const rows = members.toSorted(compareMembers).map(({ name, reportMonth }) => (
    { cell: { text: name }, verdict: reportMonth?.verdict }
  ));
  const sum = { cell: text(messages.sumOf(figures.units_measured)), verdict: figures.verdict };
  const all = rows.length > 1 ? [...rows, sum] : rows;
  return buildValues({ label: labels.turbine }, all.filter(({ verdict }) => verdict?.value));
}

/** Value of the energies of months. */
export function buildMonthValues(months: readonly MonthContent[]): Block[] {
  const rows = months.map((one) => ({ cell: monthCell(one), verdict: one.verdict }));
  return buildValues({ label: monthColumn.label }, rows);
}

/** Verdicts on a fleet's turbines: those with production and their sum, from the largest loss down, then the others. */
export function buildVerdictTable(
  { members, figures: all, month }: FleetContent,
  owner?: string,
): Block {
  const sorted = members.toSorted(compareMembers);
  const [measured, others] = [true, false].map((asked) =>
    sorted.filter(({ reportMonth }) => (reportMonth?.verdict?.produced != null) === asked)
  );
  const row = ({ name, file, reportMonth }: FleetMember): Row => ({
    cells: [
      { text: name, ...(file !== undefined && { link: { file } }) },
      ...buildVerdictCells(reportMonth?.verdict),
    ],
  });
  const sum: Row[] = all.verdict?.produced == null || measured.length < 2 ? [] : [{
    kind: "sum",
    cells: [text(messages.sumOf(all.units_measured)), ...buildVerdictCells(all.verdict)],
  }];
  return {
    kind: "table",
    name: "verdicts",
    label: owner === undefined ? messages.tables.verdicts(month) : messages.owner.lost(owner),
    heads: [{ label: labels.turbine }, ...verdictHeads, verdictHead, comparedHead],
    groups: [measured.map(row), sum, others.map(row)].filter((group) => group.length > 0),
  };
}

/** The verdicts on the months up to the month of the report. */
export function buildVerdictMonths(months: readonly MonthContent[]): Block {
  const heads = [...verdictHeads, verdictHead, ...[indexColumns[0]].map(headOf), comparedHead];
  return {
    kind: "table",
    name: "months",
    label: messages.tables.twelve(months[months.length - 1].month),
    heads: [{ label: monthColumn.label }, ...heads],
    groups: [months.map((one): Row => {
      const cells = buildVerdictCells(one.verdict);
      const index = figure(one.month_abnormality_index);
      return { cells: [monthCell(one), ...cells.slice(0, -1), index, ...cells.slice(-1)] };
    })],
  };
}

const monthCell = ({ month }: MonthContent): Cell => (
  { text: formatMonth(month), value: `${month}-01` }
);

/** The wind of the months up to the month of the report; only in a workbook if their verdicts are shown. */
export function buildMonthsTable(months: readonly MonthContent[], detail: boolean): Block {
  return {
    kind: "table",
    name: "months",
    label: messages.tables.indices(months[months.length - 1].month),
    detail,
    heads: [{ label: monthColumn.label }, ...indexHeads, ...energyHeads, ...stateHeads],
    groups: [months.map((one): Row => ({ cells: [monthCell(one), ...buildMonthCells(one)] }))],
  };
}

/** An owner's share of the energies, by month up to the month of the report. */
export function buildShareMonths(months: readonly MonthContent[], owner: string): Block {
  const rows = months.map((one): Row => ({
    cells: [
      monthCell(one),
      shareOf(one.share),
      ...buildEnergyCells(one),
      ...buildVerdictCells(one.verdict),
    ],
  }));
  return {
    kind: "table",
    name: "months",
    label: messages.owner.table(owner),
    heads: [
      { label: monthColumn.label },
      shareHead,
      ...energyHeads,
      ...verdictHeads,
      verdictHead,
      comparedHead,
    ],
    groups: [rows],
  };
}

/** Values of a column as data: days and instants in ISO 8601. */
export function listValues(frame: DataFrame, name: string, dtype: Column["dtype"] | undefined) {
  const series = frame.getColumn(name);
  if (dtype === "date") return series.cast(pl.Utf8).toArray();
  if (dtype !== "datetime") return series.toArray();
  return Array.from(
    extractEpochs(frame, name),
    (at) => Number.isNaN(at) ? null : Temporal.Instant.fromEpochMilliseconds(at).toString(),
  );
}

/** A frame as a table, with the texts that notebooks show. */
export function buildFrameTable(title: string, frame: DataFrame, detail = false): Block {
  const size = { maxRows: frame.height, maxColumns: frame.width };
  const declared = displayOf(frame)?.columns ?? [];
  const about = { title, caption: [], synthetic: false };
  const { columns } = buildTableModel(frame, declared, size, about);
  const items = columns.map((column, i) => {
    const name = frame.columns[i];
    const declaration = declared.find((one) => one.name === name);
    const hasData = column.numeric || declaration?.dtype === "date";
    const values = hasData ? listValues(frame, name, declaration?.dtype) : [];
    return { ...column, declaration, values: values as Cell["value"][] };
  });
  const rows = Array.from({ length: frame.height }, (_, row) => ({
    cells: items.map(({ texts, values }) => ({ text: texts[row], value: values[row] ?? null })),
  }));
  return {
    kind: "table",
    name: "frame",
    label: title,
    detail,
    heads: items.map(({ name, unit, hint, numeric, declaration }) => ({
      label: declaration?.label ?? name,
      unit,
      hint,
      ...(unit === "%" && declaration?.unit !== unit && { form: "share" }),
      ...(!numeric && { kind: "words" }),
    })),
    groups: [rows],
  };
}
