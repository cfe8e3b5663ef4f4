import { writeAtomically } from "../../disk/atomic_write.ts";
import { DamagedFileError } from "../../disk/damaged_file.ts";
import { FileHashes } from "../../disk/file_hashes.ts";
import { sha256 } from "../../disk/sha256.ts";
import { syncFolder } from "../../disk/sync_folder.ts";

/** Name of a file by its content. */
export function nameByHash(bytes: Uint8Array, extension: string): string {
  return `${sha256(bytes)}.${extension}`;
}

/** Immutable files of a data directory, named by the hash of their content, which is compared before they are used. */
export class Files {
  readonly #folder: string;
  /** Hashes of files in the folder, also of what is rendered of its own. */
  readonly hashes: FileHashes = new FileHashes();

  /** @param folder Folder of the files; created with the first file */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Path of a file. */
  path(name: string): string {
    return `${this.#folder}/${name}`;
  }

  /** SHA-256 of a file as it is now, computed once for each version of it; `undefined` where it is missing. */
  async hash(name: string): Promise<string | undefined> {
    return await this.hashes.get(this.path(name));
  }

  /** Whether a file is there with the content that its name says. */
  async isSound(name: string): Promise<boolean> {
    return await this.hash(name) === name.slice(0, name.indexOf("."));
  }

  /**
   * Sets the time of a file to now: without a row that names it, an old file would be removed.
   *
   * @returns Whether it exists
   */
  async renew(name: string): Promise<boolean> {
    const now = new Date();
    return await ignoreMissing(Deno.utime(this.path(name), now, now).then(() => true)) ?? false;
  }

  /**
   * Stores a file, once; the same content is the same file. A damaged one is replaced.
   *
   * @param bytes Content
   * @param extension Ending of the name, such as "parquet"
   * @returns Its name
   */
  async put(bytes: Uint8Array, extension: string): Promise<string> {
    const name = nameByHash(bytes, extension);
    if (!(await this.isSound(name) && await this.renew(name))) {
      await Deno.mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await writeAtomically(this.path(name), bytes);
      await syncFolder(this.#folder); // before a row names it
    }
    return name;
  }

  /** Names of all files; empty where nothing has been stored yet. */
  async names(): Promise<string[]> {
    const entries = await ignoreMissing(Array.fromAsync(Deno.readDir(this.#folder))) ?? [];
    return entries.filter(({ isFile }) => isFile).map(({ name }) => name);
  }

  /**
   * Removes a file unless it was stored after an instant.
   *
   * @param instant Milliseconds since 1970 UTC
   * @returns Whether it was removed
   */
  async removeOlder(name: string, instant: number): Promise<boolean> {
    const stored = (await ignoreMissing(Deno.stat(this.path(name))))?.mtime;
    if (!stored || stored.getTime() > instant) return false;
    return await ignoreMissing(Deno.remove(this.path(name)).then(() => true)) ?? false;
  }

  /**
   * Reads a file.
   *
   * @throws {DamagedFileError} If it is missing, or its content is not what its name says
   */
  async read(name: string): Promise<Uint8Array<ArrayBuffer>> {
    if (await this.isSound(name)) return await Deno.readFile(this.path(name));
    const missing = await this.hash(name) === undefined;
    throw new DamagedFileError(
      this.path(name),
      (missing
        ? "it is missing"
        : "it is damaged, its content does not have the hash in its name") +
        ". Put it back from a backup, or import its site again",
    );
  }
}

/** Result of a call; `undefined` where its file is missing. */
async function ignoreMissing<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
