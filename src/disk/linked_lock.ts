import { ignoreMissing } from "./files.ts";

/** A folder with a `deno.json` and a `deno.lock`. */
interface LinkedFolder {
  readonly name: string;
  readonly version: string;
  /** Path of its `deno.lock`. */
  readonly lock: string;
}

/**
 * Builds the lock file of another folder that uses a folder of this machine: the same versions of packages. Deno resolves
 * them again, at the registry, unless the lock says that it knows of the link.
 *
 * @param linked The folder that is used
 * @param dependencies What the other folder itself imports, as `npm:hono@4.13.19`. @default the same as the linked one
 * @returns `undefined` if that has no lock file
 */
export async function buildLinkedLock(
  { name, version, lock }: LinkedFolder,
  dependencies?: readonly string[],
): Promise<string | undefined> {
  const text = await ignoreMissing(Deno.readTextFile(lock));
  if (text === undefined) return undefined;
  const { workspace, ...packages } = JSON.parse(text);
  const links = { [`jsr:${name}@${version}`]: { dependencies: workspace.dependencies } };
  const own = { dependencies: dependencies ?? workspace.dependencies, links };
  return JSON.stringify({ ...packages, workspace: own }, null, 2) + "\n";
}
