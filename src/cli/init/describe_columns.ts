import type { RecognizedColumn } from "../../sites/mod.ts";
import { visibleText } from "../../api/error_text.ts";
import { formatGrid } from "../../show/text/plain_text.ts";

/** Widest cell, and widest name of a column in a preview, in characters. */
const [MAX_CELL, MAX_NAME] = [26, 34];

/** Columns that a preview shows; of more only their number. */
const MAX_COLUMNS = 40;

function cut(text: string, most: number): string {
  const shown = Array.from(visibleText(text));
  return shown.length > most ? `${shown.slice(0, most - 1).join("")}…` : shown.join("");
}

/** Columns with their first cells, numbered as they can be chosen. */
export function describeColumns(columns: readonly RecognizedColumn[]): string[] {
  const rows = columns.slice(0, MAX_COLUMNS).map(({ name, first }, i) => [
    `${i + 1}`.padStart(3),
    cut(name, MAX_NAME),
    ...[0, 1].map((row) => cut(first[row] ?? "", MAX_CELL)),
  ]);
  const more = columns.length - MAX_COLUMNS;
  return [
    ...formatGrid([["  #", "column", "first cells", ""], ...rows]).split("\n"),
    ...more > 0
      ? [
        `  and ${more} more: ${
          columns.slice(MAX_COLUMNS).map(({ name }) => cut(name, MAX_NAME)).join(", ")
        }`,
      ]
      : [],
  ];
}
