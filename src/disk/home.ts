/** Variables of the environment: `Deno.env`, or a `Map` instead. */
export type Environment = Pick<Deno.Env, "get">;

/**
 * Folder in which this library stores its config file, cache and orders: `VINDKIT_HOME`, else `~/.vindkit`, else
 * `.vindkit` in the working folder.
 */
export function homeFolder(environment: Environment = Deno.env): string {
  const home = environment.get("VINDKIT_HOME");
  if (home) return home;
  const user = environment.get("HOME") ?? environment.get("USERPROFILE");
  return user ? `${user}/.vindkit` : ".vindkit";
}

/** Path inside the home folder. */
export function homePath(...parts: readonly string[]): string {
  return [homeFolder(), ...parts].join("/");
}

/**
 * Path of the Deno to run: this process's if the permission allows it, else `deno` from the PATH, as
 * `--allow-run=deno` permits.
 */
export function findDeno(): string {
  const command = Deno.execPath();
  const { state } = Deno.permissions.querySync({ name: "run", command });
  return state === "granted" ? command : "deno";
}
