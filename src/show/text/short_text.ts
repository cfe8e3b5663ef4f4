import { visibleText } from "../../api/visible_text.ts";

/** Longest text of a cell, in characters. */
export const MAX_CELL = 60;

/**
 * Shortens a text to a number of characters, and writes invisible characters as escapes.
 *
 * @param max Characters at most, with "…" at the end of a text that is cut
 */
export function shortenText(text: string, max = MAX_CELL): string {
  // Of a text of megabytes only the beginning is read: a character has at most two code units.
  const characters = Array.from(visibleText(text.slice(0, 2 * max)));
  const whole = characters.length <= max && text.length <= 2 * max;
  return whole ? characters.join("") : `${characters.slice(0, max - 1).join("")}…`;
}
