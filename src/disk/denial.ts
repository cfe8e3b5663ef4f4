import { dirname } from "node:path";
import { ConfigurationError } from "../api/errors.ts";

/** Whether a permission is missing. */
function isDenied(error: unknown): boolean {
  return error instanceof Error &&
    (error instanceof Deno.errors.NotCapable || isDenied(error.cause));
}

/** Advice on permissions for shared storage. */
const SHARED =
  "In a checkout, run: deno task shared COMMAND. Elsewhere, allow the permissions that docs/security.md lists for the command";

/**
 * The error for a failed action; if a permission is missing, an error that explains how to give it.
 *
 * @param act The failed action, such as "open /data", without a secret
 * @param remedy How to give the permission, see {@linkcode adviseGrant}. @default a task of the checkout has it
 */
export function explainDenial(error: unknown, act: string, remedy = () => SHARED): unknown {
  if (!isDenied(error)) return error;
  return new ConfigurationError(`Cannot ${act}: this program has no permission for it`, {
    hint: remedy(),
    cause: error,
  });
}

/** The nearest deno.json above the script, if it sets the permissions of scripts. */
function findGrants(): string | undefined {
  const { protocol, pathname } = new URL(Deno.mainModule);
  if (protocol !== "file:") return undefined;
  for (let path = decodeURIComponent(pathname); path !== dirname(path);) {
    path = dirname(path);
    try {
      const { permissions } = JSON.parse(Deno.readTextFileSync(`${path}/deno.json`));
      return permissions?.default && `${path}/deno.json`;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) return undefined;
    }
  }
}

/**
 * Explains how to give the missing permissions for a host or a path: in the deno.json with the script's permissions, else
 * by flags.
 *
 * @param value The host or the path
 * @param kinds The kinds of permission that are needed
 */
export function adviseGrant(
  value: string,
  ...kinds: readonly ("net" | "read" | "write")[]
): string {
  const missing = kinds.filter((name) =>
    Deno.permissions.querySync(name === "net" ? { name, host: value } : { name, path: value })
      .state !== "granted"
  );
  const file = findGrants();
  if (!file) return `Run it with ${missing.map((kind) => `--allow-${kind}=${value}`).join(" ")}`;
  const places = missing.map((kind) => `permissions.default.${kind}`).join(" and ");
  return `Add ${JSON.stringify(value)} to ${places} in ${file}, and run with -P`;
}
