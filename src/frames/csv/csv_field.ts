const LF = 10;
const CR = 13;
const SPACE = 32;
const QUOTE = 34;

/** One field without its quotes. */
export interface Field {
  readonly text: string;
  /** Position of the delimiter or line end after it. */
  readonly end: number;
  /** Whether it was in quotes. */
  readonly quoted: boolean;
  /** Line feeds in it. */
  readonly moreLines: number;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Reads the field that begins at a position, or returns its problem.
 *
 * @param bytes Rows, the last of which ends with a line feed
 */
export function readField(
  bytes: Uint8Array,
  at: number,
  delimiter: string,
): Field | { readonly problem: string } {
  const mark = delimiter.charCodeAt(0);
  const isEnd = (byte: number) => byte === mark || byte === LF || byte === CR;
  let from = at;
  while (bytes[from] === SPACE) from++;
  if (bytes[from] !== QUOTE) {
    let end = at;
    while (end < bytes.length && !isEnd(bytes[end]) && bytes[end] !== QUOTE) end++;
    if (bytes[end] === QUOTE) {
      return { problem: "a field has a quote in the middle. Put the whole field in quotes" };
    }
    return { text: decoder.decode(bytes.subarray(at, end)), end, quoted: false, moreLines: 0 };
  }
  let moreLines = 0;
  let end = ++from;
  for (;; end++) {
    if (end >= bytes.length) return { problem: "a quoted field has no closing quote" };
    if (bytes[end] === LF) moreLines++;
    else if (bytes[end] === QUOTE) {
      if (bytes[end + 1] !== QUOTE) break;
      end++;
    }
  }
  const text = decoder.decode(bytes.subarray(from, end)).replaceAll('""', '"');
  end++;
  while (bytes[end] === SPACE) end++;
  if (end < bytes.length && !isEnd(bytes[end])) {
    return {
      problem: "a field continues after its closing quote. Double the quotes within a field",
    };
  }
  return { text, end, quoted: true, moreLines };
}

/**
 * Reads a field that may have a quote in the middle, as in `Rotor 12"`: a name, or an unwanted field. Quotes around the
 * field must still be valid, because otherwise its end is unknown.
 */
export function readAnyField(bytes: Uint8Array, at: number, delimiter: string) {
  const field = readField(bytes, at, delimiter);
  let from = at;
  while (bytes[from] === SPACE) from++;
  if (!("problem" in field) || bytes[from] === QUOTE) return field;
  const mark = delimiter.charCodeAt(0);
  let end = at;
  while (end < bytes.length && ![mark, LF, CR].includes(bytes[end])) end++;
  return { text: decoder.decode(bytes.subarray(at, end)), end, quoted: false, moreLines: 0 };
}

/**
 * Splits the row that begins at a position into fields; `undefined` if its quotes are not valid.
 *
 * @param anyQuotes Whether a field may have a quote in the middle
 */
export function splitRow(
  bytes: Uint8Array,
  start: number,
  delimiter: string,
  anyQuotes = false,
): string[] | undefined {
  const fields: string[] = [];
  for (let at = start;; at++) {
    const field = (anyQuotes ? readAnyField : readField)(bytes, at, delimiter);
    if ("problem" in field) return undefined;
    fields.push(field.text);
    at = field.end;
    if (at >= bytes.length || bytes[at] === LF || bytes[at] === CR) return fields;
  }
}

/**
 * Finds the position after the last complete row: after the last line feed outside of quotes.
 *
 * @param bytes Rows, the first from its beginning
 */
export function findEndOfRows(bytes: Uint8Array): number {
  if (bytes.indexOf(QUOTE) === -1) return bytes.lastIndexOf(LF) + 1;
  let end = 0;
  let quoted = false;
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] === QUOTE) quoted = !quoted;
    else if (bytes[i] === LF && !quoted) end = i + 1;
  }
  return end;
}

/** Whether a text ends within quotes. */
export function endsInQuotes(bytes: Uint8Array): boolean {
  let quoted = false;
  for (const byte of bytes) if (byte === QUOTE) quoted = !quoted;
  return quoted;
}
