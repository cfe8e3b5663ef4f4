/**
 * Puts the names in a folder on the disk: a file that was renamed into it stays there also when the power fails. Systems
 * that open no folders do this by themselves.
 *
 * @param path The folder
 */
export async function syncFolder(path: string): Promise<void> {
  if (Deno.build.os === "windows") return;
  using folder = await Deno.open(path);
  await folder.sync();
}
