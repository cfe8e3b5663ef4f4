/** Which values stand between gaps: a line or an area of one value is not seen, so it needs a mark of its own. */
export function findLoneValues(values: readonly (number | null)[]): boolean[] {
  const known = (i: number) => (values[i] ?? null) !== null;
  return values.map((_, i) => known(i) && !known(i - 1) && !known(i + 1));
}
