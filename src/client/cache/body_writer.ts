import type { SideFile } from "../../disk/side_file.ts";
import type { BodyCache } from "./body_cache.ts";
import type { CacheEntry } from "./cache_entry.ts";

/** Writes a body to the cache while it is read. A disk that is full or read-only does not stop the call. */
export class BodyWriter {
  readonly #cache: BodyCache;
  #file: SideFile | undefined;
  #problem: string | undefined;

  private constructor(cache: BodyCache, file: SideFile | undefined, problem?: string) {
    this.#cache = cache;
    this.#file = file;
    this.#problem = problem;
  }

  /** Begins to write a body. */
  static async begin(cache: BodyCache): Promise<BodyWriter> {
    try {
      return new BodyWriter(cache, await cache.createFile());
    } catch (error) {
      return new BodyWriter(cache, undefined, (error as Error).message);
    }
  }

  /** Passes the parts on and writes each. */
  async *pass(
    parts: AsyncIterable<Uint8Array<ArrayBuffer>>,
  ): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    for await (const part of parts) {
      await this.#try((file) => file.write(part));
      yield part;
    }
  }

  /**
   * Stores the body that was written.
   *
   * @returns Why it could not be stored; `undefined` if it was
   */
  async store(entry: CacheEntry): Promise<string | undefined> {
    await this.#try((file) => this.#cache.store(entry, file));
    return this.#problem;
  }

  /** Removes a body that was not stored. */
  async [Symbol.asyncDispose](): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.[Symbol.asyncDispose]();
  }

  async #try(act: (file: SideFile) => Promise<void>): Promise<void> {
    if (!this.#file) return;
    try {
      await act(this.#file);
    } catch (error) {
      this.#problem = (error as Error).message;
      await this[Symbol.asyncDispose]();
    }
  }
}
