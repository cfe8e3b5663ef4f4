import type { Column } from "../../api/columns/column.ts";
import { formatNumber } from "../../show/text/numbers.ts";
import type { Regression } from "../../stats/regression.ts";
import { palette } from "../drawing/theme.ts";
import { pickClassColors } from "../grammar/axes.ts";
import {
  buildFigureField,
  buildKindColor,
  buildRangeScale,
  buildVerticalAxis,
  chooseFormat,
  mark,
  quantity,
  roundToSixDigits,
  type Spec,
  SQUARES,
} from "../grammar/marks.ts";
import { findEnds } from "../grammar/read.ts";
import type { Pairs } from "./pairs.ts";
import { listGiven } from "../../show/text/lists.ts";

/** Pairs in a cell of a grid. */
interface Cell {
  /** Bounds in x. */
  readonly x: number;
  readonly x2: number;
  /** Bounds in y. */
  readonly y: number;
  readonly y2: number;
  /** Number of pairs. */
  readonly count: number;
  /** Class of the number, as the legend names it. */
  readonly pairs: string;
}

/** Classes of numbers of pairs. */
const MAX_CLASSES = 5;

/** Lower bounds of the classes: 1, 10, 100 and so on, or closer together if that suffices. */
function computeBounds(most: number): number[] {
  const factor = [2, 3, 5, 10].find((factor) => factor ** MAX_CLASSES >= most) ??
    Math.ceil(most ** (1 / MAX_CLASSES));
  const all = Array.from({ length: MAX_CLASSES }, (_, i) => factor ** i);
  return all.filter((bound) => bound <= most);
}

/** Counts pairs in the cells of a grid; empty cells are left out. */
export function computeDensity(
  x: Float64Array,
  y: Float64Array,
  columns: number,
  rows: number,
): { readonly cells: Cell[]; readonly classes: string[] } {
  const [[x0, x1], [y0, y1]] = [findEnds(x), findEnds(y)];
  const [dx, dy] = [(x1 - x0) / columns || 1, (y1 - y0) / rows || 1];
  const counts = new Int32Array(columns * rows);
  for (let i = 0; i < x.length; i++) {
    const column = Math.min(columns - 1, Math.floor((x[i] - x0) / dx));
    const row = Math.min(rows - 1, Math.floor((y[i] - y0) / dy));
    counts[row * columns + column]++;
  }
  const limits = computeBounds(counts.reduce((a, b) => Math.max(a, b)));
  const classes = limits.map((bound, i) =>
    i === limits.length - 1
      ? `${formatNumber(bound)} and more`
      : limits[i + 1] - 1 === bound
      ? formatNumber(bound)
      : `${formatNumber(bound)} to ${formatNumber(limits[i + 1] - 1)}`
  );
  const cells = [...counts].flatMap((count, i): Cell[] => {
    if (count === 0) return [];
    const [column, row] = [i % columns, Math.floor(i / columns)];
    return [{
      x: x0 + column * dx,
      x2: x0 + (column + 1) * dx,
      y: y0 + row * dy,
      y2: y0 + (row + 1) * dy,
      count,
      pairs: classes[limits.findLastIndex((bound) => count >= bound)],
    }];
  });
  return { cells, classes };
}

/** Largest number of pairs drawn as points; more are counted in cells. */
const MAX_POINTS = 1500;

/** Size of a cell, pixels. */
const CELL = 8;

/** Column and texts of an axis. */
export interface Axis {
  readonly column: Column;
  /** Label, with the turbine or dataset if it differs between the axes. */
  readonly label: string;
  /** The label with its unit. */
  readonly title: string;
}

/** Channels of both axes. */
export interface Channels extends Spec {
  readonly x: Spec;
  readonly y: Spec;
}

/** Channels of both axes, each over its values. */
export function buildChannels(
  pairs: Pairs,
  [x, y]: readonly [Axis, Axis],
  height: number,
): Channels {
  const across = { title: x.title, grid: true, tickCount: 6 };
  return {
    x: quantity("x", buildRangeScale(findEnds(pairs.x)), across),
    y: quantity("y", buildRangeScale(findEnds(pairs.y)), buildVerticalAxis(y.title, height)),
  };
}

/** Each pair as a point. */
function buildPoints(pairs: Pairs, [x, y]: readonly [Axis, Axis], channels: Channels): Spec {
  return mark("circle", {
    data: Array.from(pairs.x, (x, i) => ({ x, y: pairs.y[i], label: pairs.labelAt(i) })),
    ...channels,
    color: palette.blue,
    opacity: 0.65,
    size: pairs.x.length > 300 ? 14 : 30,
    tooltip: [
      { field: "label", title: "When", type: "nominal" },
      buildFigureField("x", x.title, chooseFormat(x.column.unit, pairs.x)),
      buildFigureField("y", y.title, chooseFormat(y.column.unit, pairs.y)),
    ],
  });
}

/** Pairs counted in cells. */
function buildCells(
  pairs: Pairs,
  axes: readonly [Axis, Axis],
  channels: Channels,
  width: number,
  height: number,
): Spec {
  const [x, y] = axes.map(({ column: { unit } }, i) =>
    chooseFormat(unit, i === 0 ? pairs.x : pairs.y)
  );
  const [columns, rows] = [width, height].map((side) => Math.max(8, Math.round(side / CELL)));
  const { cells, classes } = computeDensity(pairs.x, pairs.y, columns, rows);
  const colors = pickClassColors(classes.length);
  return mark("rect", {
    data: cells.map(({ x, x2, y, y2, count, pairs }) => {
      const [left, right, low, high] = [x, x2, y, y2].map(roundToSixDigits);
      return { x: left, x2: right, y: low, y2: high, count, pairs };
    }),
    ...channels,
    x2: { field: "x2" },
    y2: { field: "y2" },
    color: buildKindColor("pairs", classes.map((name, i) => [name, colors[i]]), {
      ...SQUARES,
      columns: Math.max(1, Math.floor(width / 115)),
      title: "Pairs in a cell",
    }),
    tooltip: [
      buildFigureField("count", "Pairs", ","),
      buildFigureField("x", "x from", x),
      buildFigureField("x2", "x to", x),
      buildFigureField("y", "y from", y),
      buildFigureField("y2", "y to", y),
    ],
  });
}

/** Pairs as points, or counted in cells if there are too many. */
export function buildPairs(
  pairs: Pairs,
  axes: readonly [Axis, Axis],
  channels: Channels,
  width: number,
  height: number,
): Spec {
  return pairs.x.length > MAX_POINTS
    ? buildCells(pairs, axes, channels, width, height)
    : buildPoints(pairs, axes, channels);
}

/** The ends of a line within the range of the values; fewer than two if it is outside. */
function clipLine(pairs: Pairs, slope: number, intercept: number): Spec[] {
  const [[x0, x1], [y0, y1]] = [findEnds(pairs.x), findEnds(pairs.y)];
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

/** Whether both axes have the same unit, so equal values can be compared. */
export function haveSameUnit([x, y]: readonly [Axis, Axis]): boolean {
  return x.column.unit !== undefined && x.column.unit === y.column.unit;
}

/** The line of regression, and y = x if both axes have the same unit. */
export function buildRegression(
  pairs: Pairs,
  line: Regression | undefined,
  axes: readonly [Axis, Axis],
  channels: Channels,
): Spec[] {
  const lines = listGiven(
    line && [palette.vermilion, [1, 0], line.slope, line.intercept] as const,
    haveSameUnit(axes) && [palette.black, [4, 3], 1, 0] as const,
  ).map(([color, dash, slope, intercept]) => ({
    color,
    dash,
    points: clipLine(pairs, slope, intercept),
  })).filter(({ points }) => points.length > 1);
  // A white edge separates a line from dark cells; it would hide points.
  const edges = pairs.x.length > MAX_POINTS ? [{ color: "white", strokeWidth: 4.5 }] : [];
  return lines.flatMap(({ color, dash, points }) =>
    [...edges, { color, strokeDash: dash, strokeWidth: 2 }]
      .map((look) => mark("line", { data: points, ...channels, ...look }))
  );
}
