import { FolderFile } from "../../../src/storage/files/folder/folder_files.ts";

/** A file of which parts are read, whatever its content is. */
export function fileAt(path: string): FolderFile {
  return new FolderFile(path, { name: "", size: 0, hash: "", stored: 0 });
}
