import { formatNumber } from "../../show/text/numbers.ts";

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

/** Lowest and highest value. */
export function findExtent(values: Float64Array): readonly [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

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
  const [[x0, x1], [y0, y1]] = [findExtent(x), findExtent(y)];
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
