import type { SideFile } from "../../disk/side_file.ts";
import type { BodyCache } from "./body_cache.ts";
import type { CacheEntry } from "./cache_entry.ts";

/** Writes a body to the side while it passes by. A disk that is full or read-only does not stop the call. */
export class BodyWriter {
  readonly #cache: BodyCache;
  #file: SideFile | undefined;
  #problem: string | undefined;

  private constructor(cache: BodyCache, file: SideFile | undefined, problem?: string) {
    this.#cache = cache;
    this.#file = file;
    this.#problem = problem;
  }

  /** Begins to keep a body. */
  static async begin(cache: BodyCache): Promise<BodyWriter> {
    try {
      return new BodyWriter(cache, await cache.createFile());
    } catch (error) {
      return new BodyWriter(cache, undefined, (error as Error).message);
    }
  }

  /** The parts, written as they pass by. */
  async *pass(
    parts: AsyncIterable<Uint8Array<ArrayBuffer>>,
  ): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    for await (const part of parts) {
      await this.#try((file) => file.write(part));
      yield part;
    }
  }

  /**
   * Keeps the body that has passed by.
   *
   * @returns Why it could not be kept, if so
   */
  async store(entry: CacheEntry): Promise<string | undefined> {
    await this.#try((file) => this.#cache.store(entry, file));
    return this.#problem;
  }

  /** Gives up; what was kept stays. */
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
