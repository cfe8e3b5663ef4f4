/**
 * Characters that would move the cursor of a terminal, turn the direction of the text around or hide other text:
 * control characters and format marks, line and paragraph separators, halves of characters. The two joiners stay:
 * some scripts and emoji are written with them.
 */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

const KNOWN: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function formatEscape(character: string): string {
  const code = character.codePointAt(0)!.toString(16);
  return KNOWN[character] ?? (code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`);
}

/** Writes characters as escapes that are not seen as they are: a name then shows what is in it, on one line. */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, formatEscape);
}

/** The same for a text of several lines. */
export function visibleLines(text: string): string {
  return text.split("\n").map(visibleText).join("\n");
}
