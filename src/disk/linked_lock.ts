import { ignoreMissing } from "./files.ts";

/** A folder with a `deno.json` and a `deno.lock`. */
interface LinkedFolder {
  readonly name: string;
  readonly version: string;
  /** Path of its `deno.lock`. */
  readonly lock: string;
}

/**
 * Builds the lock file of a folder that links to another folder of this machine, with the same versions of packages. Deno
 * would ask the registry for new versions unless the lock contains the link.
 *
 * @param linked The linked folder
 * @param dependencies Direct imports of the new folder, as `npm:hono@4.13.19`. @default the same as the linked one
 * @returns `undefined` if the linked folder has no lock file
 */
export async function buildLinkedLock(
  { name, version, lock }: LinkedFolder,
  dependencies?: readonly string[],
): Promise<string | undefined> {
  const text = await ignoreMissing(Deno.readTextFile(lock));
  if (text === undefined) return undefined;
  const { workspace, ...packages } = JSON.parse(text);
  const links = { [`jsr:${name}@${version}`]: { dependencies: workspace.dependencies } };
  const linkedWorkspace = { dependencies: dependencies ?? workspace.dependencies, links };
  return JSON.stringify({ ...packages, workspace: linkedWorkspace }, null, 2) + "\n";
}
