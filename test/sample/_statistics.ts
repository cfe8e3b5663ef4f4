import type { ClimatePoint } from "../../src/windindex/climate/climate.ts";
import { HOUR, type HourAxis } from "../../src/time/hourly.ts";

export function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  return sum / values.length;
}

/** Computes the sample standard deviation. */
export function deviation(values: ArrayLike<number>): number {
  const centre = mean(values);
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += (values[i] - centre) ** 2;
  return Math.sqrt(squares / (values.length - 1));
}

/** Correlation of two series. */
export function correlation(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const centreA = mean(a);
  const centreB = mean(b);
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] - centreA) * (b[i] - centreB);
  return sum / ((a.length - 1) * deviation(a) * deviation(b));
}

/** Computes the shape of the Weibull distribution with the values' mean and standard deviation. */
export function weibullShape(values: ArrayLike<number>): number {
  // Justus (1978), good to 1 % between 1 and 10.
  return (deviation(values) / mean(values)) ** -1.086;
}

/** Computes the wind speeds of a point at one level, m/s. */
export function speeds(point: ClimatePoint, level: number): Float64Array {
  const { u, v } = point.levels[level];
  return u.map((value, i) => Math.sqrt(value * value + v[i] * v[i]));
}

/** Computes the month of each hour of an axis, counted from 2005-01 UTC. */
export function monthOfHours(axis: HourAxis): Int32Array {
  const months = new Int32Array(axis.length);
  let month = Temporal.Instant.fromEpochMilliseconds(axis.start).toZonedDateTimeISO("UTC")
    .toPlainDate().toPlainYearMonth();
  let i = 0;
  while (i < axis.length) {
    const next = month.add({ months: 1 });
    const end = next.toPlainDate({ day: 1 }).toZonedDateTime("UTC").epochMilliseconds;
    const until = Math.min(axis.length, (end - axis.start) / HOUR);
    months.fill((month.year - 2005) * 12 + month.month - 1, i, until);
    i = until;
    month = next;
  }
  return months;
}

/** Sums the values of each group; groups are counted from 0. */
export function sums(values: ArrayLike<number>, groups: Int32Array): number[] {
  const result: number[] = [];
  for (let i = 0; i < values.length; i++) {
    result[groups[i]] = (result[groups[i]] ?? 0) + values[i];
  }
  return result;
}
