import { assertRegular } from "./regular_stamps.ts";
import { HOUR, type HourAxis } from "./hour_axis.ts";

/** Stamps as positions on a regular hourly axis. */
export interface HourlyGrid {
  /** The hours from the first stamp to the last. */
  readonly axis: HourAxis;
  /** Position on the axis of each stamp. */
  readonly positions: Int32Array;
}

/** Where stamps come from, for messages. */
interface StampSource {
  /** Name of the file. */
  readonly file: string;
  /** Line of the first stamp, counted from 1; without it the row is named. */
  readonly firstLine?: number;
  /** How much later the hours of the local clock begin than those of UTC, ms: half an hour in a half-hour zone. @default {0} */
  readonly clockShift?: number;
}

/**
 * Places stamps on a regular hourly axis; hours without a stamp stay empty.
 *
 * @param stamps Milliseconds since 1970 UTC
 * @throws {DataFormatError} If stamps are not in order, duplicated or not whole hours; the message names the line
 */
export function buildHourlyGrid(stamps: Float64Array, source: StampSource): HourlyGrid {
  const { file, firstLine, clockShift } = source;
  const line = (row: number) => (firstLine ?? 1) + row;
  const place = (row: number) => `${firstLine === undefined ? "row" : "line"} ${line(row)}`;
  assertRegular(stamps, { file, place, line, step: HOUR, clockShift });
  const start = stamps[0];
  const positions = new Int32Array(stamps.length);
  for (let i = 0; i < stamps.length; i++) positions[i] = (stamps[i] - start) / HOUR;
  return { axis: { start, length: positions[stamps.length - 1] + 1 }, positions };
}

/** Places values on the axis: NaN for hours without a row. */
export function placeOnGrid(grid: HourlyGrid, values: ArrayLike<number>): Float64Array {
  const result = new Float64Array(grid.axis.length).fill(NaN);
  for (let i = 0; i < grid.positions.length; i++) result[grid.positions[i]] = values[i];
  return result;
}
