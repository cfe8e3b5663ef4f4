import { DataFormatError } from "../api/errors.ts";
import { HOUR, type HourAxis } from "./hour_axis.ts";

/** Stamps laid on a regular hourly axis. */
export interface HourlyGrid {
  /** The hours from the first stamp to the last. */
  readonly axis: HourAxis;
  /** Position on the axis of each stamp. */
  readonly positions: Int32Array;
}

/** Where stamps come from, for messages. */
export interface StampSource {
  /** Name of the file. */
  readonly file: string;
  /** Line of the first stamp, counted from 1; without it the row is named. */
  readonly firstLine?: number;
  /** How much later than those of UTC the hours of the clock begin, ms: half an hour in a half-hour zone. @default {0} */
  readonly clockShift?: number;
}

function clock(instant: number): string {
  return Temporal.Instant.fromEpochMilliseconds(instant).toString().slice(0, 16) + "Z";
}

/**
 * Lays stamps on a regular hourly axis; hours without a stamp stay empty.
 *
 * @param stamps Milliseconds since 1970 UTC
 * @param source Where they come from
 * @throws {DataFormatError} If stamps are not in order, stand there twice or are not whole hours; the message names the line
 */
export function hourlyGrid(stamps: Float64Array, source: StampSource): HourlyGrid {
  const refuse = (row: number, found: string): never => {
    const place = source.firstLine === undefined
      ? `row ${row + 1}`
      : `line ${source.firstLine + row}`;
    throw new DataFormatError(`Cannot use ${source.file}: ${place}: ${found}`);
  };
  if (stamps.length === 0) throw new DataFormatError(`Cannot use ${source.file}: it has no rows`);
  // Hours of UTC, or of the local clock: the first stamp says which.
  const shift = stamps[0] % HOUR === 0 ? 0 : source.clockShift ?? 0;
  const positions = new Int32Array(stamps.length);
  const start = stamps[0];
  for (let i = 0; i < stamps.length; i++) {
    const stamp = stamps[i];
    if (i > 0 && stamp === stamps[i - 1]) {
      refuse(i, `${clock(stamp)} stands there twice. Remove one of the rows`);
    }
    if (i > 0 && stamp < stamps[i - 1]) {
      refuse(i, `${clock(stamp)} comes after ${clock(stamps[i - 1])}. Sort the rows by time`);
    }
    if ((stamp - shift) % HOUR !== 0) {
      refuse(
        i,
        `${clock(stamp)} is not a whole hour. Hourly values are expected: average them first`,
      );
    }
    positions[i] = (stamp - start) / HOUR;
  }
  return { axis: { start, length: positions[stamps.length - 1] + 1 }, positions };
}

/** Values on their axis: NaN for hours without a row. */
export function onGrid(grid: HourlyGrid, values: ArrayLike<number>): Float64Array {
  const result = new Float64Array(grid.axis.length).fill(NaN);
  for (let i = 0; i < grid.positions.length; i++) result[grid.positions[i]] = values[i];
  return result;
}
