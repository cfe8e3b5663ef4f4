import { statSync } from "node:fs";
import { syncFolder, writeAtomically } from "../../../disk/side_file.ts";
import { FileHashes } from "../../../disk/hashes.ts";
import { ignoreMissing } from "../../../disk/files.ts";
import { Files, RENEWAL_AGE, type StagedFiles, type StoredFile } from "../files.ts";
import { lockFolder } from "./lock_folder.ts";
import { isMarked, markTime, StagedFolder } from "./staged_folder.ts";
import type { OpenSlice } from "../sliced_file.ts";

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

/** Files in a folder of this machine, or of a file server. */
export class FolderFiles extends Files {
  readonly #folder: string;
  readonly #hashes = new FileHashes();

  /** @param folder Folder of the files; created with the first file */
  constructor(folder: string) {
    super();
    this.#folder = folder;
  }

  override path(name: string): string {
    return `${this.#folder}/${name}`;
  }

  override async find(name: string): Promise<StoredFile | undefined> {
    const path = this.path(name);
    const hash = await this.#hashes.get(path);
    const info = statSync(path, { throwIfNoEntry: false }); // at once: a wait takes ten times as long
    if (hash === undefined || !info) return undefined;
    return new FolderFile(path, { name, size: info.size, hash, stored: info.mtimeMs });
  }

  override async isUnchanged(name: string): Promise<boolean> {
    const path = this.path(name);
    const info = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (!info) return false;
    if (isMarked(name, info.mtimeNs)) return true;
    if (!await this.isSound(name)) return false;
    const time = markTime(name, Number(info.mtimeMs));
    await Deno.utime(path, time, time); // the next look need not read it
    return true;
  }

  override isNew(name: string): boolean {
    return this.#hashes.isNew(this.path(name));
  }

  override async write(name: string, bytes: Uint8Array): Promise<void> {
    await Deno.mkdir(this.#folder, { recursive: true, mode: 0o700 });
    using _lock = await lockFolder(this.#folder, false);
    await writeAtomically(this.path(name), bytes);
    const time = markTime(name, Date.now());
    await Deno.utime(this.path(name), time, time);
    await syncFolder(this.#folder); // before a row names it
  }

  override async renew(name: string): Promise<boolean> {
    using _lock = await ignoreMissing(lockFolder(this.#folder, false));
    const info = statSync(this.path(name), { bigint: true, throwIfNoEntry: false });
    if (!info) return false;
    if (Date.now() - Number(info.mtimeMs) < RENEWAL_AGE) return true;
    const now = isMarked(name, info.mtimeNs) ? markTime(name, Date.now()) : new Date();
    return await ignoreMissing(Deno.utime(this.path(name), now, now).then(() => true)) ?? false;
  }

  override async names(): Promise<string[]> {
    const entries = await ignoreMissing(Array.fromAsync(Deno.readDir(this.#folder))) ?? [];
    return entries.filter(({ isFile }) => isFile).map(({ name }) => name);
  }

  override async removeOlder(name: string, instant: number): Promise<boolean> {
    using _lock = await ignoreMissing(lockFolder(this.#folder, true));
    const stored = (await ignoreMissing(Deno.stat(this.path(name))))?.mtime;
    if (!stored || stored.getTime() > instant) return false;
    return await ignoreMissing(Deno.remove(this.path(name)).then(() => true)) ?? false;
  }

  override stage(): StagedFiles {
    return new StagedFolder(this);
  }

  override close(): void {}
}
