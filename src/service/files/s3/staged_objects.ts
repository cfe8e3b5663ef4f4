import type { Files, StagedFiles } from "../files.ts";

/**
 * Files on their way into an object store: they are there at once, under names that no row names yet. What was not committed is
 * removed a day later with other files that no row names; another import may need it.
 */
export class StagedObjects implements StagedFiles {
  readonly #files: Files;

  /** @param files Where they go */
  constructor(files: Files) {
    this.#files = files;
  }

  async put(bytes: Uint8Array, extension: string): Promise<string> {
    return await this.#files.put(bytes, extension);
  }

  async commit(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {}
}
