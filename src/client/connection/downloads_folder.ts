import { ConfigurationError } from "../../api/errors.ts";
import { preparePrivateFolder } from "../../disk/private_path.ts";

/**
 * Prepares folders that only their owner may enter.
 *
 * @param use What cannot be done without them, for the message
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

/** Prepares the folder in which downloads grow until they are complete. */
export async function prepareDownloadsFolder(home: string): Promise<string> {
  const folder = `${home}/downloads`;
  const hint = "Let VINDKIT_HOME name a folder of your own";
  await prepareFolders("save downloads", [folder], hint);
  return folder;
}

/** Refuses a download that the disk does not take. */
export function refuseDisk(cause: unknown): never {
  throw new ConfigurationError(`Cannot save a download: ${(cause as Error).message}`, {
    cause,
    hint: "Make room on the disk, or let VINDKIT_HOME name a folder on another one",
  });
}
