/** Longest pause that a service can ask for, ms. */
export const MAX_REQUESTED_PAUSE = 60_000;

/** Longest pause without a `Retry-After`, ms. */
const MAX_BACK_OFF = 20_000;

/** Before the second try the pause is at most twice this, ms. */
const BACK_OFF = 500;

/** Reads the pause of a `Retry-After` header, ms; `undefined` if it is neither seconds nor a future date. */
export function parseRetryAfter(
  retryAfter: string | null,
  now: number = Date.now(),
): number | undefined {
  const text = retryAfter?.trim() ?? "";
  const pause = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return pause >= 0 ? pause : undefined;
}

/**
 * Computes the pause before the next try, ms: the requested one, capped, else a random share of a time that doubles.
 *
 * @param attempt Number of the try that failed, from 1
 * @param retryAfter The header, if there was one
 * @param now Milliseconds since 1970
 * @param random A number from 0 to 1
 */
export function computePause(
  attempt: number,
  retryAfter: string | null,
  now: number = Date.now(),
  random: number = Math.random(),
): number {
  const requested = parseRetryAfter(retryAfter, now);
  return requested === undefined
    ? random * Math.min(MAX_BACK_OFF, BACK_OFF * 2 ** attempt)
    : Math.min(requested, MAX_REQUESTED_PAUSE);
}
