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
