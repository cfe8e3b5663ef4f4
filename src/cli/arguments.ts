import { MisuseError } from "./command.ts";

/** Resolves a path against the caller's folder: a task runs in the folder of the project, wherever it was called. */
export function callerPath(path: string): string {
  const folder = readVariable("INIT_CWD");
  return path.startsWith("/") || !folder || folder === Deno.cwd() ? path : `${folder}/${path}`;
}

/**
 * Reads a variable of the environment.
 *
 * @returns `undefined` where it is empty, not set, or this task has no permission to read it
 */
export function readVariable(name: string): string | undefined {
  const { state } = Deno.permissions.querySync({ name: "env", variable: name });
  return state === "granted" ? Deno.env.get(name) || undefined : undefined;
}

/**
 * Reads a month that an option gives.
 *
 * @param text The month, such as "2025-12"
 * @throws {MisuseError} If it is not a month
 */
export function readMonth(text: string, option: string): string {
  try {
    if (Temporal.PlainYearMonth.from(text).toString() === text) return text;
  } catch {
    // Reported below.
  }
  throw new MisuseError(`Cannot read "${text}" in ${option}: give a month such as 2025-12`);
}
