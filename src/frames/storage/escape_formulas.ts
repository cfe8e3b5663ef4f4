/** What a spreadsheet takes for the beginning of a formula, also in the width of East Asian letters, and our own mark. */
const BEGINS = "=+\\-@\\t\\r\\n'\uff1d\uff0b\uff0d\uff20";

/** Where a cell may begin: a spreadsheet that expects other separators splits within a text as well. */
const CELL_START = "^|[;,\\t\\r\\n]";

const unsafe = new RegExp(`(?<=${CELL_START})(?=[${BEGINS}])`, "g");
const marked = new RegExp(`(?<=${CELL_START})'`, "g");

/** A text that no spreadsheet runs as a formula: an apostrophe stands wherever one could begin. */
export function escapeFormulas(text: string): string {
  return text.replace(unsafe, "'");
}

/** The text that {@linkcode escapeFormulas} was made of. */
export function unescapeFormulas(text: string): string {
  return text.replace(marked, "");
}
