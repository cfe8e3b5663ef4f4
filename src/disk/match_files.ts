import { basename, dirname } from "node:path";
import { ignoreMissing } from "./ignore_missing.ts";

/** Whether a path has * or ? in its name, for several files of a folder. */
export function isPattern(path: string): boolean {
  return /[*?]/.test(basename(path));
}

/** What the names of a pattern match; node:fs would need a permission more. */
function readPattern(pattern: string): RegExp {
  const parts = pattern.split(/([*?])/).map((part) =>
    part === "*" ? ".*" : part === "?" ? "." : RegExp.escape(part)
  );
  return new RegExp(`^${parts.join("")}$`, "s");
}

/**
 * Lists the files of a folder whose names match, sorted.
 *
 * @returns Their paths
 */
export async function listFolder(folder: string, wanted: RegExp): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder)))
    .filter(({ isDirectory, name }) => !isDirectory && wanted.test(name))
    .map(({ name }) => `${folder}/${name}`).sort();
}

/**
 * Lists the files that a pattern names, as `data/*.csv`: `*` is any text and `?` any character of a name.
 *
 * @param path Path whose name is a pattern
 * @returns Their paths, sorted; empty where there is none, or no such folder
 */
export async function matchFiles(path: string): Promise<string[]> {
  const listed = listFolder(dirname(path), readPattern(basename(path)));
  return await ignoreMissing(listed) ?? [];
}
