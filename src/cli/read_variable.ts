/**
 * Reads a variable of the environment.
 *
 * @returns `undefined` where it is empty, not set, or this task has no permission to read it
 */
export function readVariable(name: string): string | undefined {
  const { state } = Deno.permissions.querySync({ name: "env", variable: name });
  return state === "granted" ? Deno.env.get(name) || undefined : undefined;
}
