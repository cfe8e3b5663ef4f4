import { SideFile } from "./side_file.ts";

/**
 * Writes a file so that a reader sees the old content or the new, never a part: a {@linkcode SideFile} in one call.
 *
 * @param path Where the file is to stand
 * @param bytes Its content
 * @param options Who may read and write it, and whether it is put on the disk before it has its name
 */
export async function writeAtomically(
  path: string,
  bytes: Uint8Array,
  { mode, sync }: { readonly mode?: number; readonly sync?: boolean } = {},
): Promise<void> {
  await using file = await SideFile.create(path, mode);
  await file.write(bytes);
  await file.commit(path, { sync });
}
