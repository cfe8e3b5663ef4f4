import { HOUR } from "../../time/hourly.ts";
import { clockAt } from "../../time/zones.ts";
import type { TimeSeries } from "./thin_series.ts";

/** Completeness of a month or a day. */
export interface CompletenessSpan {
  /** Start, ms since 1970 UTC. */
  readonly from: number;
  /** End, exclusive, ms since 1970 UTC. */
  readonly to: number;
  /** Share of the time that has a value, 0 to 1. */
  readonly share: number;
}

/** Longest span whose completeness is given by day, ms: by month it would have two or three figures. */
const MAX_SPAN_BY_DAY = 62 * 24 * HOUR;

/** Part of the calendar for which the completeness of a span is given. */
export function chooseCalendarUnit(from: number, to: number): "month" | "day" {
  return to - from <= MAX_SPAN_BY_DAY ? "day" : "month";
}

/** Completeness of each month, or of each day of a short series, on the calendar of a zone. */
export function computeCompleteness(
  series: TimeSeries,
  to: number,
  zone: string,
): CompletenessSpan[] {
  const { epochs, values, step } = series;
  const by = chooseCalendarUnit(epochs[0], to);
  const first = clockAt(epochs[0], zone).startOfDay();
  let start = by === "day" ? first : first.with({ day: 1 }).startOfDay();
  const spans: CompletenessSpan[] = [];
  let i = 0;
  while (start.epochMilliseconds < to) {
    const next = start.add(by === "day" ? { days: 1 } : { months: 1 }).startOfDay();
    const [from, end] = [start.epochMilliseconds, next.epochMilliseconds];
    let count = 0;
    for (; i < epochs.length && epochs[i] < end; i++) if (!Number.isNaN(values[i])) count++;
    spans.push({ from, to: end, share: Math.min(1, count * step / (end - from)) });
    start = next;
  }
  return spans;
}
