import { buildFolderFile } from "../../../src/service/files/folder/folder_file.ts";
import type { StoredFile } from "../../../src/service/files/files.ts";

/** A file of which parts are read, whatever its content is. */
export function fileAt(path: string): StoredFile {
  return buildFolderFile(path, { name: "", size: 0, hash: "", stored: 0 });
}
