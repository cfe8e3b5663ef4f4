import { SideFile } from "./side_file.ts";

/**
 * Writes a file so that a reader sees the old content or the new, never a part: a {@linkcode SideFile} in one call.
 *
 * @param options Mode of the file, and whether it is synced to the disk before it is renamed
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
