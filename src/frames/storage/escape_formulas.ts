/** Characters with which formulas begin in spreadsheets, full-width ones among them, and our own mark. */
const BEGINS = "=+\\-@\\t\\r\\n'\uff1d\uff0b\uff0d\uff20";

/** Positions where a cell may begin: a spreadsheet that expects other separators splits texts as well. */
const CELL_START = "^|[;,\\t\\r\\n]";

const unsafe = new RegExp(`(?<=${CELL_START})(?=[${BEGINS}])`, "g");
const marked = new RegExp(`(?<=${CELL_START})'`, "g");

/** Puts an apostrophe wherever a formula could begin, so that no spreadsheet runs the text. */
export function escapeFormulas(text: string): string {
  return text.replace(unsafe, "'");
}

/** Removes the apostrophes of {@linkcode escapeFormulas}. */
export function unescapeFormulas(text: string): string {
  return text.replace(marked, "");
}
