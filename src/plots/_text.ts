/** Text without what a picture cannot hold: control characters and halves of characters. */
export function printable(text: string): string {
  return text.toWellFormed().replace(/[\p{Cc}\ufffe\uffff]/gu, " ");
}

/** Width of a character relative to the font size, as Vega estimates it without a canvas: a line that it takes for wider than the plot would widen the picture. */
const CHARACTER_WIDTH = 0.8;

/** Breaks a text into lines that fit a width. */
export function wrapped(text: string, width: number, fontSize: number): string[] {
  const most = Math.max(12, Math.floor(width / (CHARACTER_WIDTH * fontSize)));
  const lines: string[] = [];
  let line = "";
  for (const word of printable(text).split(/\s+/).filter((part) => part !== "")) {
    if (line !== "" && line.length + 1 + word.length > most) {
      lines.push(line);
      line = "";
    }
    line = line === "" ? word : `${line} ${word}`;
    for (; line.length > most; line = line.slice(most)) lines.push(line.slice(0, most));
  }
  return line === "" ? lines : [...lines, line];
}
