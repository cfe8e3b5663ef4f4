const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

/** Width of a text on a terminal, in characters; if in doubt, too large rather than too small. */
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
