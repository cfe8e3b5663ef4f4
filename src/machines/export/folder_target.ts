import { dirname } from "node:path";
import { writeAtomically } from "../../disk/atomic_write.ts";
import { ignoreMissing } from "../../disk/ignore_missing.ts";
import { sha256 } from "../../disk/sha256.ts";
import { syncFolder } from "../../disk/sync_folder.ts";
import { lockFolder } from "../../storage/files/folder/lock_folder.ts";
import type { ExportTarget, VersionedText } from "./export_target.ts";

/** Mode of the files: other programs of other users read them, and the folder around them says who may. */
const MODE = 0o644;

/** An export in a folder, which is created with the first file. */
export class FolderTarget implements ExportTarget {
  readonly address: string;
  readonly isShared = false;

  constructor(folder: string) {
    this.address = folder.replace(/(?<=.)\/+$/, "");
  }

  async read(name: string): Promise<VersionedText | undefined> {
    const bytes = await ignoreMissing(Deno.readFile(this.#path(name)));
    return bytes && { text: new TextDecoder().decode(bytes), version: sha256(bytes) };
  }

  async write(name: string, bytes: Uint8Array): Promise<void> {
    const path = this.#path(name);
    await Deno.mkdir(dirname(path), { recursive: true });
    await writeAtomically(path, bytes, { mode: MODE });
    // The folders above are synced too: they may be new.
    for (let part = dirname(name);; part = dirname(part)) {
      await syncFolder(this.#path(part));
      if (part === ".") break;
    }
  }

  async replace(name: string, text: string, version: string | undefined): Promise<boolean> {
    await Deno.mkdir(this.address, { recursive: true });
    using _lock = await lockFolder(this.address, true);
    if ((await this.read(name))?.version !== version) return false;
    await this.write(name, new TextEncoder().encode(text));
    return true;
  }

  async list(folder: string): Promise<ReadonlyMap<string, number>> {
    const found = new Map<string, number>();
    const entries = await ignoreMissing(Array.fromAsync(Deno.readDir(this.#path(folder)))) ?? [];
    for (const { name, isDirectory } of entries) {
      const path = `${folder}/${name}`;
      if (isDirectory) {
        for (const [inner, bytes] of await this.list(path)) found.set(inner, bytes);
      } else {
        const info = await ignoreMissing(Deno.stat(this.#path(path)));
        if (info) found.set(path, info.size);
      }
    }
    return found;
  }

  async remove(name: string): Promise<void> {
    await ignoreMissing(Deno.remove(this.#path(name)));
  }

  [Symbol.dispose](): void {}

  #path(name: string): string {
    return `${this.address}/${name}`;
  }
}
