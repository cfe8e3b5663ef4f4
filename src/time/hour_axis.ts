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

/**
 * Places hourly values on another axis: NaN where they have no hour, and everywhere if their hours begin at another
 * minute.
 *
 * @param axis Axis of the result
 * @param own Axis of the values
 * @param values Values at the stamps of their axis
 */
export function alignToAxis(axis: HourAxis, own: HourAxis, values: Float64Array): Float64Array {
  const aligned = new Float64Array(axis.length).fill(NaN);
  const later = (own.start - axis.start) / HOUR;
  if (!Number.isInteger(later)) return aligned;
  const [from, to] = [Math.max(0, later), Math.min(axis.length, later + own.length)];
  if (from < to) aligned.set(values.subarray(from - later, to - later), from);
  return aligned;
}
