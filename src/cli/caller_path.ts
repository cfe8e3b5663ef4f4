import { readVariable } from "./read_variable.ts";

/** Resolves a path against the caller's folder: a task runs in the folder of the project, wherever it was called. */
export function callerPath(path: string): string {
  const folder = readVariable("INIT_CWD");
  return path.startsWith("/") || !folder || folder === Deno.cwd() ? path : `${folder}/${path}`;
}
