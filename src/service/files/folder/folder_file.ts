import type { StoredFile } from "../files.ts";

/**
 * Builds a file of a folder.
 *
 * @param found What was found of it
 */
export function buildFolderFile(
  path: string,
  found: Pick<StoredFile, "name" | "size" | "hash" | "stored">,
): StoredFile {
  return {
    ...found,
    path,
    async open(from) {
      const file = await Deno.open(path);
      if (from > 0) await file.seek(from, Deno.SeekMode.Start);
      return {
        read: async (part) => await file.read(part) ?? 0,
        close: () => file.close(),
      };
    },
    bytes: () => Deno.readFile(path),
  };
}
