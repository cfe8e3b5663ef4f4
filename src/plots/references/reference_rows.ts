import type { DataFrame } from "nodejs-polars";
import { pickColumns } from "../../api/columns/column.ts";
import { coverageList } from "../../api/columns/columns.ts";
import { formatNumber, formatSigned } from "../../show/text/numbers.ts";
import type { Spec } from "../parts/assemble.ts";
import { readNumberColumn, readTextColumn } from "../parts/read_columns.ts";
import { shortenName } from "../parts/text.ts";
import { fontSize } from "../drawing/theme.ts";

/** Space for the names beside the panels, pixels. */
const NAMES = 230;

const [distanceColumn] = pickColumns(coverageList, ["distance_to_request_location"]);

const TEXTS = ["name", "notes"] as const;

const NUMBERS = [
  "monthly_r",
  "monthly_r_low",
  "monthly_r_high",
  "hourly_r",
  "lag",
  "trend",
  "trend_low",
  "trend_high",
  "years",
  distanceColumn.name,
];

/** Columns that a frame of references needs, as `compareReferences()` names them. */
export const referenceNames: readonly string[] = [...TEXTS, ...NUMBERS];

/** A candidate of the chart. */
export interface ReferenceRow extends Spec {
  /** Place in the ranking, from 1; names need not be unique. */
  place: number;
  name: string;
  /** Distance, km. */
  away: number | null;
  /** Hours by which the production comes later. */
  lag: number | null;
  /** Distance and lag, as far as they are known. */
  details: string;
  monthly: number | null;
  low: number | null;
  high: number | null;
  hourly: number | null;
  trend: number | null;
  trendLow: number | null;
  trendHigh: number | null;
  years: number | null;
  /** Months in common with the production. */
  months: number | null;
  notes: string;
}

/** The candidates of a frame, in its order. */
export function readReferenceRows(frame: DataFrame, what: string): ReferenceRow[] {
  const [names, notes] = TEXTS.map((name) => readTextColumn(frame, name));
  const months = readNumberColumn(frame, "months", what);
  const columns = new Map(NUMBERS.map((name) => [name, readNumberColumn(frame, name, what)]));
  return names.map((name, i): ReferenceRow => {
    const value = (column: string) => columns.get(column)![i];
    const [away, lag] = [value(distanceColumn.name), value("lag")];
    const details = [
      ...(away === null
        ? []
        : [`${formatNumber(away, away < 100 ? 1 : 0)} ${distanceColumn.unit}`]),
      ...(lag === null || lag === 0 ? [] : [`lag ${formatSigned(lag)} h`]),
    ].join(", ");
    return {
      place: i + 1,
      name: name ?? "",
      away,
      lag,
      details,
      monthly: value("monthly_r"),
      low: value("monthly_r_low"),
      high: value("monthly_r_high"),
      hourly: value("hourly_r"),
      trend: value("trend"),
      trendLow: value("trend_low"),
      trendHigh: value("trend_high"),
      years: value("years"),
      months: months[i],
      notes: notes[i] ?? "",
    };
  });
}

/** Vertical channel: a row per candidate, with or without its name and details as label. */
export function buildReferenceChannel(rows: readonly ReferenceRow[], named: boolean): Spec {
  const labels = rows.map(({ name, details }) => {
    const short = shortenName(name, NAMES, fontSize.axis);
    return details === "" ? short : [short, details];
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
export const referenceTooltip: readonly Spec[] = [
  { field: "name", title: "Reference", type: "nominal" },
  { field: "monthly", title: "Monthly r", format: ".3f", type: "quantitative" },
  { field: "low", title: "Monthly r, low", format: ".3f", type: "quantitative" },
  { field: "high", title: "Monthly r, high", format: ".3f", type: "quantitative" },
  { field: "hourly", title: "Hourly r", format: ".3f", type: "quantitative" },
  { field: "trend", title: "Trend (% per decade)", format: "+.1f", type: "quantitative" },
  { field: "years", title: "Whole years", type: "quantitative" },
  { field: "notes", title: "Notes", type: "nominal" },
];
