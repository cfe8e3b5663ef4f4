import type { DataFrame } from "nodejs-polars";
import { pickColumns } from "../../api/columns/column.ts";
import { coverageList } from "../../api/columns/columns.ts";
import { readOptions } from "../../show/options/read_options.ts";
import { formatNumber, formatSigned } from "../../show/text/numbers.ts";
import type { Chart } from "../drawing/chart.ts";
import { fontSize, palette } from "../drawing/theme.ts";
import { drawChart, type PlotOptions, plotOptions } from "../grammar/chart.ts";
import {
  buildKindColor,
  type Channel,
  dot,
  fixedMark,
  label,
  mark,
  quantity,
  type Spec,
} from "../grammar/marks.ts";
import { type Drawn, frameOf, readRows, refusePlot, requireColumns } from "../grammar/read.ts";
import { shortenName, wrapText } from "../grammar/text.ts";
import { listGiven } from "../../show/text/lists.ts";

const PLOT = "the references";

/** Space for the names next to the panels, pixels. */
const NAMES = 230;

const [distanceColumn] = pickColumns(coverageList, ["distance_to_request_location"]);

const TEXTS = ["name", "notes"] as const;

/** Columns of numbers that a frame of references needs, by their names in `compareReferences()`. */
const NUMBERS = [
  "monthly_r",
  "monthly_r_low",
  "monthly_r_high",
  "hourly_r",
  "bias",
  "trend",
  "trend_low",
  "trend_high",
  "years",
  distanceColumn.name,
] as const;

/** The candidates of a frame, in its order. */
function readReferenceRows(frame: DataFrame) {
  return readRows(frame, PLOT, [...NUMBERS, "months"], TEXTS).map((row, i) => {
    const { [distanceColumn.name]: away, bias, years, months, trend } = row;
    const details = listGiven(
      away !== null && `${formatNumber(away, away < 100 ? 1 : 0)} ${distanceColumn.unit}`,
      bias !== null && `bias ${formatSigned(bias, 1)} %`,
    ).join(", ");
    return {
      away,
      bias,
      details,
      trend,
      years,
      months,
      place: i + 1, // names need not be unique
      name: row.name ?? "",
      monthly: row.monthly_r,
      low: row.monthly_r_low,
      high: row.monthly_r_high,
      hourly: row.hourly_r,
      trendLow: row.trend_low,
      trendHigh: row.trend_high,
      notes: row.notes ?? "",
    };
  });
}

/** A candidate of the chart: distance in km, bias in %, trends in % per decade. */
type ReferenceRow = ReturnType<typeof readReferenceRows>[number];

/** Vertical channel: a row per candidate, with or without its name and figures as label. */
function buildReferenceChannel(rows: readonly ReferenceRow[], named: boolean): Spec {
  const labels = rows.map(({ name, details, monthly, hourly }) => {
    const facts = listGiven(
      details,
      monthly !== null && `r ${monthly.toFixed(3)}`,
      hourly !== null && `hourly ${hourly.toFixed(3)}`,
    );
    return listGiven(shortenName(name, NAMES, fontSize.axis), facts.join(", "));
  });
  return {
    field: "place",
    type: "ordinal",
    scale: { domain: rows.map(({ place }) => place), padding: 0.3 },
    axis: {
      domain: false,
      grid: true,
      labelExpr: `${JSON.stringify(labels)}[datum.value - 1]`,
      labelLimit: 0,
      labelOverlap: false,
      labels: named,
      tickCount: rows.length,
      ticks: false,
      title: null,
    },
  };
}

/** Tooltip of a candidate. */
const TOOLTIP: readonly Spec[] = [
  { field: "name", title: "Reference", type: "nominal" },
  { field: "monthly", title: "Monthly r", format: ".3f", type: "quantitative" },
  { field: "low", title: "Monthly r, low", format: ".3f", type: "quantitative" },
  { field: "high", title: "Monthly r, high", format: ".3f", type: "quantitative" },
  { field: "hourly", title: "Hourly r", format: ".3f", type: "quantitative" },
  { field: "trend", title: "Trend (% per decade)", format: "+.1f", type: "quantitative" },
  { field: "years", title: "Whole years", type: "quantitative" },
  { field: "notes", title: "Notes", type: "nominal" },
];

/** Size of a panel, pixels. */
interface PanelSize {
  readonly width: number;
  readonly height: number;
}

/** Largest trend that the axis reaches, % per decade: wider intervals are cut off. */
const MAX_TREND = 30;

/** Smallest end of the trend axis, % per decade. */
const MIN_TREND = 5;

/** Width of a panel below which its axis has few ticks and its legend one column, pixels. */
const NARROW_WIDTH = 300;

const KINDS = ["Monthly r, 90 % interval", "Hourly r"];
const COLORS = [palette.black, palette.blue];

const chooseTicks = ({ width }: PanelSize) => width < NARROW_WIDTH ? 3 : 5;

/** Scale of the correlations: from the lowest one drawn, at most 0.9, to 1. */
function buildCorrelationScale(rows: readonly ReferenceRow[]): Spec {
  const correlations = rows.flatMap(({ monthly, low, hourly }) => [monthly, low, hourly])
    .filter((value) => value !== null);
  const least = Math.max(-1, Math.floor(10 * Math.min(0.9, ...correlations)) / 10);
  return { domain: [least, 1], nice: false, zero: false };
}

/** Monthly r with its interval, and hourly r. */
function buildCorrelations(rows: readonly ReferenceRow[], size: PanelSize): Spec[] {
  const y = buildReferenceChannel(rows, true);
  const scale = buildCorrelationScale(rows);
  const title = wrapText("Correlation with the production", size.width, fontSize.axis);
  const axis = { grid: true, tickCount: chooseTicks(size), title };
  const legend = { columns: size.width < NARROW_WIDTH ? 1 : 2, symbolOpacity: 1 };
  const point = (field: "monthly" | "hourly", kind: string) =>
    dot({
      data: rows.filter((row) => row[field] !== null).map((row) => ({ ...row, kind })),
      x: quantity(field, scale, axis),
      y,
      color: buildKindColor("kind", KINDS.map((name, i) => [name, COLORS[i]]), legend),
      shape: {
        field: "kind",
        type: "nominal",
        scale: { domain: KINDS, range: ["circle", "diamond"] },
      },
      size: 60,
      tooltip: TOOLTIP,
    });
  return [
    mark("rule", {
      where: "isValid(datum.low)",
      x: quantity("low", scale, axis),
      x2: { field: "high" },
      y,
      color: palette.black,
      strokeWidth: 1.5,
    }),
    point("hourly", KINDS[1]),
    point("monthly", KINDS[0]),
    mark("text", {
      where: "!isValid(datum.monthly) && !isValid(datum.hourly)",
      x: { value: 0 },
      y,
      text: { value: "none" },
      align: "left",
      color: palette.faint,
      dx: 6,
      fontSize: fontSize.axis,
    }),
  ];
}

/** Whether a trend is significant: its 90 % interval excludes 0. */
function isSignificant({ trendLow, trendHigh }: ReferenceRow): boolean {
  return trendLow !== null && trendHigh !== null && trendLow * trendHigh > 0;
}

/** The trends with their intervals, and whether some were cut off. */
function buildTrends(rows: readonly ReferenceRow[], size: PanelSize) {
  const y = buildReferenceChannel(rows, false);
  const ends = rows.flatMap(({ trend, trendLow, trendHigh }) => [trend, trendLow, trendHigh])
    .filter((value) => value !== null).map(Math.abs);
  const most = Math.max(MIN_TREND, ...ends);
  const cut = most > MAX_TREND;
  const reach = cut ? MAX_TREND : most;
  const within = (value: number | null) =>
    value === null ? null : Math.min(reach, Math.max(-reach, value));
  const values = rows.map((row) => {
    const { trend, trendLow, trendHigh } = row;
    const inside = trend !== null && Math.abs(trend) <= reach;
    return {
      ...row,
      from: within(trendLow),
      to: within(trendHigh),
      shown: inside ? trend : null,
      beyond: trend !== null && !inside ? `${formatSigned(trend)} %` : null,
      significant: isSignificant(row),
    };
  });
  const axis = {
    grid: true,
    labelExpr: "datum.value === 0 ? '0' : format(datum.value, '+~f')",
    tickCount: chooseTicks(size),
    title: wrapText("Trend of the wind (% per decade)", size.width, fontSize.axis),
  };
  const x: Channel = (field) =>
    quantity(field, { domain: [-reach, reach], nice: !cut, zero: false }, axis);
  const color = {
    condition: { test: "datum.significant", value: palette.vermilion },
    value: palette.faint,
  };
  const layers = [
    fixedMark("rule", {
      x: { datum: 0, type: "quantitative" },
      color: palette.black,
      strokeWidth: 1,
    }),
    mark("rule", {
      where: "isValid(datum.from)",
      x: x("from"),
      x2: { field: "to" },
      y,
      color,
      strokeWidth: 1.5,
    }),
    dot({
      where: "isValid(datum.shown)",
      x: x("shown"),
      y,
      color,
      size: 60,
      tooltip: TOOLTIP,
    }),
    // at the end of the axis on the side of the trend, above its interval
    label("beyond", {
      where: "isValid(datum.beyond)",
      x: { expr: `datum.trend > 0 ? ${size.width} : 0` },
      y,
      align: { expr: "datum.trend > 0 ? 'right' : 'left'" },
      color: palette.text,
      dy: -8,
      fontSize: fontSize.caption,
      tooltip: TOOLTIP,
    }),
  ];
  return { layers, values, cut };
}

/** Most candidates that fit one picture. */
const MAX_ROWS = 40;

/** Most candidates named in the alternative text. */
const MAX_NAMED = 5;

/** Height of a candidate, pixels. */
const ROW = 32;

/** Gap between the panels, pixels. */
const GAP = 24;

/** Share of the left panel. */
const LEFT = 0.56;

function describeReference({ name, details, monthly, hourly, trend }: ReferenceRow): string {
  const facts = listGiven(
    details,
    monthly !== null && `monthly r ${monthly.toFixed(3)}`,
    hourly !== null && `hourly r ${hourly.toFixed(3)}`,
    monthly === null && hourly === null && "no correlation",
    trend !== null && `trend ${formatSigned(trend, 1)} % per decade`,
  );
  return `${name}: ${facts.join(", ")}`;
}

/** Explains the lines below the names of the references. */
function formatSubtitle(rows: readonly ReferenceRow[]): string {
  const details = listGiven(
    rows.some(({ away }) => away !== null) && "distance",
    rows.some(({ bias }) => bias !== null) && "bias of the power",
  );
  return `Best reference first${details.length === 0 ? "" : `, with ${details.join(" and ")}`}.`;
}

function formatFacts(rows: readonly ReferenceRow[]): string {
  const more = rows.length > MAX_NAMED ? `; and ${rows.length - MAX_NAMED} more` : "";
  return `${rows.slice(0, MAX_NAMED).map(describeReference).join("; ")}${more}`;
}

/**
 * Plots references for a production, in order: monthly r with its 90 % interval and hourly r on the left, the trend
 * of the wind with its interval on the right. A trend whose interval excludes 0 is red.
 *
 * @param given Answer of `compareReferences()`, or `references` of its `frames` of up to 40 candidates
 * @param options Title, source and size
 * @returns A chart that shows itself in notebooks
 * @throws {ArgumentError} If a column is missing, the frame is empty, or there are more candidates
 *
 * @example Two references
 * ```ts
 * import { compareReferences, modelData, plotReferences } from "@vindkit/vindkit";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const years = { from: 2022, to: 2024 };
 * const [one, two, three] = await Promise.all(["T1", "T2", "T4"].map((id) => modelData(id, years)));
 * const compared = compareReferences(one.select("time", "power"), { T2: two, T4: three });
 * assertStringIncludes(plotReferences(compared).altText, "the best first");
 * ```
 */
export function plotReferences(
  given: Drawn<"references">,
  options: PlotOptions = {},
): Chart {
  const chosen = readOptions("plotReferences()", options, plotOptions);
  const references = frameOf(given, "references");
  requireColumns(references, [...TEXTS, ...NUMBERS], PLOT, "compareReferences()");
  const rows = readReferenceRows(references);
  if (rows.length > MAX_ROWS) {
    refusePlot(
      PLOT,
      `the frame has ${rows.length} candidates, but at most ${MAX_ROWS} fit ` +
        `one picture. Plot the best candidates: frames.references.head(${MAX_ROWS})`,
    );
  }
  const months = Math.max(0, ...rows.flatMap((row) => row.months ?? []));
  const trends = rows.some(({ trend }) => trend !== null);
  return drawChart(
    PLOT,
    [references],
    chosen,
    Math.max(60, rows.length * ROW),
    ({ width, height, view }) => {
      const left = { width: trends ? Math.round(LEFT * (width - GAP)) : width, height };
      const right = { width: width - GAP - left.width, height };
      const trend = buildTrends(rows, right);
      return {
        title: `References for ${
          months > 0 ? `${formatNumber(months)} months of production` : "the production"
        }`,
        subtitle: [formatSubtitle(rows)],
        views: [{
          data: { values: rows },
          spacing: GAP,
          hconcat: listGiven(
            view(buildCorrelations(rows, left), left),
            trends && { ...right, data: { values: trend.values }, layer: trend.layers },
          ),
        }],
        notes: listGiven(
          trends && trend.cut &&
            `The axis of the trend ends at ${MAX_TREND} % per decade; wider intervals are cut off`,
          rows.some(isSignificant) && "Red: a trend whose 90 % interval excludes 0",
        ),
        alt: ["Dots of correlations and trends, the best first", formatFacts(rows)],
      };
    },
  );
}
