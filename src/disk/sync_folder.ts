/**
 * Syncs the names in a folder to the disk, so that a file renamed into it is there also after a power failure. Windows
 * does this by itself.
 */
export async function syncFolder(path: string): Promise<void> {
  if (Deno.build.os === "windows") return;
  using folder = await Deno.open(path);
  await folder.sync();
}
