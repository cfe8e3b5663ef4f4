import { STAMP_YEARS } from "../api/reader_limits.ts";

/** Milliseconds from 1970 to either end of the calendar, a little less. */
const LAST = 8.6e15;

const [FIRST_YEAR, LAST_YEAR] = STAMP_YEARS;
const EARLIEST = Date.UTC(FIRST_YEAR, 0);
const END = Date.UTC(LAST_YEAR + 1, 0);

/**
 * Formats a stamp for messages, with seconds and fractions only where it has them.
 *
 * @param stamp Milliseconds since 1970 UTC; any number
 */
export function formatStamp(stamp: number): string {
  if (!(Math.abs(stamp) <= LAST)) return `${stamp} ms since 1970`;
  const instant = new Temporal.Instant(BigInt(Math.round(stamp * 1000)) * 1000n);
  return instant.toString(stamp % 60_000 === 0 ? { smallestUnit: "minute" } : {});
}

/** What is wrong with a stamp that {@linkcode isLikely} does not find likely. */
export const UNLIKELY = `is not within the years ${FIRST_YEAR} to ${LAST_YEAR}. Correct the stamp`;

/** Whether a stamp of a file can be right, milliseconds since 1970 UTC. */
export const isLikely = (stamp: number): boolean => stamp >= EARLIEST && stamp < END;

/** Says why a stamp of a file cannot be right, milliseconds since 1970 UTC; `undefined` if it can. */
export function findStampProblem(stamp: number): string | undefined {
  return isLikely(stamp) ? undefined : `${formatStamp(stamp)} ${UNLIKELY}`;
}
