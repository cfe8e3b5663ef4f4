import { writeAtomically } from "../../disk/side_file.ts";
import { type Arguments, MisuseError } from "./command.ts";

/** Resolves a path against the caller's folder, because a task always runs in the project's folder. */
export function callerPath(path: string): string {
  const folder = readVariable("INIT_CWD");
  return path.startsWith("/") || !folder || folder === Deno.cwd() ? path : `${folder}/${path}`;
}

/**
 * Reads a variable of the environment.
 *
 * @returns `undefined` if it is empty or not set, or this task may not read it
 */
export function readVariable(name: string): string | undefined {
  const { state } = Deno.permissions.querySync({ name: "env", variable: name });
  return state === "granted" ? Deno.env.get(name) || undefined : undefined;
}

/**
 * Reads an option with a text of a given form.
 *
 * @param wanted Description of the form, for the message
 * @returns The text; `undefined` without the option
 * @throws {MisuseError} If the text has another form
 */
export function readFormed(
  text: Arguments["text"],
  option: string,
  form: RegExp,
  wanted: string,
): string | undefined {
  const value = text(option);
  if (value === undefined || form.test(value)) return value;
  throw new MisuseError(`Cannot read --${option}: "${value}" has the wrong form. Give ${wanted}`);
}

/** Reads the month of `--month`, such as "2025-12". */
export function readMonth(text: Arguments["text"]): string | undefined {
  return readFormed(text, "month", /^\d{4}-(0[1-9]|1[0-2])$/, "a month such as 2025-12");
}

/**
 * Writes files into the folder of `--to`, one by one, and stops when the command is stopped.
 *
 * @param files Text of each file or the function that writes it, by file name
 * @returns Their paths
 */
export async function writeFiles(
  { text, signal }: Arguments,
  files: Readonly<Record<string, string | ((path: string) => Promise<unknown>)>>,
): Promise<string[]> {
  const folder = callerPath(text("to") ?? "out");
  await Deno.mkdir(folder, { recursive: true });
  const all = Object.entries(files).map(([name, write]) => [`${folder}/${name}`, write] as const);
  for (const [path, write] of all) {
    signal.throwIfAborted();
    if (typeof write === "string") {
      await writeAtomically(path, new TextEncoder().encode(write), { mode: 0o666 });
    } else await write(path);
  }
  return all.map(([path]) => path);
}

/** Prints a line with a secret, bypassing the console because OpenTelemetry would export it. */
export function printSecret(text: string): void {
  try {
    Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
  } catch {
    // closed pipe, or a log on a full disk
  }
}
