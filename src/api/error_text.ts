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

/** Marks that turn the direction of the text around them, as the inside of a character class. */
const DIRECTION = "\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069";

/** Control characters, as the inside of a character class: no identifier has them. */
export const CONTROL_CHARACTERS = "\\u0000-\\u001f\\u007f-\\u009f";

/** Characters that no other text of a person may have, beside halves, as the inside of a character class. */
export const HIDDEN_CHARACTERS: string = `${CONTROL_CHARACTERS}\\u2028\\u2029${DIRECTION}`;

/** These characters by what they are. */
const HIDDEN: readonly (readonly [what: string, character: RegExp])[] = [
  ["a line break", /[\n-\r\u0085\u2028\u2029]/],
  ["a mark of the direction of text", new RegExp(`[${DIRECTION}]`)],
  ["a control character", /\p{Cc}/u],
  ["half of a character", /\p{Cs}/u],
];

const ANY_HIDDEN = new RegExp(`[${HIDDEN_CHARACTERS}\\p{Cs}]`, "u");

/**
 * Finds the first character of a text by which it is read as another one, or on several lines.
 *
 * @returns What the text has and where, as "a line break at character 5"; `null` if there is none
 */
export function findHidden(text: string): string | null {
  const at = text.search(ANY_HIDDEN);
  if (at === -1) return null;
  const character = String.fromCodePoint(text.codePointAt(at)!);
  const [what] = HIDDEN.find(([, pattern]) => pattern.test(character))!;
  return `${what} at character ${[...text.slice(0, at)].length + 1}`;
}

/** Writes characters as escapes that are not seen as they are: a name then shows what is in it, on one line. */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, formatEscape);
}

/** The same for a text of several lines. */
export function visibleLines(text: string): string {
  return text.split("\n").map(visibleText).join("\n");
}

/** Most entries and characters of a value that a message shows. */
const [MAX_ENTRIES, MAX_CHARACTERS] = [6, 40];

/** Says what a value is that a caller gave, for messages: nobody checks types in a notebook. */
export function describeValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null || typeof value === "number" || typeof value === "boolean") return `${value}`;
  if (typeof value === "string") return JSON.stringify(value.slice(0, MAX_CHARACTERS));
  if (typeof value === "function") return "a function: call it";
  if (value instanceof Promise) return "a Promise: await it";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof (value as { _df?: unknown })._df === "object") return "a frame"; // of Polars
  const kind = (value as object).constructor?.name ?? "Object";
  if (kind !== "Object") return `${/^[AEIOU]/.test(kind) ? "an" : "a"} ${kind}`;
  const keys = Object.keys(value as object);
  return keys.length === 0
    ? "an empty object"
    : `an object of ${keys.slice(0, MAX_ENTRIES).join(", ")}${
      keys.length > MAX_ENTRIES ? ", …" : ""
    }`;
}

/** Folder of this library's code: frames of it begin with this. */
const LIBRARY = new URL("../", import.meta.url).href;

/** Width at which an error is wrapped, in characters: some front ends do not wrap plain text. */
const WIDTH = 100;

/** Whether this runs in Deno's Jupyter kernel; elsewhere reading `Deno.jupyter` throws. */
function inNotebook(): boolean {
  try {
    return (Deno as unknown as { jupyter?: unknown }).jupyter !== undefined;
  } catch {
    return false;
  }
}

/**
 * The frames of a stack that are not this library's.
 *
 * @param stack The stack, with the message above it
 * @param message The message: its lines are kept, whatever they look like
 * @param library Address that frames of the library begin with
 */
export function userStack(stack: string, message: string, library: string = LIBRARY): string {
  const end = stack.indexOf(message) + message.length;
  const frames = stack.slice(end).split("\n").filter((line) => !line.includes(library));
  return stack.slice(0, end) + frames.join("\n");
}

/**
 * In a notebook leaves the frames of this library out of an error's stack, so it reads: what is wrong, and in which
 * line of the cell. In a script the stack stays whole.
 *
 * @param error The error; it is changed in place
 */
export function hideLibraryFrames(error: Error): void {
  if (!inNotebook() || typeof error.stack !== "string") return;
  error.stack = userStack(error.stack, error.message);
}

/**
 * In a notebook gives an error that another call of several met the stack of the place where it is thrown again: on the
 * way through a pool of calls the line of the cell is lost.
 *
 * @param error The error; it is changed in place and given back
 */
export function tracedFromHere<E extends Error>(error: E): E {
  if (!inNotebook()) return error;
  Error.captureStackTrace(error, tracedFromHere);
  hideLibraryFrames(error);
  return error;
}

/** Breaks a line at spaces; what follows is indented. */
function wrapped(text: string): string {
  const [first, ...words] = text.split(" ");
  const lines = [first];
  for (const word of words) {
    const line = lines[lines.length - 1];
    if (line.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(`  ${word}`);
  }
  return lines.join("\n");
}

/** An error as text: name and message, then what to do next on a line of its own. */
export function errorText(
  { name, message, hint }: {
    readonly name: string;
    readonly message: string;
    readonly hint?: string | undefined;
  },
): string {
  const found = hint && message.endsWith(`. ${hint}`)
    ? message.slice(0, -hint.length - 1)
    : message;
  const lines = found.split("\n").map((line, i) => wrapped(i === 0 ? `${name}: ${line}` : line));
  return [...lines, ...(found === message ? [] : [wrapped(`→ ${hint}`)])].join("\n");
}
