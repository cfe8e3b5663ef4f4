import type { DataFrame } from "nodejs-polars";
import type { Answer } from "../../analysis/series/answer.ts";
import { stepColumns } from "../../analysis/check_performance/frames.ts";
import { partOf, rowOf, type StepName, verdictColumns } from "../../analysis/verdict/row.ts";
import { comparisonColumns } from "../../analysis/series/compared_series.ts";
import { pickColumns } from "../../api/columns/column.ts";
import { figures, monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { turbineDetailsFrame } from "../../api/columns/turbine_columns.ts";
import { buildRows } from "../../frames/frame.ts";
import { plotActualAgainstPredicted } from "../../plots/comparison/actual_predicted.ts";
import type { Chart } from "../../plots/drawing/chart.ts";
import { plotFleetIndices } from "../../plots/index/fleet_indices.ts";
import { plotFleetMonth } from "../../plots/losses/fleet_month.ts";
import { plotShortfall } from "../../plots/losses/shortfall.ts";
import { plotFleetMap } from "../../plots/maps/fleet_map.ts";
import { toPlace } from "../../plots/maps/local_map.ts";
import { plotMonthlyIndices } from "../../plots/index/monthly_indices.ts";
import { monthAsDays } from "../../time/zones.ts";
import { compareMembers, type FleetContent } from "../content/fleet_content.ts";
import type { FleetMonth } from "../content/fleet_figures.ts";
import type { FleetMember } from "../content/fleet_member.ts";
import { messages } from "../content/messages.ts";
import { findSource } from "../content/sources.ts";
import { reportMonthOf, type TurbineContent } from "../content/turbine_content.ts";
import type { Picture } from "./document.ts";

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

/**
 * Most turbines with small charts on a sheet of paper; with more, the table shows their strips instead. Then the most
 * turbines with a verdict drawn, from the largest loss down.
 */
const [MAX_SMALL_CHARTS, MAX_VERDICTS] = [24, 26];

/**
 * Chart widths, px: for a fleet's page, where its letters exceed 7 pt at the width of A4; for a phone, where axes and names
 * take up to 100 of 320 px; for a turbine's page, where two charts share the width on paper.
 */
const [WIDTH, PHONE, HALF] = [560, 220, 250];

/** Width of the names next to a chart of turbines, and of the narrowest set of panels, px. */
const [NAMES, MIN_PANELS] = [110, 190];

/** Heights of the charts of a turbine, and the largest one of the fleet's verdicts, px. */
const HEIGHTS = { steps: 140, months: 110, comparison: 70, verdicts: 420 } as const;

/** A month in a chart. */
type ChartMonth = Pick<
  FleetMonth,
  "month" | "month_abnormality_index" | "last12_month_index" | "status"
>;

const countDays = (month: string) => monthAsDays(Temporal.PlainYearMonth.from(month));

/** Rows of the months of a turbine for the plots. */
const listRows = (turbine_id: string, months: readonly ChartMonth[]) =>
  months.map(({ month, month_abnormality_index, last12_month_index, status }) => ({
    ...{ turbine_id, month: countDays(month), month_abnormality_index, last12_month_index, status },
  }));

function buildIndicesFrame(rows: readonly ReturnType<typeof listRows>[number][]): DataFrame {
  return buildRows([idColumn, monthColumn, abnormality, last12, statusColumn], rows);
}

/** Skips months before the first figure. */
function fromFirst(months: readonly ChartMonth[]) {
  const first = months.findIndex((one) => one.month_abnormality_index !== null);
  return months.slice(Math.max(0, first));
}

/** Month abnormality index of the months of a turbine, with the twelve-month index as a line. */
export function plotIndices(content: TurbineContent): Chart {
  const { name, month, months, report, origin, reference } = content;
  return plotMonthlyIndices(buildIndicesFrame(listRows(name, fromFirst(months))), {
    figure: "month_abnormality_index",
    source: findSource(report.indices, origin, "monthly_indices"),
    title: abnormality.label,
    subtitle: reference && messages.reference.line(reference),
    marked: month,
    bare: true,
    width: HALF,
    height: HEIGHTS.months,
  });
}

/** Produced against predicted energy of the months in view with both; `undefined` if there are none. */
export function plotComparison(content: TurbineContent): Chart | undefined {
  const { month, months, report, origin } = content;
  const first = months.findIndex(({ compared }) => compared !== null);
  if (first === -1) return undefined;
  const rows = months.slice(Math.min(first, months.length - 12));
  const frame = buildRows(
    comparisonColumns,
    rows.map(({ month, compared }) => ({ ...compared, month: countDays(month) })),
  );
  return plotActualAgainstPredicted(frame, {
    source: findSource(report.comparison, origin, "model_data"),
    title: messages.labels.ratio,
    marked: month,
    bare: true,
    width: HALF,
    height: HEIGHTS.comparison,
  });
}

/** Steps from a normal month to the actual production, from its verdict; `undefined` without production. */
export function plotMonthSteps(content: TurbineContent): Chart | undefined {
  const { verdict } = reportMonthOf(content);
  if (!verdict || verdict.produced === null || verdict.normal === null) return undefined;
  const { steps } = messages;
  const part = (name: string, of: StepName) => {
    const change = partOf(verdict, of);
    return change
      ? [{ step: name, energy: change.energy, energy_low: change.low, energy_high: change.high }]
      : [];
  };
  const rows = [
    { step: steps.normal, energy: verdict.normal },
    ...part(steps.wind, "wind"),
    ...part(steps.stops, "stops"),
    ...(verdict.limited ? part(steps.limited, "limited") : []),
    ...part(verdict.stops === null ? steps.stopsAndRest : steps.rest, "rest"),
    { step: steps.produced, energy: verdict.produced },
  ];
  return plotShortfall(buildRows(stepColumns, rows), {
    source: findSource(content.report.comparison, content.origin, "model_data"),
    title: messages.charts.steps(content.month),
    bare: true,
    width: HALF,
    height: HEIGHTS.steps,
  });
}

/** Changes by wind, stops and the rest, for the turbines with the largest losses; `undefined` without production. */
export function plotVerdicts(
  { members, month, origin }: Pick<FleetContent, "members" | "month" | "origin">,
  width: number = WIDTH,
): Chart | undefined {
  const all = members.filter(({ reportMonth }) => reportMonth?.verdict?.produced != null).sort(
    compareMembers,
  );
  if (all.length === 0) return undefined;
  const drawn = all.slice(0, MAX_VERDICTS);
  const rows = drawn.map(({ id, name, reportMonth }) => ({
    ...rowOf(reportMonth!.verdict!),
    turbine_id: nameOnce(drawn, { id, name }),
  }));
  return plotFleetMonth(buildRows([idColumn, ...verdictColumns.slice(1)], rows), {
    source: findSource(undefined, origin, "check_performance"),
    title: messages.charts.verdicts(month, drawn.length, all.length),
    bare: true,
    width: Math.max(width - NAMES, MIN_PANELS),
    ...(width === WIDTH && { height: Math.min(32 * drawn.length, HEIGHTS.verdicts) }),
  });
}

/** Name of a turbine, with its identifier if another has the same name. */
function nameOnce(
  members: readonly Pick<FleetMember, "id" | "name">[],
  { id, name }: Pick<FleetMember, "id" | "name">,
): string {
  return members.some((other) => other.name === name && other.id !== id)
    ? messages.namesake(name, id)
    : name;
}

/** Steps to the actual production, for an answer that has them. */
export function plotSteps({ frames: { steps, stepsByPeriod } }: Answer): Chart | undefined {
  return steps && stepsByPeriod && steps.height > 2
    ? plotShortfall({ frames: { steps, stepsByPeriod } }, { width: WIDTH, height: 200 })
    : undefined;
}

function buildPlacesFrame(turbines: readonly FleetMember[]): DataFrame {
  const rows = turbines.map(({ id, name, details, reportMonth }) => ({
    turbine_id: id,
    name,
    latitude: details?.latitude,
    longitude: details?.longitude,
    month_abnormality_index: reportMonth?.month_abnormality_index,
  }));
  return buildRows([...placeColumns, abnormality], rows);
}

/** Map of the turbines in the colours of the month; `undefined` without a position. */
export function plotMembersMap(
  { members, month, origin }: Pick<FleetContent, "members" | "month" | "origin">,
  width: number = WIDTH,
): Chart | undefined {
  const isPlaced = members.some(({ details }) =>
    details && toPlace(details.longitude, details.latitude)
  );
  if (!isPlaced) return undefined;
  return plotFleetMap(buildPlacesFrame(members), {
    source: findSource(undefined, origin, "turbine_details"),
    title: messages.charts.fleetMap(month),
    bare: true,
    width,
    height: 260,
  });
}

/** Energy of the fleet compared with that of a normal month. */
export function plotFleetMonths(
  { months, month, origin, reference }: Pick<
    FleetContent,
    "months" | "month" | "origin" | "reference"
  >,
  width: number = WIDTH,
): Chart {
  return plotMonthlyIndices(
    buildIndicesFrame(listRows(messages.charts.fleetName, fromFirst(months))),
    {
      figure: "month_abnormality_index",
      source: findSource(undefined, origin, "monthly_indices"),
      title: messages.charts.fleetIndex(month),
      subtitle: reference && messages.reference.line(reference),
      marked: month,
      bare: true,
      width,
      height: 160,
    },
  );
}

/** A small chart for each turbine; `undefined` for a single turbine, or if there are too many to read. */
export function plotSmallCharts(
  { members, month, origin }: Pick<FleetContent, "members" | "month" | "origin">,
  width: number = WIDTH,
): Chart | undefined {
  const withStrip = members.filter(({ strip }) => strip.length > 0);
  if (withStrip.length < 2 || withStrip.length > MAX_SMALL_CHARTS) return undefined;
  const rows = withStrip.flatMap(({ name, id, strip }) =>
    listRows(
      nameOnce(withStrip, { id, name }),
      strip.map(({ month, value, status }) => (
        { month, month_abnormality_index: value, last12_month_index: null, status }
      )),
    )
  );
  return plotFleetIndices(buildIndicesFrame(rows), {
    source: findSource(undefined, origin, "monthly_indices"),
    title: messages.charts.small(abnormality.label, withStrip.length),
    marked: month,
    bare: true,
    width,
    height: 48,
  });
}

/** A chart of the fleet's page, and its version for phones. */
export function drawTwice(
  look: Picture["look"],
  plot: (width: number) => Chart | undefined,
  missing?: string,
): Picture {
  const more = missing === undefined ? {} : { missing };
  return { look, chart: plot(WIDTH), narrow: plot(PHONE), ...more };
}
