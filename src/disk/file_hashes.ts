import { readFileVersion } from "./file_version.ts";
import { hashFile } from "./sha256.ts";

/** Largest number of files whose hashes are kept. */
const MAX_FILES = 20_000;

/** Hashes of files, computed once for each version of a file and not again as long as nothing writes to it. */
export class FileHashes {
  readonly #known = new Map<string, { readonly version: string; readonly hash: Promise<string> }>();

  /** Whether a file is there whose hash would have to be computed. */
  isNew(path: string): boolean {
    const version = readFileVersion(path);
    return version !== undefined && this.#known.get(path)?.version !== version;
  }

  /**
   * SHA-256 of a file as it is now, hexadecimal.
   *
   * @returns `undefined` where it is missing
   */
  async get(path: string): Promise<string | undefined> {
    const version = readFileVersion(path);
    if (version === undefined) return undefined;
    const known = this.#known.get(path);
    if (known?.version === version) return await known.hash;
    if (this.#known.size >= MAX_FILES) this.#known.clear();
    const hash = hashFile(path);
    this.#known.set(path, { version, hash });
    try {
      return await hash;
    } catch (error) {
      this.#known.delete(path);
      if (error instanceof Deno.errors.NotFound) return undefined;
      throw error;
    }
  }
}
