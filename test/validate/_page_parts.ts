/** Lines of the page, and goals that are missed. */
export interface Section {
  /** Markdown. */
  readonly lines: readonly string[];
  /** What a figure should have been, in words. */
  readonly missed: readonly string[];
}

/** Mean of some values. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** A share with one decimal. */
export function formatPercent(value: number): string {
  return `${value.toFixed(1)} %`;
}

/** A table in Markdown, with columns of equal width. */
export function markdownTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): string[] {
  const widths = header.map((_, i) => Math.max(...[header, ...rows].map((row) => row[i].length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i])).join(" | ")} |`;
  return [line(header), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)];
}
