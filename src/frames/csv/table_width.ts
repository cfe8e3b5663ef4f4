/** Finds the width of the table among the first rows of a file: that of most fields, which prose above a table does not have; and the delimiters in its rows. */
export function findTableWidth(rows: readonly (readonly unknown[])[]) {
  const counts = new Map<number, number>();
  for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1);
  const widths = [...counts].map(([width, count]) => ({ width, marks: (width - 1) * count }));
  return widths.reduce((best, one) => one.marks > best.marks ? one : best, { width: 1, marks: 0 });
}
