import { statSync } from "node:fs";
import { SideFile, syncFolder, writeAtomically } from "../../../disk/side_file.ts";
import { FileHashes } from "../../../disk/hashes.ts";
import { ignoreMissing, lockFolder } from "../../../disk/files.ts";
import { Files, IDENTITY_FILE, type OpenSlice, RENEWAL_AGE, type StoredFile } from "../files.ts";

/** Opens a part of a file from a position to its end. */
export async function openFrom(path: string, from: number): Promise<OpenSlice> {
  const file = await Deno.open(path);
  if (from > 0) await file.seek(from, Deno.SeekMode.Start);
  return { read: async (part) => await file.read(part) ?? 0, close: () => file.close() };
}

/** Sub-second part of a file's time, ms, derived from its name. */
const markOf = (name: string) => 1 + parseInt(name.slice(0, 8), 16) % 999;

/**
 * Returns a time for a file whose content is known to match its name: the sub-second part is the mark. Any other write
 * to the file leaves another time.
 *
 * @param instant Approximate time, milliseconds since 1970 UTC
 */
function markTime(name: string, instant: number): Date {
  return new Date(1000 * Math.floor(instant / 1000) + markOf(name));
}

/** Whether a time has the mark, to the nanosecond. */
function isMarked(name: string, nanoseconds: bigint): boolean {
  return nanoseconds % 1_000_000_000n === 1_000_000n * BigInt(markOf(name));
}

/** Files in a folder of this machine or of a file server. */
export class FolderFiles extends Files {
  readonly #folder: string;
  readonly #hashes = new FileHashes();

  /** @param folder Folder of the files, created with the first file */
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
    const info = statSync(path, { throwIfNoEntry: false }); // synchronous, because it is ten times faster
    if (hash === undefined || !info) return undefined;
    return {
      ...{ path, name, hash, size: info.size, stored: info.mtimeMs },
      open: (from) => openFrom(path, from),
      bytes: () => Deno.readFile(path),
    };
  }

  override async isUnchanged(name: string): Promise<boolean> {
    const path = this.path(name);
    const info = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (!info) return false;
    if (isMarked(name, info.mtimeNs)) return true;
    if (!await this.isSound(name)) return false;
    const time = markTime(name, Number(info.mtimeMs));
    await Deno.utime(path, time, time); // so the next check need not read it
    return true;
  }

  override async write(name: string, bytes: Uint8Array): Promise<void> {
    await Deno.mkdir(this.#folder, { recursive: true, mode: 0o700 });
    using _lock = await lockFolder(this.#folder, false);
    await writeAtomically(this.path(name), bytes);
    const time = markTime(name, Date.now());
    await Deno.utime(this.path(name), time, time);
    await syncFolder(this.#folder); // before a row names it
  }

  override async writeNew(name: string, bytes: Uint8Array): Promise<boolean> {
    await Deno.mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await using file = await SideFile.create(this.path(name));
    await file.write(bytes);
    try {
      await file.commit(this.path(name), { overwrite: false });
    } catch (error) {
      if (error instanceof Deno.errors.AlreadyExists) return false;
      throw error;
    }
    await syncFolder(this.#folder);
    return true;
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
    return entries.filter(({ isFile, name }) => isFile && name !== IDENTITY_FILE)
      .map(({ name }) => name);
  }

  override async removeOlder(name: string, instant: number): Promise<boolean> {
    using _lock = await ignoreMissing(lockFolder(this.#folder, true));
    const stored = (await ignoreMissing(Deno.stat(this.path(name))))?.mtime;
    if (!stored || stored.getTime() > instant) return false;
    return await ignoreMissing(Deno.remove(this.path(name)).then(() => true)) ?? false;
  }

  override close(): void {}
}
