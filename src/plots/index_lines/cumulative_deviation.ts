/** The index of a month relative to one twelfth of a normal year, and to a normal month of the same name; %. */
interface MonthFigures {
  /** Month, "2023-05". */
  readonly month: string;
  readonly index: number | null;
  readonly abnormality: number | null;
}

/**
 * Energy above or below that of normal months since the first month, in % of a normal year. After whole calendar years
 * it is the sum of their indices minus 100 %. (The sum of monthly indices minus 100 would vary with the seasons.)
 * A month without an index is `null`, and counts as normal for those after it.
 */
export function computeCumulativeDeviation(months: readonly MonthFigures[]): (number | null)[] {
  // Energy of a normal month by its name, in % of one twelfth of a normal year; unknown from a month without any wind.
  const normals = new Map<string, number>();
  for (const { month, index, abnormality } of months) {
    if (index !== null && abnormality !== null && abnormality > 0) {
      normals.set(month.slice(5), 100 * index / abnormality);
    }
  }
  let sum = 0;
  return months.map(({ month, index }) => {
    const normal = normals.get(month.slice(5));
    if (index === null || normal === undefined) return null;
    sum += (index - normal) / 12;
    return sum;
  });
}
