import { type Column, labelWithUnit } from "../../api/columns/column.ts";
import { time as timeColumn } from "../../api/columns/columns.ts";
import { formatClock } from "../../time/zones.ts";
import { palette } from "../drawing/theme.ts";
import { buildTimeChannel } from "../grammar/axes.ts";
import {
  buildFigureField,
  buildRangeScale,
  buildVerticalAxis,
  type Channel,
  chooseFormat,
  mark,
  quantity,
  roundToSixDigits,
  type Spec,
} from "../grammar/marks.ts";
import { isDirection } from "../grammar/read.ts";
import type { CompletenessSpan } from "./completeness.ts";
import type { Piece, TimeSeries } from "./thin_series.ts";

/** A column as it is drawn. */
export interface Curve {
  readonly column: Column;
  readonly series: TimeSeries;
  readonly pieces: readonly Piece[];
  /** Whether each piece has the values of a pixel, not a single value. */
  readonly pooled: boolean;
  readonly completeness: readonly CompletenessSpan[];
}

/** Time span and size of the picture. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly zone: string;
  readonly width: number;
  readonly height: number;
}

function buildTooltip(
  column: Column,
  banded: boolean,
  extent: readonly [number, number],
): Spec[] {
  const format = chooseFormat(column.unit, extent);
  const figure = (field: string, title: string) => buildFigureField(field, title, format);
  const label = labelWithUnit(column);
  const stamp = { field: "label", title: timeColumn.label, type: "nominal" };
  if (isDirection(column)) return [stamp, buildFigureField("mean", label, ".0f")];
  return banded
    ? [stamp, figure("mean", `Mean, ${label}`), figure("low", "Lowest"), figure("high", "Highest")]
    : [stamp, figure("mean", label)];
}

/** Whether the values of some pixel differ, so that a band is visible. */
export function isBanded({ pieces }: Curve): boolean {
  return pieces.some(({ low, high }) => low !== high);
}

function buildRows(pieces: readonly Piece[], thinned: boolean, zone: string): Spec[] {
  return pieces.map(({ from, to, mean, low, high, alone }) => {
    const label = formatClock(from, zone);
    if (!thinned) {
      return { at: from, mean: roundToSixDigits(mean), label, ...(alone ? { alone } : {}) };
    }
    return {
      from,
      to,
      at: (from + to) / 2, // a mean is drawn in the middle of its pixel, a value at its stamp
      mean: roundToSixDigits(mean),
      low: roundToSixDigits(low),
      high: roundToSixDigits(high),
      label: `${label} to ${formatClock(to, zone)}`,
      ...(alone ? { alone } : {}),
    };
  });
}

/** Marks of a column: a line with gaps and a band if a pixel has several values; directions are points. */
function buildMarks(curve: Curve, x: Spec, height: number): Spec[] {
  const { column, pieces, series } = curve;
  const banded = isBanded(curve);
  const known = pieces.flatMap(({ low, high, mean }) => [low, high, mean])
    .filter((value) => value !== null);
  const extent = [Math.min(...known), Math.max(...known)] as const;
  const axis = buildVerticalAxis(labelWithUnit(column), height);
  const y: Channel = (field) => quantity(field, buildRangeScale(extent), axis);
  const tooltip = buildTooltip(column, banded, extent);
  if (series.direction) {
    const compass = { domain: [Math.min(0, extent[0]), Math.max(360, extent[1])], nice: false };
    return [mark("circle", {
      where: "isValid(datum.mean)",
      x,
      y: quantity("mean", compass, { ...axis, values: [0, 90, 180, 270, 360] }),
      color: palette.blue,
      size: 8,
      opacity: 0.8,
      tooltip,
    })];
  }
  const line = { x, y: y("mean"), color: palette.blue, tooltip };
  return [
    ...(banded
      ? [mark("rect", {
        where: "isValid(datum.mean)",
        x: { ...x, field: "from" },
        x2: { field: "to" },
        y: y("low"),
        y2: { field: "high" },
        color: palette.paleBlue,
        stroke: palette.paleBlue,
        strokeWidth: 0.5,
        tooltip,
      })]
      : []),
    mark("line", { ...line, strokeWidth: banded ? 1 : 1.5 }),
    ...(pieces.some((piece) => piece.alone)
      ? [mark("circle", { where: "datum.alone", ...line, size: 12, opacity: 1 })]
      : []),
  ];
}

/** The layers of a column over time, and their rows. */
export function buildCurve(curve: Curve, { from, to, zone, width, height }: Span) {
  const { pieces, pooled, series } = curve;
  const thinned = pooled && (series.direction === true || isBanded(curve));
  return {
    layers: buildMarks(curve, buildTimeChannel("at", from, to, zone, width, false), height),
    rows: buildRows(pieces, thinned, zone),
  };
}
