/** The index of a month against one twelfth of a normal year, and against a normal month of its name; %. */
interface MonthFigures {
  /** Month, "2023-05". */
  readonly month: string;
  readonly index: number | null;
  readonly abnormality: number | null;
}

/**
 * Energy gained or lost against normal months since the first month, in % of a normal year: after whole calendar years
 * it is the sum of what their indices are above 100 %. (The sum of month indices less 100 would swing with the seasons.)
 * A month without an index is `null`, and counts as normal for those after it.
 */
export function computeCumulativeDeviation(months: readonly MonthFigures[]): (number | null)[] {
  // Energy of a normal month by its name, in % of one twelfth of a normal year; a month without any wind cannot tell it.
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
