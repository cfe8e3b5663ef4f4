import { visibleText } from "../../api/visible_text.ts";

/** Longest text of a cell, in characters. */
export const MAX_CELL = 60;

/**
 * A text as it is shown: cut where it is long, and unseen characters as escapes.
 *
 * @param most Most characters that are shown
 */
export function shortenText(text: string, most = MAX_CELL): string {
  // Of a text of megabytes only the beginning is looked at: a character has at most two code units.
  const characters = Array.from(visibleText(text.slice(0, 2 * most)));
  const whole = characters.length <= most && text.length <= 2 * most;
  return whole ? characters.join("") : `${characters.slice(0, most - 1).join("")}…`;
}
