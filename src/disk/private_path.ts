import { ConfigurationError } from "../api/errors.ts";

/** Rights of others in a mode. */
const OTHERS = 0o077;

/** Right of others to write in a mode. */
const OTHERS_WRITE = 0o022;

/**
 * Makes a file that only its owner may read, or checks an existing one: others cannot write to its folder, and it is no
 * link. It removes the rights of others. Files that a database puts next to it get the same rights.
 *
 * @param folder Folder of the file; created for its owner only, if it is missing
 * @param name Name of the file
 * @returns Why the file must not be used; `null` if it may be used
 */
export function preparePrivateFile(folder: string, name: string): string | null {
  const path = `${folder}/${name}`;
  Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { mode: folderMode } = Deno.statSync(folder);
  if (folderMode !== null && (folderMode & OTHERS_WRITE) !== 0) {
    return `other users may write to its folder (mode ${(folderMode & 0o777).toString(8)}). ` +
      `Check that its content is yours, then run: chmod 700 ${folder}`;
  }
  try {
    Deno.openSync(path, { write: true, createNew: true, mode: 0o600 }).close();
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
  const { isSymlink, isFile, mode } = Deno.lstatSync(path);
  if (isSymlink) return "it is a symbolic link. Remove it, or put the file itself there";
  if (!isFile) return "it is not a file";
  if (mode !== null && (mode & OTHERS) !== 0) Deno.chmodSync(path, 0o600);
  return null;
}

/** Whether a mode gives rights to others; it is `null` on systems without modes. */
function isOpenToOthers(mode: number | null): boolean {
  return mode !== null && (mode & 0o077) !== 0;
}

/**
 * Makes a folder that only its owner may enter, or checks an existing one.
 *
 * @returns Why the folder must not be used; `null` if it may be used
 */
export async function preparePrivateFolder(path: string): Promise<string | null> {
  await Deno.mkdir(path, { recursive: true, mode: 0o700 });
  const { isSymlink, isDirectory, mode } = await Deno.lstat(path);
  if (isSymlink) return "it is a symbolic link";
  if (!isDirectory) return "it is not a folder";
  if (isOpenToOthers(mode)) {
    return `other users may enter it (mode ${(mode! & 0o777).toString(8)}). ` +
      `Check that its content is yours, then run: chmod 700 ${path}`;
  }
  return null;
}

/**
 * Prepares folders that only their owner may enter.
 *
 * @param use Action that needs them, for the message
 * @throws {ConfigurationError} If one is not writable, or other users can write to it; the message names the first
 */
export async function prepareFolders(
  use: string,
  folders: readonly string[],
  hint?: string,
): Promise<void> {
  let problem: string | null = null;
  try {
    for (const folder of folders) problem ??= await preparePrivateFolder(folder);
  } catch (cause) {
    problem = (cause as Error).message;
  }
  if (problem === null) return;
  throw new ConfigurationError(`Cannot ${use} in ${folders[0]}: ${problem}`, hint ? { hint } : {});
}

/** Prepares the folder of incomplete downloads. */
export async function prepareDownloadsFolder(home: string): Promise<string> {
  const folder = `${home}/downloads`;
  const hint = "Set VINDKIT_HOME to a folder that you own";
  await prepareFolders("save downloads", [folder], hint);
  return folder;
}

/** Reports a download that the disk cannot store. */
export function refuseDisk(cause: unknown): never {
  throw new ConfigurationError(`Cannot save a download: ${(cause as Error).message}`, {
    cause,
    hint: "Free space on the disk, or set VINDKIT_HOME to a folder on another disk",
  });
}
