import type { GridPoint } from "../frames/grid_points.ts";
import { dayAt, startOfMonth } from "../time/zones.ts";

/** Full months: `first` to `last`, both included. */
export interface Months {
  /** First month. */
  readonly first: Temporal.PlainYearMonth;
  /** Last month, included. */
  readonly last: Temporal.PlainYearMonth;
}

/** Content of one request: full months of grid points. */
export interface Block {
  readonly points: readonly GridPoint[];
  readonly months: Months;
}

/** Months after which ERA5 is final: a preliminary month (ERA5T) is replaced after two or three. */
const SETTLING_MONTHS = 4;

/** Publication delay of ERA5T, days: a request that begins later is refused. */
const EMBARGO_DAYS = 5;

/** Lists the months; empty if the last one is before the first. */
export function listMonths({ first, last }: Months): Temporal.PlainYearMonth[] {
  const count = first.until(last, { largestUnit: "months" }).months + 1;
  return Array.from({ length: Math.max(0, count) }, (_, i) => first.add({ months: i }));
}

/** Computes the first instant of months and the first instant after them, ms since 1970 UTC. */
export function computeSpan({ first, last }: Months): [from: number, end: number] {
  return [startOfMonth(first, "UTC"), startOfMonth(last.add({ months: 1 }), "UTC")];
}

function toDay(at: string): Temporal.PlainDate {
  return dayAt(Date.parse(at), "UTC");
}

/**
 * Finds the last day of months that had begun at the time of the request: later days cannot be requested.
 *
 * @param askedAt Time of the request, ISO 8601 UTC
 */
export function findLastDay({ last }: Months, askedAt: string): Temporal.PlainDate {
  const end = last.add({ months: 1 }).toPlainDate({ day: 1 }).subtract({ days: 1 });
  const today = toDay(askedAt);
  return Temporal.PlainDate.compare(end, today) < 0 ? end : today;
}

/**
 * Finds the last month with hours that may be published.
 *
 * @param now ISO 8601 UTC
 */
export function findLastPublished(now: string): Temporal.PlainYearMonth {
  return toDay(now).subtract({ days: EMBARGO_DAYS }).toPlainYearMonth();
}

/**
 * Finds the first instant whose values may still be preliminary, ms since 1970 UTC: the start of the month four months
 * before the request.
 *
 * @param askedAt Time of the request, ISO 8601 UTC
 */
export function findSettledEnd(askedAt: string): number {
  const month = toDay(askedAt).toPlainYearMonth().subtract({ months: SETTLING_MONTHS });
  return startOfMonth(month, "UTC");
}
