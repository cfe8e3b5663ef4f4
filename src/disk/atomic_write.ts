import { SideFile } from "./side_file.ts";

/**
 * Writes a file so that a reader sees the old content or the new, never a part: to the side, to the disk, then renamed.
 *
 * @param path Where the file is to stand
 * @param bytes Its content
 */
export async function writeAtomically(path: string, bytes: Uint8Array): Promise<void> {
  await using file = await SideFile.create(path);
  await file.write(bytes);
  await file.commit(path);
}
