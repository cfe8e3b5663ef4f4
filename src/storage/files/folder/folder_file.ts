import type { OpenSlice } from "../sliced_file.ts";
import type { StoredFile } from "../files.ts";

/** A file of a folder. */
export class FolderFile implements StoredFile {
  readonly path: string;
  readonly name: string;
  readonly size: number;
  readonly hash: string;
  readonly stored: number;

  constructor(
    path: string,
    found: Pick<StoredFile, "name" | "size" | "hash" | "stored">,
  ) {
    this.path = path;
    this.name = found.name;
    this.size = found.size;
    this.hash = found.hash;
    this.stored = found.stored;
  }

  async open(from: number): Promise<OpenSlice> {
    const file = await Deno.open(this.path);
    if (from > 0) await file.seek(from, Deno.SeekMode.Start);
    return {
      read: async (part) => await file.read(part) ?? 0,
      close: () => file.close(),
    };
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return await Deno.readFile(this.path);
  }
}
