import pl, { type DataFrame } from "nodejs-polars";
import { type Column, pickColumns } from "../../api/columns/column.ts";
import { figures, monthlyIndicesFrame, predictedInterval } from "../../api/columns/columns.ts";
import { extractEpochs } from "../../frames/frame.ts";
import { displayOf } from "../../show/frame_display.ts";
import { buildTableModel } from "../../show/table/table_model.ts";
import type { FleetContent } from "../content/fleet_content.ts";
import type { FleetFigures } from "../content/fleet_figures.ts";
import type { FleetMember } from "../content/fleet_member.ts";
import { messages } from "../content/messages.ts";
import {
  comparedColumns,
  isPreliminary,
  type MonthContent,
  partialShareOf,
  shownFigures,
} from "../content/turbine_content.ts";
import type { Block, Cell, Head, Row } from "./document.ts";

const [monthColumn] = pickColumns(monthlyIndicesFrame, ["month"]);
const [energy] = pickColumns(figures, ["predicted_production"]);
const [low, high] = predictedInterval;
const [produced, , ratio] = comparedColumns;

const indexColumns = shownFigures.filter((column) => column !== energy);

const { labels } = messages;

const headOf = (column: Column): Head => ({
  label: messages.label(column),
  unit: column.unit,
  hint: messages.meaning(column),
});

const indexHeads = indexColumns.map(headOf);

/** Heads of the modelled energy and its interval. */
const energyHeads: readonly Head[] = [
  headOf(energy),
  { label: labels.interval, unit: energy.unit, hint: messages.intervalMeaning, form: "range" },
];

const producedHead: Head = {
  label: labels.produced,
  unit: ratio.unit,
  hint: messages.comparison,
};

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
  producedHead,
  ...stateHeads,
];

/** Names of the cells of a turbine on a narrow screen, where its row is a card, from the second on. */
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
  ...(known === all ? { value: all } : {}),
});

/** The ratio of produced to predicted energy, with the share of the hours where it is of a part of them. */
function ratioOf(compared: MonthContent["compared"] | undefined): Cell {
  const share = compared ? partialShareOf(compared) : null;
  return {
    ...figure(compared?.ratio),
    note: share === null ? undefined : messages.partCompared(share),
  };
}

/** Index, energy, interval and state of a month; what is compared stands between them. */
function buildMonthCells(
  own: MonthContent | undefined,
  compared: readonly Cell[],
  strip: readonly Cell[] = [],
): Cell[] {
  const values = own?.figures;
  return [
    ...indexColumns.map(({ name }) => figure(values?.[name])),
    ...strip,
    figure(values?.[energy.name]),
    range(values?.[low.name], values?.[high.name]),
    ...compared,
    own?.completeness == null
      ? text(null)
      : { text: messages.share(own.completeness), value: own.completeness },
    text(own && isPreliminary(own) ? messages.preliminaryMark : own?.status ?? ""),
  ];
}

function buildMemberRow(
  { name, file, own, units, reason, strip, share }: FleetMember,
  ofOwner: boolean,
): Row {
  return {
    cells: [
      { text: name, ...(file === undefined ? {} : { link: { file } }) },
      ofOwner ? shareOf(share) : outOf(reason === undefined ? units : 0, units),
      ...buildMonthCells(own, [ratioOf(own?.compared)], [{
        text: null,
        ...(strip.length > 0 ? { strip } : {}),
      }]),
    ],
  };
}

/** Figures of several entries together, with columns for what only one has. */
function buildSumCells(
  all: FleetFigures,
  units: number,
  own: "columns" | "alone",
): Cell[] {
  const indices = [all.abnormality, all.index, all.last12, all.quarter, all.year].map(figure);
  const nothing = own === "alone" ? [] : [text("")];
  return [
    outOf(all.units, units),
    ...indices,
    ...nothing,
    figure(all.energy),
    range(all.low, all.high),
    figure(all.ratio),
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
      producedHead,
    ],
    groups: [rows, [total]],
  };
}

/** Figures of all turbines in one month, or of an owner's share in them, grouped by park where there are parks. */
export function buildFleetTable(
  { members, groups, figures: all, units, month }: FleetContent,
  owner?: string,
): Block {
  const ofOwner = owner !== undefined;
  const [turbines, ...heads] = fleetHeads;
  const sums = (name: string, own: FleetFigures, count: number): readonly Cell[] => {
    const [number, ...cells] = buildSumCells(own, count, "columns");
    return [text(name), ofOwner ? shareOf(undefined) : number, ...cells];
  };
  const listRows = (own: readonly FleetMember[]) => own.map((one) => buildMemberRow(one, ofOwner));
  const parks = groups.map((group, i): readonly Row[] => [
    {
      kind: "park",
      ...(ofOwner ? {} : { anchor: `park-${i + 1}` }),
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

/** Figures of the months that end with the report's own, with the production where it is known; the energies of an owner's share. */
export function buildMonthsTable(months: readonly MonthContent[], owner?: string): Block {
  const hasCompared = months.some(({ compared }) => compared !== null);
  const choose = <T>(all: readonly T[], share: T): readonly T[] =>
    owner === undefined ? all : [share, ...all.slice(indexHeads.length, -stateHeads.length)];
  const rows = months.map((one): Row => {
    // Produced energy beside that of a whole month counts only where nearly all hours were compared.
    const whole = one.compared && partialShareOf(one.compared) === null ? one.compared : null;
    const compared = hasCompared ? [figure(whole?.produced), ratioOf(one.compared)] : [];
    const month = { text: messages.monthName(one.month), value: `${one.month}-01` };
    return { cells: [month, ...choose(buildMonthCells(one, compared), shareOf(one.share))] };
  });
  const compared = hasCompared ? [produced, ratio].map(headOf) : [];
  const heads = [...indexHeads, ...energyHeads, ...compared, ...stateHeads];
  return {
    kind: "table",
    name: "months",
    label: owner === undefined
      ? messages.tables.twelve(months[months.length - 1].month)
      : messages.owner.table(owner),
    heads: [{ label: messages.label(monthColumn) }, ...choose(heads, shareHead)],
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
  const shown = columns.map((column, i) => {
    const name = frame.columns[i];
    const own = declared.find((one) => one.name === name);
    const hasData = column.numeric || own?.dtype === "date";
    const values = hasData ? listValues(frame, name, own?.dtype) : [];
    return { ...column, own, values: values as Cell["value"][] };
  });
  const rows = Array.from({ length: frame.height }, (_, row) => ({
    cells: shown.map(({ texts, values }) => ({ text: texts[row], value: values[row] ?? null })),
  }));
  return {
    kind: "table",
    name: "frame",
    label: title,
    detail,
    heads: shown.map(({ name, unit, hint, numeric, own }) => ({
      label: own?.label ?? name,
      unit,
      hint,
      ...(unit === "%" && own?.unit !== unit ? { form: "share" } : {}),
      ...(numeric ? {} : { kind: "words" }),
    })),
    groups: [rows],
  };
}
