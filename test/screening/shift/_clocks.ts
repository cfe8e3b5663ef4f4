import { SeededRandom } from "../../../src/stats/seeded_random.ts";
import { drifting } from "../_series.ts";

const HOUR = 3_600_000;

/** First hour of the series. */
export const START = Date.parse("2021-01-01T00:00Z");

/** A model, and production that follows it with scatter, both on real hours. */
export function buildWorld(days: number, name: string) {
  const modelled = drifting(24 * days, name);
  const random = new SeededRandom(`${name} scatter`);
  return { modelled, produced: modelled.map((power) => power + 150 * random.normal()) };
}

/** Production with the stamps of a clock that is some hours late at each hour; the first of two values in an hour counts. */
export function writeLate(produced: Float64Array, hoursAt: (i: number) => number): Float64Array {
  const written = new Float64Array(produced.length).fill(NaN);
  produced.forEach((power, i) => {
    const at = i + hoursAt(i);
    if (at >= 0 && at < written.length && Number.isNaN(written[at])) written[at] = power;
  });
  return written;
}

/** Offset of a zone from UTC, hours, at an hour of the series. */
export function offsetAt(i: number, zone: string): number {
  return Temporal.Instant.fromEpochMilliseconds(START + i * HOUR).toZonedDateTimeISO(zone)
    .offsetNanoseconds / 3.6e12;
}
