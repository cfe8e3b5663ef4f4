import { formatSigned } from "../../show/text/numbers.ts";
import type { Spec } from "../parts/assemble.ts";
import { buildReferenceChannel, type ReferenceRow, referenceTooltip } from "./reference_rows.ts";
import { wrapText } from "../parts/text.ts";
import { fontSize, palette } from "../drawing/theme.ts";

/** Size of a panel, pixels. */
interface PanelSize {
  readonly width: number;
  readonly height: number;
}

/** Largest trend that the axis reaches, % per decade: wider intervals are cut off. */
export const MAX_TREND = 30;

/** Smallest trend at the end of the axis, % per decade. */
const MIN_TREND = 5;

/** Width of a panel below which its axis has few ticks and its legend one column, pixels. */
const NARROW_WIDTH = 300;

const KINDS = ["Monthly r, 90 % interval", "Hourly r"];

const chooseTicks = ({ width }: PanelSize) => width < NARROW_WIDTH ? 3 : 5;

/** Scale of the correlations: from the lowest that is shown, at most 0.9, to 1. */
function buildCorrelationScale(rows: readonly ReferenceRow[]): Spec {
  const shown = rows.flatMap(({ monthly, low, hourly }) => [monthly, low, hourly])
    .filter((value) => value !== null);
  const least = Math.max(-1, Math.floor(10 * Math.min(0.9, ...shown)) / 10);
  return { domain: [least, 1], nice: false, zero: false };
}

/** Monthly r with its interval, and hourly r. */
export function buildCorrelationPanel(
  rows: readonly ReferenceRow[],
  size: PanelSize,
  behind: readonly Spec[],
): Spec {
  const y = buildReferenceChannel(rows, true);
  const scale = buildCorrelationScale(rows);
  const title = wrapText("Correlation with the production", size.width, fontSize.axis);
  const x = (field: string) => ({
    field,
    type: "quantitative",
    scale,
    axis: { grid: true, tickCount: chooseTicks(size), title },
  });
  const point = (field: string, kind: string) => ({
    transform: [{ filter: `isValid(datum.${field})` }, { calculate: `'${kind}'`, as: "kind" }],
    mark: { type: "point", filled: true, opacity: 1, size: 60 },
    encoding: {
      x: x(field),
      y,
      color: {
        field: "kind",
        type: "nominal",
        scale: { domain: KINDS, range: [palette.black, palette.blue] },
        legend: { columns: size.width < NARROW_WIDTH ? 1 : 2, symbolOpacity: 1 },
      },
      shape: {
        field: "kind",
        type: "nominal",
        scale: { domain: KINDS, range: ["circle", "diamond"] },
      },
      tooltip: referenceTooltip,
    },
  });
  return {
    ...size,
    layer: [
      ...behind,
      {
        transform: [{ filter: "isValid(datum.low)" }],
        mark: { type: "rule", color: palette.black, strokeWidth: 1.5, tooltip: null },
        encoding: { x: x("low"), x2: { field: "high" }, y },
      },
      point("hourly", KINDS[1]),
      point("monthly", KINDS[0]),
      {
        transform: [{ filter: "!isValid(datum.monthly) && !isValid(datum.hourly)" }],
        mark: {
          type: "text",
          align: "left",
          color: palette.faint,
          dx: 6,
          fontSize: fontSize.axis,
          tooltip: null,
        },
        encoding: { x: { value: 0 }, y, text: { value: "none" } },
      },
    ],
  };
}

/** Whether a trend is significant: its 90 % interval excludes 0. */
export function isSignificant({ trendLow, trendHigh }: ReferenceRow): boolean {
  return trendLow !== null && trendHigh !== null && trendLow * trendHigh > 0;
}

/** The trends with their intervals, and whether some were cut off. */
export function buildTrendPanel(
  rows: readonly ReferenceRow[],
  size: PanelSize,
): { readonly panel: Spec; readonly cut: boolean } {
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
  const title = wrapText("Trend of the wind (% per decade)", size.width, fontSize.axis);
  const x = (field: string) => ({
    field,
    type: "quantitative",
    scale: { domain: [-reach, reach], nice: !cut, zero: false },
    axis: {
      grid: true,
      labelExpr: "datum.value === 0 ? '0' : format(datum.value, '+~f')",
      tickCount: chooseTicks(size),
      title,
    },
  });
  const color = {
    condition: { test: "datum.significant", value: palette.vermilion },
    value: palette.faint,
  };
  const panel = {
    ...size,
    data: { values },
    layer: [
      {
        data: { values: [{}] },
        mark: { type: "rule", color: palette.black, strokeWidth: 1, tooltip: null },
        encoding: { x: { datum: 0, type: "quantitative" } },
      },
      {
        transform: [{ filter: "isValid(datum.from)" }],
        mark: { type: "rule", strokeWidth: 1.5, tooltip: null },
        encoding: { x: x("from"), x2: { field: "to" }, y, color },
      },
      {
        transform: [{ filter: "isValid(datum.shown)" }],
        mark: { type: "point", filled: true, opacity: 1, size: 60 },
        encoding: { x: x("shown"), y, color, tooltip: referenceTooltip },
      },
      {
        transform: [{ filter: "isValid(datum.beyond)" }],
        // At the end of the axis that the trend is beyond, above its interval.
        mark: {
          type: "text",
          align: { expr: "datum.trend > 0 ? 'right' : 'left'" },
          color: palette.text,
          dy: -8,
          fontSize: fontSize.caption,
          x: { expr: `datum.trend > 0 ? ${size.width} : 0` },
        },
        encoding: {
          y,
          text: { field: "beyond", type: "nominal" },
          tooltip: referenceTooltip,
        },
      },
    ],
  };
  return { panel, cut };
}
