import { openFrom } from "../../../src/storage/files/folder/folder_files.ts";
import type { SlicedFile } from "../../../src/storage/files/files.ts";

/** A file whose parts are read, with any content. */
export function fileAt(path: string): SlicedFile {
  return { path, open: (from) => openFrom(path, from) };
}
