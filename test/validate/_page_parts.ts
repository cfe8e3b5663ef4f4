/** A section of the page, and its missed goals. */
export interface Section {
  /** Markdown. */
  readonly lines: readonly string[];
  /** Missed goals, in words. */
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

/** Width of the lines of a page. */
const WIDTH = 100;

/** Wraps a paragraph or a list item. */
function wrapParagraph(words: readonly string[]): string[] {
  const indent = words[0] === "-" ? "  " : "";
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= WIDTH) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(last === undefined ? word : indent + word);
  }
  return lines;
}

/**
 * Wraps the paragraphs of a page as `deno fmt` does. Titles and tables stay as they are.
 *
 * @param lines Lines of Markdown
 */
export function wrapLines(lines: readonly string[]): string[] {
  const wrapped: string[] = [];
  let words: string[] = [];
  for (const line of [...lines, ""]) {
    const begins = line === "" || /^([|#]|- )/.test(line);
    if (begins && words.length > 0) {
      wrapped.push(...wrapParagraph(words));
      words = [];
    }
    if (line === "" || /^[|#]/.test(line)) wrapped.push(line);
    else words.push(...line.trim().split(" "));
  }
  return wrapped.slice(0, -1);
}
