import { MAX_CELL, shortenText } from "./short_text.ts";

const DAY_START = "T00:00:00.000Z";

/** Formats a stamp in ISO 8601; midnight UTC as a date. */
function formatDate(date: Date): string {
  if (Number.isNaN(date.getTime())) return "no date";
  const text = date.toISOString();
  return text.endsWith(DAY_START) ? text.slice(0, -DAY_START.length) : text.replace(".000Z", "Z");
}

/** Appends the parts of a value until the text fills a cell. */
function write(value: unknown, out: { text: string }): void {
  if (out.text.length > MAX_CELL) return;
  if (value === null || value === undefined) out.text += "null";
  else if (value instanceof Date) out.text += formatDate(value);
  else if (typeof value === "string") out.text += JSON.stringify(value.slice(0, 4 * MAX_CELL));
  else if (ArrayBuffer.isView(value) || Array.isArray(value)) {
    writeList("[", Array.from((value as unknown[]).slice(0, MAX_CELL)), "]", out, write);
  } else if (typeof value === "object") {
    writeList("{", Object.entries(value), "}", out, ([name, inner]) => {
      out.text += `${name}: `;
      write(inner, out);
    });
  } else out.text += String(value); // numbers keep NaN, bigints their digits
}

function writeList<T>(
  open: string,
  items: readonly T[],
  close: string,
  out: { text: string },
  item: (item: T, out: { text: string }) => void,
): void {
  out.text += open;
  for (const [i, one] of items.entries()) {
    if (out.text.length > MAX_CELL) return;
    if (i > 0) out.text += ", ";
    item(one, out);
  }
  out.text += close;
}

/** Formats a list, a structure or bytes to fit a cell: "[1, 2, NaN]", "{a: 1}". JSON would write NaN as null. */
export function formatNested(value: unknown): string {
  const out = { text: "" };
  write(value, out);
  return shortenText(out.text);
}
