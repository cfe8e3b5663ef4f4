import { formatMonthSpan } from "../../show/text/numbers.ts";
import { measureText } from "../drawing/text_width.ts";

/**
 * Appends a space to a text that is also a member of every object, such as "constructor" or "toString", because Vega
 * confuses the two.
 */
function escapeMemberName(text: string): string {
  return text in Object.prototype ? `${text} ` : text;
}

/** Replaces characters that an SVG cannot contain: control characters and halves of surrogate pairs. */
export function cleanText(text: string): string {
  return escapeMemberName(text.toWellFormed().replace(/[\p{Cc}\ufffe\uffff]/gu, " "));
}

/** Most characters of a name in a title. */
const MAX_TITLE_NAME = 60;

const characters = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Cuts a text in the middle, so it fits with an ellipsis: names within a park often differ only at the end. */
function cutMiddle(text: string, fits: (text: string) => boolean): string {
  if (fits(text)) return text;
  const all = [...characters.segment(text)].map(({ segment }) => segment);
  const cut = (kept: number) => {
    const end = Math.ceil(kept / 2);
    const start = all.slice(0, kept - end).join("").trimEnd();
    return `${start}\u2026${all.slice(all.length - end).join("").trimStart()}`;
  };
  // Bisection finds the number of characters to keep: a name may have a hundred thousand.
  let [low, high] = [Math.min(3, all.length), all.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(cut(middle))) low = middle;
    else high = middle - 1;
  }
  return cut(low);
}

/** Cleans a text and cuts it in the middle to `most` characters, with an ellipsis. */
export function clipText(text: string, most: number = MAX_TITLE_NAME): string {
  const short = cutMiddle(cleanText(text).trim(), (part) => [...part].length <= most);
  return escapeMemberName(short);
}

/** Cleans a name and cuts it in the middle to a width, with an ellipsis. */
export function shortenName(name: string, width: number, fontSize: number, bold = false): string {
  return cutMiddle(cleanText(name), (part) => measureText(part, fontSize, bold) <= width);
}

/** The first whole characters that fit a width, at least one; an emoji is never split. */
function takeBeginning(text: string, width: number, fontSize: number): string {
  let part = "";
  for (const { segment } of characters.segment(text)) {
    if (part !== "" && measureText(part + segment, fontSize) > width) break;
    part += segment;
  }
  return part;
}

/** Smallest width of a line, in letters: a narrow picture becomes wider instead of showing a column of letters. */
const MIN_LINE = 5;

/** Breaks a text into lines that fit a width. */
export function wrapText(text: string, width: number, fontSize: number, bold = false): string[] {
  const most = Math.max(MIN_LINE * fontSize, width);
  const lines: string[] = [];
  let line = "";
  for (const word of cleanText(text).split(/\s+/).filter((part) => part !== "")) {
    if (line !== "" && measureText(`${line} ${word}`, fontSize, bold) > most) {
      lines.push(line);
      line = "";
    }
    line = line === "" ? word : `${line} ${word}`;
    while (measureText(line, fontSize, bold) > most) {
      const part = takeBeginning(line, most, fontSize);
      if (part === line) break;
      lines.push(part);
      line = line.slice(part.length);
    }
  }
  return (line === "" ? lines : [...lines, line]).map(escapeMemberName);
}

/** Formats the period from the first to the last month or year of rows in order of time. */
export function formatSpan(periods: readonly string[]): string {
  return periods.length === 0 ? "" : formatMonthSpan(periods[0], periods[periods.length - 1]);
}

/** Names the first and the last of rows in order of time: "May 2023 to July 2024", or "May 2023" if they are the same. */
export function formatEnds(rows: readonly { readonly label: string }[]): string {
  return [...new Set([rows[0].label, rows[rows.length - 1].label])].join(" to ");
}
