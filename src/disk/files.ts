import { statSync } from "node:fs";
import { basename, dirname } from "node:path";

/**
 * Result of a call; `undefined` if its file or folder is missing.
 *
 * @throws {Error} If it fails otherwise
 */
export async function ignoreMissing<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/**
 * Whether something has a path.
 *
 * @param path The path; a link counts, wherever it leads
 */
export async function exists(path: string): Promise<boolean> {
  return await ignoreMissing(Deno.lstat(path)) !== undefined;
}

/**
 * Reads what a new content of a file changes: which file it is, its times in nanoseconds and its size.
 *
 * @returns `undefined` if it is missing
 */
export function readFileVersion(path: string): string | undefined {
  const info = statSync(path, { bigint: true, throwIfNoEntry: false });
  return info && [info.dev, info.ino, info.size, info.mtimeNs, info.ctimeNs].join(" ");
}

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

/** What to do where a disk is full. */
export const MAKE_ROOM = "Free space on its disk, or name a folder on another disk";

/** What to do about some refusals of the system, by their codes. */
const REMEDIES: ReadonlyMap<unknown, string> = new Map([
  ["ENOSPC", MAKE_ROOM],
  ["EDQUOT", MAKE_ROOM],
  ["ELOOP", "Remove the symbolic link that leads back to itself, or name another path"],
]);

/**
 * Names what was tried where the system refused it: its own message begins with the refusal. The cause keeps its code.
 *
 * @param what What was tried, such as "read /data/update.json"
 */
export function nameFailure(
  what: string,
  cause: unknown,
  remedy: string = REMEDIES.get(Object(cause).code) ??
    "Check this path, and whether your user may read and write it",
): Error {
  return new Error(`Cannot ${what}: ${(cause as Error).message}. ${remedy}`, { cause });
}

/** Whether an error has the system's own words, which name neither what was tried nor what to do. */
export function isRefusal(error: unknown): boolean {
  const { code } = Object(error) as { readonly code?: unknown };
  return typeof code === "string" && /^E[A-Z]+$/.test(code);
}

/** A stored file that is missing, or does not have the content that its name or its row says. */
export class DamagedFileError extends Error {
  /** Path of the file. */
  readonly path: string;
  /** What is wrong with it, and what to do next. */
  readonly problem: string;
  /** A backup of it may be put back. */
  readonly passes = true;

  /** @param options The failure that showed it */
  constructor(path: string, problem: string, options?: ErrorOptions) {
    super(`Cannot use ${path}: ${problem}`, options);
    this.name = "DamagedFileError";
    this.path = path;
    this.problem = problem;
  }
}

/**
 * Locks a folder of files until the lock is disposed of: none is removed while one is renewed or moved to its place, which a
 * removal that has looked at its time before would take for old. Windows cannot lock a folder.
 *
 * @param alone Whether files are removed: then no other lock is there
 * @throws {Deno.errors.NotFound} If the folder is missing
 */
export async function lockFolder(path: string, alone: boolean): Promise<Disposable | undefined> {
  if (Deno.build.os === "windows") return undefined;
  const folder = await Deno.open(path);
  try {
    await folder.lock(alone);
    return folder;
  } catch (error) {
    folder.close();
    throw error;
  }
}
