/** Variables of the environment: those of this process, or a `Map` in their place. */
export type Environment = Pick<Deno.Env, "get">;

/**
 * Folder where this library keeps what it must remember: `VINDKIT_HOME`, else `~/.vindkit`, else `.vindkit` here.
 *
 * @param environment Variables that say so
 */
export function homeFolder(environment: Environment = Deno.env): string {
  const own = environment.get("VINDKIT_HOME");
  if (own) return own;
  const user = environment.get("HOME") ?? environment.get("USERPROFILE");
  return user ? `${user}/.vindkit` : ".vindkit";
}

/** Path inside the home folder. */
export function homePath(...parts: readonly string[]): string {
  return [homeFolder(), ...parts].join("/");
}
