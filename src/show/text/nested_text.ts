import { MAX_CELL, shortenText } from "./short_text.ts";

const DAY_START = "T00:00:00.000Z";

/** A stamp in ISO 8601; a date without the hour that it has not. */
function formatDate(date: Date): string {
  if (Number.isNaN(date.getTime())) return "no date";
  const text = date.toISOString();
  return text.endsWith(DAY_START) ? text.slice(0, -DAY_START.length) : text.replace(".000Z", "Z");
}

/** Writes the parts of a value until there is enough. */
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

/** A list, a structure or bytes in the space of a cell: "[1, 2, NaN]", "{a: 1}". JSON would write NaN as null. */
export function formatNested(value: unknown): string {
  const out = { text: "" };
  write(value, out);
  return shortenText(out.text);
}
