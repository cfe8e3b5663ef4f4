import { openFrom } from "../../../src/storage/files/folder/folder_files.ts";
import type { SlicedFile } from "../../../src/storage/files/files.ts";

/** A file of which parts are read, whatever its content is. */
export function fileAt(path: string): SlicedFile {
  return { path, open: (from) => openFrom(path, from) };
}
