/** Finds the values between two gaps: a line or an area of one value is invisible, so it needs its own mark. */
export function findLoneValues(values: readonly (number | null)[]): boolean[] {
  const known = (i: number) => (values[i] ?? null) !== null;
  return values.map((_, i) => known(i) && !known(i - 1) && !known(i + 1));
}
