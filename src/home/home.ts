/** Name of the environment variable that names the home folder. */
export const HOME_VARIABLE = "VINDKIT_HOME";

/**
 * Folder where this library keeps what it must remember: `VINDKIT_HOME`, else `~/.vindkit`, else `.vindkit` here.
 */
export function homeFolder(): string {
  const own = Deno.env.get(HOME_VARIABLE);
  if (own) return own;
  const user = Deno.env.get("HOME") ?? Deno.env.get("USERPROFILE");
  return user ? `${user}/.vindkit` : ".vindkit";
}

/** Path inside the home folder. */
export function homePath(...parts: readonly string[]): string {
  return [homeFolder(), ...parts].join("/");
}
