import { visibleText } from "../../api/error_text.ts";
import { SYNTHETIC } from "../../api/world.ts";

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

/** Width of a text on a terminal, characters; if uncertain, rather too large than too small. */
export function measureText(text: string): number {
  let columns = 0;
  for (const character of text) columns += WIDE.test(character) ? 2 : 1;
  return columns;
}

/** Adds spaces up to a width, after the text or, if `right`, before it. */
export function padText(text: string, width: number, right = false): string {
  const space = " ".repeat(Math.max(0, width - measureText(text)));
  return right ? space + text : text + space;
}

/** Longest text of a cell, in characters. */
export const MAX_CELL = 60;

/**
 * Shortens a text to a number of characters, and escapes invisible characters.
 *
 * @param max Most characters, including "…" at the end of a shortened text
 */
export function shortenText(text: string, max = MAX_CELL): string {
  // Reads only the start of a text of megabytes: a character has at most two code units.
  const characters = Array.from(visibleText(text.slice(0, 2 * max)));
  const fits = characters.length <= max && text.length <= 2 * max;
  return fits ? characters.join("") : `${characters.slice(0, max - 1).join("")}…`;
}

/** The lines above a table or a card. */
export interface Heading {
  /** Title; `undefined` for none. */
  readonly title: string | undefined;
  /** Whether the figures are invented. */
  readonly synthetic: boolean;
}

/** Text next to the badge of invented figures. */
export const SYNTHETIC_NOTE = "invented figures, not real data";

/** Formats the lines above a table or a card in plain text. */
export function formatHeading({ title, synthetic }: Heading): string[] {
  return [
    ...(synthetic ? [`${SYNTHETIC}: ${SYNTHETIC_NOTE}`] : []),
    ...(title === undefined ? [] : [title]),
  ];
}

/**
 * Formats cells in columns, for a terminal.
 *
 * @param rows Rows of equal length, the header first
 */
export function formatGrid(rows: readonly (readonly string[])[]): string {
  const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => row[i].length)));
  return rows
    .map((row) => row.map((cell, i) => cell.padEnd(widths[i])).join("  ").trimEnd())
    .join("\n");
}
