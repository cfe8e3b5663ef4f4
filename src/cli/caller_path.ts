/** The folder from which a task was called; Deno says it only to those who may read the variable. */
function callerFolder(): string | undefined {
  const { state } = Deno.permissions.querySync({ name: "env", variable: "INIT_CWD" });
  return state === "granted" ? Deno.env.get("INIT_CWD") || undefined : undefined;
}

/** A path as the caller means it: a task runs in the project's folder, wherever it was called from. */
export function callerPath(path: string): string {
  const folder = callerFolder();
  return path.startsWith("/") || !folder || folder === Deno.cwd() ? path : `${folder}/${path}`;
}
