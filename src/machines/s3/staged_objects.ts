import { type Files, nameByHash, type StagedFiles } from "../../storage/files/files.ts";

/** Files that are on their way at once: their bytes are in memory meanwhile. */
export const MAX_PUTS = 6;

/**
 * Files on their way into an object store, a few at once: each is there when the store has answered, under a name that no row
 * names yet. What was not committed is removed a day later with other files that no row names; another import may need it.
 */
export class StagedObjects implements StagedFiles {
  readonly #files: Files;
  /** Those on their way, and those that failed, which the next ones wait for too. */
  readonly #puts = new Set<Promise<void>>();

  constructor(files: Files) {
    this.#files = files;
  }

  async put(bytes: Uint8Array, extension: string): Promise<string> {
    const name = nameByHash(bytes, extension);
    const put: Promise<void> = this.#store(name, bytes).then(() => void this.#puts.delete(put));
    put.catch(() => {}); // thrown below, at a later file, or by commit
    this.#puts.add(put);
    while (this.#puts.size >= MAX_PUTS) await Promise.race(this.#puts);
    return name;
  }

  async commit(): Promise<void> {
    await Promise.all(this.#puts);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(this.#puts);
  }

  async #store(name: string, bytes: Uint8Array): Promise<void> {
    if (!await this.#files.keep(name)) await this.#files.write(name, bytes);
  }
}
