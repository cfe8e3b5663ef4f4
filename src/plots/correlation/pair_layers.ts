import type { Column } from "../../api/columns/column.ts";
import type { Spec } from "../parts/assemble.ts";
import { pickClassColors } from "../parts/classes.ts";
import { computeDensity, findExtent } from "./density.ts";
import { buildFigureField, chooseFormat } from "../parts/lines.ts";
import { buildRangeScale, buildVerticalAxis } from "../parts/marks.ts";
import type { Pairs } from "./pairs.ts";
import type { Regression } from "../../stats/regression.ts";
import { fontSize, palette } from "../drawing/theme.ts";

/** Pairs drawn as points; more are counted in cells. */
const MAX_POINTS = 1500;

/** Size of a cell, pixels. */
const CELL = 8;

/** Column and texts of an axis. */
export interface Axis {
  readonly column: Column;
  /** Label, with the turbine or dataset if both axes have a different one. */
  readonly label: string;
  /** The label with its unit. */
  readonly title: string;
}

/** Channels of both axes. */
export function buildEncoding(pairs: Pairs, [x, y]: readonly [Axis, Axis], height: number): Spec {
  return {
    x: {
      field: "x",
      type: "quantitative",
      scale: buildRangeScale(findExtent(pairs.x)),
      axis: { title: x.title, grid: true, tickCount: 6 },
    },
    y: {
      field: "y",
      type: "quantitative",
      scale: buildRangeScale(findExtent(pairs.y)),
      axis: buildVerticalAxis(y.title, height),
    },
  };
}

/** Each pair as a point. */
function buildPointLayer(pairs: Pairs, axes: readonly [Axis, Axis], encoding: Spec): Spec {
  const [x, y] = axes;
  return {
    data: {
      values: Array.from(pairs.x, (value, i) => ({
        x: value,
        y: pairs.y[i],
        label: pairs.labelAt(i),
      })),
    },
    mark: {
      type: "circle",
      color: palette.blue,
      opacity: 0.65,
      size: pairs.x.length > 300 ? 14 : 30,
    },
    encoding: {
      ...encoding,
      tooltip: [
        { field: "label", title: "When", type: "nominal" },
        buildFigureField("x", x.title, chooseFormat(x.column.unit, pairs.x)),
        buildFigureField("y", y.title, chooseFormat(y.column.unit, pairs.y)),
      ],
    },
  };
}

/** Pairs counted in cells. */
function buildDensityLayer(
  pairs: Pairs,
  axes: readonly [Axis, Axis],
  encoding: Spec,
  width: number,
  height: number,
): Spec {
  const [x, y] = axes.map(({ column: { unit } }, i) =>
    chooseFormat(unit, i === 0 ? pairs.x : pairs.y)
  );
  const { cells, classes } = computeDensity(
    pairs.x,
    pairs.y,
    Math.max(8, Math.round(width / CELL)),
    Math.max(8, Math.round(height / CELL)),
  );
  const roundToSixDigits = (value: number) => Number(value.toPrecision(6));
  return {
    data: {
      values: cells.map(({ x, x2, y, y2, count, pairs }) => ({
        x: roundToSixDigits(x),
        x2: roundToSixDigits(x2),
        y: roundToSixDigits(y),
        y2: roundToSixDigits(y2),
        count,
        pairs,
      })),
    },
    mark: { type: "rect" },
    encoding: {
      ...encoding,
      x2: { field: "x2" },
      y2: { field: "y2" },
      color: {
        field: "pairs",
        type: "nominal",
        scale: { domain: classes, range: pickClassColors(classes.length) },
        legend: {
          columns: Math.max(1, Math.floor(width / 115)),
          symbolType: "square",
          title: "Pairs in a cell",
          titleFontSize: fontSize.axis,
          titleFontWeight: "normal",
        },
      },
      tooltip: [
        buildFigureField("count", "Pairs", ","),
        buildFigureField("x", "x from", x),
        buildFigureField("x2", "x to", x),
        buildFigureField("y", "y from", y),
        buildFigureField("y2", "y to", y),
      ],
    },
  };
}

/** Pairs as points, or counted in cells if there are too many. */
export function buildPairLayer(
  pairs: Pairs,
  axes: readonly [Axis, Axis],
  encoding: Spec,
  width: number,
  height: number,
): Spec {
  return pairs.x.length > MAX_POINTS
    ? buildDensityLayer(pairs, axes, encoding, width, height)
    : buildPointLayer(pairs, axes, encoding);
}

/** The ends of a line within the range of the values; fewer than two if it is outside. */
function clipLine(pairs: Pairs, slope: number, intercept: number): Spec[] {
  const [[x0, x1], [y0, y1]] = [findExtent(pairs.x), findExtent(pairs.y)];
  const crossings = slope === 0 ? [] : [(y0 - intercept) / slope, (y1 - intercept) / slope];
  return [x0, x1, ...crossings]
    .map((x) => ({ x, y: intercept + slope * x }))
    .filter(({ x, y }) => {
      const room = 1e-9 * Math.max(1, Math.abs(x1 - x0), Math.abs(y1 - y0));
      return x >= x0 - room && x <= x1 + room && y >= y0 - room && y <= y1 + room;
    })
    .sort((a, b) => a.x - b.x)
    .filter((_, i, all) => i === 0 || i === all.length - 1);
}

/** Whether both axes have the same unit, so that equal values can be compared. */
export function haveSameUnit([x, y]: readonly [Axis, Axis]): boolean {
  return x.column.unit !== undefined && x.column.unit === y.column.unit;
}

/** The line of regression, and y = x if both axes have the same unit. */
export function buildLineLayers(
  pairs: Pairs,
  line: Regression | undefined,
  axes: readonly [Axis, Axis],
  encoding: Spec,
): Spec[] {
  const lines = [
    ...(line ? [[palette.vermilion, [1, 0], line.slope, line.intercept] as const] : []),
    ...(haveSameUnit(axes) ? [[palette.black, [4, 3], 1, 0] as const] : []),
  ].map(([color, dash, slope, intercept]) => ({
    color,
    dash,
    points: clipLine(pairs, slope, intercept),
  })).filter(({ points }) => points.length > 1);
  // A white edge separates a line from dark cells; it would hide points.
  const edges = pairs.x.length > MAX_POINTS ? [{ color: "white", strokeWidth: 4.5 }] : [];
  return lines.flatMap(({ color, dash, points }) =>
    [...edges, { color, strokeDash: dash, strokeWidth: 2 }]
      .map((mark) => ({
        data: { values: points },
        mark: { type: "line", tooltip: null, ...mark },
        encoding,
      }))
  );
}
