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
 * In a notebook leaves the frames of this library out of an error's stack, so that it reads: what is wrong, and in which
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
