/** Milliseconds of an hour. */
export const HOUR = 3_600_000;

/** A regular hourly axis. */
export interface HourAxis {
  /** First stamp, milliseconds since 1970 UTC, on a whole hour. */
  readonly start: number;
  /** Number of stamps. */
  readonly length: number;
}

/** Position of the first stamp at or after an instant; it may be outside of the axis. */
export function positionAtOrAfter(axis: HourAxis, instant: number): number {
  return Math.ceil((instant - axis.start) / HOUR);
}

/** End of the last hour of the axis, exclusive, milliseconds since 1970 UTC. */
export function endOfAxis(axis: HourAxis): number {
  return axis.start + axis.length * HOUR;
}
