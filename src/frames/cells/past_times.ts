/**
 * Says, behind a time of production, why it cannot be right, after the year that has begun: a year of two digits may be of the last
 * century.
 *
 * @param time Milliseconds since 1970 UTC
 * @param timeFormat Its declared format
 * @param tolerance Milliseconds for the stamp of the end of a year, in any zone
 * @returns `undefined` if it can
 */
export function findFutureProblem(
  time: number,
  timeFormat = "",
  tolerance = 0,
): string | undefined {
  const end = Date.UTC(new Date().getUTCFullYear() + 1, 0) + tolerance;
  if (!(time >= end)) return undefined;
  const advice = /(?<!Y)YY(?!Y)/.test(timeFormat)
    ? "Write years with four digits, and declare them as YYYY"
    : "Correct it, or leave out the row";
  return `is after today. ${advice}`;
}
