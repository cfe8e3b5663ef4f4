/** Whether others than the owner may do anything with a file of this mode; systems without modes say nothing. */
function isOpenToOthers(mode: number | null): boolean {
  return mode !== null && (mode & 0o077) !== 0;
}

/**
 * Makes a folder that only its owner may enter, or checks the one that is there.
 *
 * @param path The folder
 * @returns Why it must not be used, or `null` where it may
 */
export async function preparePrivateFolder(path: string): Promise<string | null> {
  await Deno.mkdir(path, { recursive: true, mode: 0o700 });
  const { isSymlink, isDirectory, mode } = await Deno.lstat(path);
  if (isSymlink) return "it is a link to another place";
  if (!isDirectory) return "it is no folder";
  if (isOpenToOthers(mode)) {
    return `others may enter it (mode ${(mode! & 0o777).toString(8)}). ` +
      `Look whether its content is your own, then: chmod 700 ${path}`;
  }
  return null;
}
