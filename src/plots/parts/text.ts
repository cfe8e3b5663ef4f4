/**
 * Adds a space to a text that is also a member of every object, such as "constructor" or "toString": Vega confuses
 * them.
 */
function escapeMemberName(text: string): string {
  return text in Object.prototype ? `${text} ` : text;
}

/** Replaces what an SVG cannot contain: control characters and halves of surrogate pairs. */
export function cleanText(text: string): string {
  return escapeMemberName(text.toWellFormed().replace(/[\p{Cc}\ufffe\uffff]/gu, " "));
}

/** Characters of a name in a title. */
const MAX_TITLE_NAME = 60;

/** Cleans a text and cuts it to `most` characters, with an ellipsis. */
export function clipText(text: string, most: number = MAX_TITLE_NAME): string {
  const all = [...cleanText(text).trim()];
  return escapeMemberName(
    all.length <= most ? all.join("") : all.slice(0, most - 1).join("") + "…",
  );
}

/** A label for the middle of a sentence; the id of a turbine in it is not changed. */
export function lowerFirstLetter(label: string): string {
  return label.slice(0, 1).toLowerCase() + label.slice(1);
}

/** Width of a character relative to the font size, as Vega estimates it without a canvas: a line that is wider than the plot by this estimate would widen the picture. */
const CHARACTER_WIDTH = 0.8;

const characters = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The first whole characters that fit a length, at least one: an emoji is not split. */
function takeBeginning(text: string, most: number): string {
  let part = "";
  for (const { segment } of characters.segment(text)) {
    if (part !== "" && part.length + segment.length > most) break;
    part += segment;
  }
  return part;
}

/** Cuts a name to a width, with an ellipsis. */
export function shortenName(name: string, width: number, fontSize: number): string {
  const most = Math.max(4, Math.floor(width / (CHARACTER_WIDTH * fontSize)));
  return name.length <= most ? name : `${takeBeginning(name, most - 1).trimEnd()}\u2026`;
}

/** Breaks a text into lines that fit a width. */
export function wrapText(text: string, width: number, fontSize: number): string[] {
  const most = Math.max(12, Math.floor(width / (CHARACTER_WIDTH * fontSize)));
  const lines: string[] = [];
  let line = "";
  for (const word of cleanText(text).split(/\s+/).filter((part) => part !== "")) {
    if (line !== "" && line.length + 1 + word.length > most) {
      lines.push(line);
      line = "";
    }
    line = line === "" ? word : `${line} ${word}`;
    while (line.length > most) {
      const part = takeBeginning(line, most);
      lines.push(part);
      line = line.slice(part.length);
    }
  }
  return (line === "" ? lines : [...lines, line]).map(escapeMemberName);
}
