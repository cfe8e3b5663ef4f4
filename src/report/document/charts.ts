import type { DataFrame } from "nodejs-polars";
import type { Answer } from "../../analysis/series/answer.ts";
import { comparisonColumns } from "../../analysis/series/compared_series.ts";
import { pickColumns } from "../../api/columns/column.ts";
import { figures, monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { turbineDetailsFrame } from "../../api/columns/turbine_columns.ts";
import { buildRows } from "../../frames/frame.ts";
import { plotActualAgainstPredicted } from "../../plots/actual_predicted.ts";
import type { Chart } from "../../plots/drawing/chart.ts";
import { plotFleetIndices } from "../../plots/fleet_indices.ts";
import { plotShortfall } from "../../plots/losses/shortfall.ts";
import { plotFleetMap } from "../../plots/maps/fleet_map.ts";
import { plotMonthlyIndices } from "../../plots/monthly_indices.ts";
import { monthAsDays } from "../../time/zones.ts";
import type { FleetContent } from "../content/fleet_content.ts";
import type { FleetMember } from "../content/fleet_member.ts";
import { messages } from "../content/messages.ts";
import { findSource, type ReportOrigin } from "../content/sources.ts";
import {
  type MonthContent,
  reportMonthOf,
  type TurbineContent,
} from "../content/turbine_content.ts";

const [abnormality, last12] = pickColumns(figures, [
  "month_abnormality_index",
  "last12_month_index",
]);
const [idColumn, monthColumn, statusColumn] = pickColumns(monthlyIndicesFrame, [
  "turbine_id",
  "month",
  "status",
]);
const placeColumns = pickColumns(turbineDetailsFrame, [
  "turbine_id",
  "name",
  "latitude",
  "longitude",
]);

/** Most turbines whose small charts can be read in one picture: of more, the strips of the table show the same. */
const MAX_SMALL_CHARTS = 60;

/** Width of the charts, px: as wide as a page of A4 their letters are larger than 7 pt. */
const WIDTH = 560;

/** Sizes of narrow ones, of which two are as wide. */
const NARROW_INDICES = { width: 284, height: 110 };
const NARROW_COMPARISON = { width: 266, height: 40 };

/** Months of a turbine in a chart. */
interface ChartMonths {
  readonly name: string;
  readonly months: readonly {
    readonly month: string;
    readonly values: readonly [abnormality: number | null, last12: number | null];
    readonly status: string | null;
  }[];
}

function countDays(month: string): number {
  return monthAsDays(Temporal.PlainYearMonth.from(month));
}

/** A frame of months as the plots take it. */
function buildIndicesFrame(turbines: readonly ChartMonths[]): DataFrame {
  const rows = turbines.flatMap(({ name, months }) =>
    months.map(({ month, values, status }) => ({
      turbine_id: name,
      month: countDays(month),
      month_abnormality_index: values[0],
      last12_month_index: values[1],
      status,
    }))
  );
  return buildRows([idColumn, monthColumn, abnormality, last12, statusColumn], rows);
}

/** Months from the first that has a figure: those before it say nothing. */
function fromFirst<Month>(months: readonly Month[], hasFigure: (month: Month) => boolean) {
  return months.slice(Math.max(0, months.findIndex(hasFigure)));
}

function pickChartMonth({ month, figures: values, status }: MonthContent) {
  return { month, values: [values[abnormality.name], values[last12.name]] as const, status };
}

/** Month abnormality index of the months of a turbine, with the twelve-month index as a line. */
export function plotIndices(content: TurbineContent, narrow = false): Chart {
  const { name, months, report, origin, reference } = content;
  const shown = fromFirst(months.map(pickChartMonth), ({ values }) => values[0] !== null);
  return plotMonthlyIndices(buildIndicesFrame([{ name, months: shown }]), {
    figure: "month_abnormality_index",
    source: findSource(report.indices, origin, "monthly_indices"),
    title: narrow
      ? messages.label(abnormality)
      : messages.charts.index(messages.label(abnormality), name),
    ...(reference ? { subtitle: messages.reference.line(reference) } : {}),
    bare: true,
    ...(narrow ? NARROW_INDICES : { width: WIDTH, height: 160 }),
  });
}

/** Produced against predicted energy of the months that have both in view; `undefined` where there are none. */
export function plotComparison(content: TurbineContent, narrow = false): Chart | undefined {
  const { name, months, report, origin } = content;
  const first = months.findIndex(({ compared }) => compared !== null);
  if (first === -1) return undefined;
  const rows = months.slice(Math.min(first, months.length - 12));
  const frame = buildRows(
    comparisonColumns,
    rows.map(({ month, compared }) => ({ ...compared, month: countDays(month) })),
  );
  return plotActualAgainstPredicted(frame, {
    source: findSource(report.comparison, origin, "model_data"),
    title: narrow ? messages.labels.produced : messages.charts.comparison(name),
    bare: true,
    ...(narrow ? NARROW_COMPARISON : { width: WIDTH, height: 120 }),
  });
}

/** What led to the production, for an answer that has such steps. */
export function plotSteps({ frames: { steps, stepsByPeriod } }: Answer): Chart | undefined {
  return steps && stepsByPeriod && steps.height > 2
    ? plotShortfall({ frames: { steps, stepsByPeriod } }, { width: WIDTH, height: 200 })
    : undefined;
}

function buildPlacesFrame(turbines: readonly FleetMember[], values: boolean): DataFrame {
  const rows = turbines.map(({ id, name, latitude, longitude, own }) => ({
    turbine_id: id,
    name,
    latitude,
    longitude,
    month_abnormality_index: own?.figures[abnormality.name],
  }));
  return buildRows([...placeColumns, ...(values ? [abnormality] : [])], rows);
}

function hasPosition(
  { latitude, longitude }: Pick<FleetMember, "latitude" | "longitude">,
): boolean {
  return latitude !== null && longitude !== null && Math.abs(latitude) <= 90 &&
    Math.abs(longitude) <= 360;
}

/** Map of a turbine; `undefined` where its position is not known. */
export function plotPosition(content: TurbineContent): Chart | undefined {
  const { id, name, details: { latitude, longitude }, origin } = content;
  const own = reportMonthOf(content);
  const member = { id, name, latitude, longitude, own } as FleetMember;
  if (!hasPosition(member)) return undefined;
  return plotFleetMap(buildPlacesFrame([member], false), {
    source: findSource(undefined, origin, "turbine_details"),
    title: messages.charts.place(name),
    width: WIDTH,
    bare: true,
    height: 180,
  });
}

/** Map of the turbines in the colours of the month; `undefined` where no position is known. */
export function plotMembersMap(
  members: readonly FleetMember[],
  month: string,
  origin: ReportOrigin,
): Chart | undefined {
  if (!members.some(hasPosition)) return undefined;
  return plotFleetMap(buildPlacesFrame(members, true), {
    source: findSource(undefined, origin, "turbine_details"),
    title: messages.charts.fleetMap(month),
    width: WIDTH,
    bare: true,
    height: 260,
  });
}

/** Energy of the fleet compared with that of a normal month. */
export function plotFleetMonths(
  { months, month, origin, reference }: Pick<
    FleetContent,
    "months" | "month" | "origin" | "reference"
  >,
): Chart {
  const known = fromFirst(months, ({ abnormality }) => abnormality !== null);
  const rows = known.map(({ month, abnormality, last12, preliminary }) => ({
    month,
    values: [abnormality, last12] as const,
    status: preliminary ? "preliminary" : "final",
  }));
  return plotMonthlyIndices(
    buildIndicesFrame([{ name: messages.charts.fleetName, months: rows }]),
    {
      figure: "month_abnormality_index",
      source: findSource(undefined, origin, "monthly_indices"),
      title: messages.charts.fleetIndex(month),
      ...(reference ? { subtitle: messages.reference.line(reference) } : {}),
      width: WIDTH,
      bare: true,
      height: 160,
    },
  );
}

/** A small chart for each turbine; `undefined` for one turbine, and where they are too many to be read. */
export function plotSmallCharts(
  members: readonly FleetMember[],
  origin: ReportOrigin,
): Chart | undefined {
  const shown = members.filter(({ strip }) => strip.length > 0);
  if (shown.length < 2 || shown.length > MAX_SMALL_CHARTS) return undefined;
  const names = new Set<string>();
  const turbines = shown.map(({ name, id, strip }) => {
    const own = names.has(name) ? messages.namesake(name, id) : name;
    names.add(own);
    const months = strip.map(({ month, value, status }) => ({
      month,
      values: [value, null] as const,
      status,
    }));
    return { name: own, months };
  });
  return plotFleetIndices(buildIndicesFrame(turbines), {
    source: findSource(undefined, origin, "monthly_indices"),
    title: messages.charts.small(messages.label(abnormality), shown.length),
    width: WIDTH,
    bare: true,
    height: 48,
  });
}
