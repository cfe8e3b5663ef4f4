/**
 * Path of the Deno to run: that of this process where the permission allows it, else `deno` from the PATH, as
 * `--allow-run=deno` permits.
 */
export function findDeno(): string {
  const command = Deno.execPath();
  const { state } = Deno.permissions.querySync({ name: "run", command });
  return state === "granted" ? command : "deno";
}
