import { createHash, type Hash } from "node:crypto";
import { readFileVersion } from "./files.ts";

/** SHA-256 of bytes that arrive in parts, which Web Crypto cannot compute. */
export class Sha256 {
  readonly #hash: Hash = createHash("sha256");

  /** Adds the next part. */
  update(part: Uint8Array | string): this {
    this.#hash.update(part);
    return this;
  }

  /** The hash of all parts, hexadecimal. */
  hex(): string {
    return this.#hash.digest("hex");
  }
}

/** SHA-256 of bytes or a text, hexadecimal. */
export function sha256(content: Uint8Array | string): string {
  return new Sha256().update(content).hex();
}

/** SHA-256 of a file, hexadecimal; the file is read in parts of 1 MB. */
export async function hashFile(path: string): Promise<string> {
  const hash = new Sha256();
  using file = await Deno.open(path);
  const part = new Uint8Array(1 << 20);
  for (let read; (read = await file.read(part)) !== null;) hash.update(part.subarray(0, read));
  return hash.hex();
}

/** Largest number of files whose hashes are kept. */
const MAX_FILES = 20_000;

/** Hashes of files, computed once for each version of a file. */
export class FileHashes {
  readonly #known = new Map<string, { readonly version: string; readonly hash: Promise<string> }>();

  /**
   * SHA-256 of a file as it is now, hexadecimal.
   *
   * @returns `undefined` if it is missing
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
