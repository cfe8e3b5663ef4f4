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
 * Whether a path exists.
 *
 * @param path The path; a link counts, even a broken one
 */
export async function exists(path: string): Promise<boolean> {
  return await ignoreMissing(Deno.lstat(path)) !== undefined;
}

/**
 * Reads the facts that change with a file's content: its identity, its times in nanoseconds and its size.
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

/** Regular expression of a pattern; node:fs would need another permission. */
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
 * @returns Their paths, sorted; empty if there is none, or no such folder
 */
export async function matchFiles(path: string): Promise<string[]> {
  const listed = listFolder(dirname(path), readPattern(basename(path)));
  return await ignoreMissing(listed) ?? [];
}

/** Remedy for a full disk. */
export const MAKE_ROOM = "Free space on the disk, or name a folder on another disk";

/** Remedies for some errors of the system, by their codes. */
const REMEDIES: ReadonlyMap<unknown, string> = new Map([
  ["ENOSPC", MAKE_ROOM],
  ["EDQUOT", MAKE_ROOM],
  ["ELOOP", "Remove the symbolic link that leads back to itself, or name another path"],
]);

/**
 * Adds the failed action and a remedy to an error of the system, whose message lacks both. The cause keeps its code.
 *
 * @param action The failed action, such as "read /data/update.json"
 */
export function nameFailure(
  action: string,
  cause: unknown,
  remedy: string = REMEDIES.get(Object(cause).code) ??
    "Check that this path is correct, and that your user may read and write it",
): Error {
  return new Error(`Cannot ${action}: ${(cause as Error).message}. ${remedy}`, { cause });
}

/** Whether an error has the system's message, which lacks the action and a remedy. */
export function isRefusal(error: unknown): boolean {
  const { code } = Object(error) as { readonly code?: unknown };
  return typeof code === "string" && /^E[A-Z]+$/.test(code);
}

/** A stored file is missing, or its content does not match its name or its row. */
export class DamagedFileError extends Error {
  /** Path of the file. */
  readonly path: string;
  /** The problem and its remedy. */
  readonly problem: string;
  /** The problem may pass: somebody may restore a backup. */
  readonly passes = true;

  /** @param options The underlying failure */
  constructor(path: string, problem: string, options?: ErrorOptions) {
    super(`Cannot use ${path}: ${problem}`, options);
    this.name = "DamagedFileError";
    this.path = path;
    this.problem = problem;
  }
}

/**
 * Locks a folder of files until the lock is disposed of. While a file is renewed or moved to its place, none is removed: a
 * removal that checked its time earlier would consider it old. Windows cannot lock a folder.
 *
 * @param alone Whether the lock is exclusive, for removing files
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
