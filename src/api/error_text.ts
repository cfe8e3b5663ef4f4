/**
 * Characters that would move the cursor of a terminal, reverse the direction of text or hide other text: control
 * characters and format marks, line and paragraph separators, halves of characters. The two joiners stay, because some
 * scripts and emoji need them.
 */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

const KNOWN: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function formatEscape(character: string): string {
  const code = character.codePointAt(0)!.toString(16);
  return KNOWN[character] ?? (code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`);
}

/** Marks that change the direction of text, as the inside of a character class. */
const DIRECTION = "\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069";

/** Control characters, as the inside of a character class: no identifier has them. */
export const CONTROL_CHARACTERS = "\\u0000-\\u001f\\u007f-\\u009f";

/** Characters, apart from halves, that no text typed by people may contain, as the inside of a character class. */
export const HIDDEN_CHARACTERS: string = `${CONTROL_CHARACTERS}\\u2028\\u2029${DIRECTION}`;

/** These characters by kind. */
const HIDDEN: readonly (readonly [kind: string, character: RegExp])[] = [
  ["a line break", /[\n-\r\u0085\u2028\u2029]/],
  ["a mark of the direction of text", new RegExp(`[${DIRECTION}]`)],
  ["a control character", /\p{Cc}/u],
  ["half of a character", /\p{Cs}/u],
];

const ANY_HIDDEN = new RegExp(`[${HIDDEN_CHARACTERS}\\p{Cs}]`, "u");

/**
 * Finds the first character that makes a text look like another one, or spans several lines.
 *
 * @returns The character and its place, as "a line break at character 5"; `null` if there is none
 */
export function findHidden(text: string): string | null {
  const at = text.search(ANY_HIDDEN);
  if (at === -1) return null;
  const character = String.fromCodePoint(text.codePointAt(at)!);
  const [kind] = HIDDEN.find(([, pattern]) => pattern.test(character))!;
  return `${kind} at character ${[...text.slice(0, at)].length + 1}`;
}

/** Writes invisible characters as escapes, so a name shows its whole content on one line. */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, formatEscape);
}

/** Writes the invisible characters of a text of several lines as escapes. */
export function visibleLines(text: string): string {
  return text.split("\n").map(visibleText).join("\n");
}

/** Most entries and characters of a value that a message shows. */
const [MAX_ENTRIES, MAX_CHARACTERS] = [6, 40];

/** Describes a caller's value, for messages: notebooks are not type-checked. */
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
 * @param message The message: all its lines stay
 * @param library Address that frames of the library begin with
 */
export function userStack(stack: string, message: string, library: string = LIBRARY): string {
  const end = stack.indexOf(message) + message.length;
  const frames = stack.slice(end).split("\n").filter((line) => !line.includes(library));
  return stack.slice(0, end) + frames.join("\n");
}

/**
 * In a notebook, removes the frames of this library from an error's stack, so it shows the problem and the line of the
 * cell. In a script the stack is unchanged.
 *
 * @param error The error; it is changed in place
 */
export function hideLibraryFrames(error: Error): void {
  if (!inNotebook() || typeof error.stack !== "string") return;
  error.stack = userStack(error.stack, error.message);
}

/**
 * In a notebook, gives an error from a pool of calls the stack of the place that rethrows it, because the pool loses the
 * line of the cell.
 *
 * @param error The error; it is changed in place and given back
 */
export function tracedFromHere<E extends Error>(error: E): E {
  if (!inNotebook()) return error;
  Error.captureStackTrace(error, tracedFromHere);
  hideLibraryFrames(error);
  return error;
}

/** Breaks a line at spaces, and indents the following lines. */
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

/** An error as text: name and message, then the remedy on a separate line. */
export function errorText(
  { name, message, hint }: {
    readonly name: string;
    readonly message: string;
    readonly hint?: string | undefined;
  },
): string {
  const first = hint && message.endsWith(`. ${hint}`)
    ? message.slice(0, -hint.length - 1)
    : message;
  const lines = first.split("\n").map((line, i) => wrapped(i === 0 ? `${name}: ${line}` : line));
  return [...lines, ...(first === message ? [] : [wrapped(`→ ${hint}`)])].join("\n");
}
