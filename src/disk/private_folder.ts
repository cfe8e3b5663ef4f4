/** Whether a mode gives rights to others than the owner; `null` on systems without modes. */
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
    return `others may enter it (mode ${(mode! & 0o777).toString(8)}). ` +
      `Look whether its content is your own, then: chmod 700 ${path}`;
  }
  return null;
}
