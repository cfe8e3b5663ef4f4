/** The folder from which a task was called; `undefined` without permission to read the variable. */
function readCallerFolder(): string | undefined {
  const { state } = Deno.permissions.querySync({ name: "env", variable: "INIT_CWD" });
  return state === "granted" ? Deno.env.get("INIT_CWD") || undefined : undefined;
}

/** Resolves a path against the caller's folder: a task runs in the folder of the project, wherever it was called. */
export function callerPath(path: string): string {
  const folder = readCallerFolder();
  return path.startsWith("/") || !folder || folder === Deno.cwd() ? path : `${folder}/${path}`;
}
