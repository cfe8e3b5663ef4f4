/** A point of a plane. */
export type Point = readonly [number, number];

/** A rectangle of a plane. */
export interface Box {
  readonly left: number;
  readonly right: number;
  readonly low: number;
  readonly high: number;
}

/** The sides of a box, each with its axis, its position on it and the direction of the inside. */
function sidesOf({ left, right, low, high }: Box): readonly (readonly [0 | 1, number, 1 | -1])[] {
  return [[0, left, 1], [0, right, -1], [1, low, 1], [1, high, -1]];
}

function computeCrossing(a: Point, b: Point, axis: 0 | 1, at: number): Point {
  const share = (at - a[axis]) / (b[axis] - a[axis]);
  const other = axis === 0 ? 1 : 0;
  const value = a[other] + share * (b[other] - a[other]);
  return axis === 0 ? [at, value] : [value, at];
}

/** The part of a polygon within a box, after Sutherland and Hodgman: a ring without its closing point; empty if nothing is inside. */
export function clipRing(ring: readonly Point[], box: Box): readonly Point[] {
  let points = ring;
  for (const [axis, at, way] of sidesOf(box)) {
    const inside = (point: Point) => (point[axis] - at) * way >= 0;
    const inner: Point[] = [];
    points.forEach((point, i) => {
      const before = points[(i + points.length - 1) % points.length];
      if (inside(point) !== inside(before)) inner.push(computeCrossing(before, point, axis, at));
      if (inside(point)) inner.push(point);
    });
    points = inner;
  }
  return points;
}

/** The pieces of a line within a box. */
export function clipLine(line: readonly Point[], box: Box): Point[][] {
  const pieces: Point[][] = [];
  for (let i = 1; i < line.length; i++) {
    const segment = clipSegment(line[i - 1], line[i], box);
    if (!segment) continue;
    const last = pieces[pieces.length - 1]?.at(-1);
    if (last && last[0] === segment[0][0] && last[1] === segment[0][1]) {
      pieces[pieces.length - 1].push(segment[1]);
    } else pieces.push([...segment]);
  }
  return pieces;
}

/** The part of a segment within a box, after Liang and Barsky. */
function clipSegment(a: Point, b: Point, box: Box): readonly [Point, Point] | undefined {
  let [start, end] = [0, 1];
  for (const [axis, at, way] of sidesOf(box)) {
    const [from, step] = [(a[axis] - at) * way, (b[axis] - a[axis]) * way];
    if (step === 0) {
      if (from < 0) return undefined;
    } else if (step > 0) start = Math.max(start, -from / step);
    else end = Math.min(end, -from / step);
  }
  if (start > end) return undefined;
  const at = (share: number): Point =>
    share === 0
      ? a
      : share === 1
      ? b
      : [a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])];
  return [at(start), at(end)];
}
