import { writeAtomically } from "../../home/atomic_write.ts";
import { type Files, nameOf } from "./files.ts";

/**
 * Files on their way into a data directory: on the disk beside the others, so that an import of many turbines needs no
 * memory for them, and in their places all at once. What was not committed leaves nothing behind.
 */
export class StagedFiles {
  readonly #files: Files;
  readonly #folder: string;
  readonly #names = new Set<string>();

  /** @param files Where they go */
  constructor(files: Files) {
    this.#files = files;
    this.#folder = files.path(`staged-${crypto.randomUUID()}`);
  }

  /**
   * Puts a file to the side; the same content is the same file.
   *
   * @param bytes Content
   * @param extension Ending of the name, such as "parquet"
   * @returns The name that it will have
   */
  async put(bytes: Uint8Array, extension: string): Promise<string> {
    const name = await nameOf(bytes, extension);
    if (!this.#names.has(name) && !await this.#files.has(name)) {
      await Deno.mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await writeAtomically(`${this.#folder}/${name}`, bytes);
      this.#names.add(name);
    }
    return name;
  }

  /** Puts all files into their places. */
  async commit(): Promise<void> {
    for (const name of this.#names) {
      await Deno.rename(`${this.#folder}/${name}`, this.#files.path(name));
    }
    this.#names.clear();
  }

  /** Removes what was not committed. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.#folder, { recursive: true }).catch((error) => {
      if (!(error instanceof Deno.errors.NotFound)) throw error; // none was put
    });
  }
}
