import { computeMeanDirection } from "../grammar/read.ts";

/** A drawn piece of a series: one value, or all values within a pixel. */
export interface Piece {
  /** Start, ms since 1970 UTC. */
  readonly from: number;
  /** End, exclusive, ms since 1970 UTC. */
  readonly to: number;
  /** Mean, for directions of their vectors; `null` without a value. */
  readonly mean: number | null;
  /** Lowest value; `null` without a value, and for directions. */
  readonly low: number | null;
  /** Highest value; `null` without a value, and for directions. */
  readonly high: number | null;
  /** Whether both neighbours have no value, so a line would not show this one. */
  readonly alone: boolean;
}

/** A series in order of time. */
export interface TimeSeries {
  /** Timestamps, ms since 1970 UTC, ascending. */
  readonly epochs: Float64Array;
  /** Values; NaN is a missing value. */
  readonly values: Float64Array;
  /** Usual distance of two timestamps, ms. */
  readonly step: number;
  /** Whether the values are directions, deg. @default {false} */
  readonly direction?: boolean;
}

function markLonePieces(pieces: readonly Omit<Piece, "alone">[]): Piece[] {
  return pieces.map((piece, i) => ({
    ...piece,
    alone: piece.mean !== null && (pieces[i - 1]?.mean ?? null) === null &&
      (pieces[i + 1]?.mean ?? null) === null,
  }));
}

/** Every value, with an empty piece in each gap. */
function listPieces({ epochs, values, step }: TimeSeries): Omit<Piece, "alone">[] {
  return [...epochs].flatMap((from, i) => {
    const value = Number.isNaN(values[i]) ? null : values[i];
    const piece = { from, to: from + step, mean: value, low: value, high: value };
    const gap = i + 1 < epochs.length && epochs[i + 1] - from > 1.5 * step;
    const empty = { from: from + step, to: epochs[i + 1], mean: null, low: null, high: null };
    return gap ? [piece, empty] : [piece];
  });
}

/** Whether a series has more values than pixels. */
export function isPooled(
  { epochs, step }: TimeSeries,
  from: number,
  to: number,
  pixels: number,
): boolean {
  return (to - from) / step > pixels || epochs.length > pixels;
}

/**
 * Reduces a series to the resolution of the picture: all values if they fit, else mean, lowest and highest value of each
 * pixel. So no extreme is lost, and the same series gives the same picture.
 */
export function thinSeries(series: TimeSeries, from: number, to: number, pixels: number): Piece[] {
  const { epochs, values, direction = false } = series;
  if (!isPooled(series, from, to, pixels)) return markLonePieces(listPieces(series));
  const length = (to - from) / pixels;
  const sums = new Float64Array(pixels); // for directions, of the sines
  const cosines = new Float64Array(pixels);
  const counts = new Int32Array(pixels);
  const lows = new Float64Array(pixels).fill(Infinity);
  const highs = new Float64Array(pixels).fill(-Infinity);
  for (let i = 0; i < epochs.length; i++) {
    const value = values[i];
    if (Number.isNaN(value)) continue;
    const pixel = Math.min(pixels - 1, Math.floor((epochs[i] - from) / length));
    counts[pixel]++;
    if (direction) {
      sums[pixel] += Math.sin(value * Math.PI / 180);
      cosines[pixel] += Math.cos(value * Math.PI / 180);
      continue;
    }
    sums[pixel] += value;
    if (value < lows[pixel]) lows[pixel] = value;
    if (value > highs[pixel]) highs[pixel] = value;
  }
  const computeMean = (i: number) =>
    direction ? computeMeanDirection(sums[i], cosines[i], counts[i]) : sums[i] / counts[i];
  return markLonePieces(Array.from(counts, (count, i) => ({
    from: Math.round(from + i * length),
    to: Math.round(from + (i + 1) * length),
    mean: count === 0 ? null : computeMean(i),
    low: count === 0 || direction ? null : lows[i],
    high: count === 0 || direction ? null : highs[i],
  })));
}
