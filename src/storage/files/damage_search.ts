import type { NamedFile } from "../store/sites.ts";
import type { Store } from "../store/store.ts";
import type { Files } from "./files.ts";

/** How long new files are hashed in one search, ms. */
const HASHING_TIME = 100;

/** Searches for imported files that are missing or damaged; each goes on where the one before ended. */
export class DamageSearch {
  readonly #store: Store;
  readonly #files: Files;
  /** Position of the first file that the search before had no time for. */
  #start = 0;

  constructor(store: Store, files: Files) {
    this.#store = store;
    this.#files = files;
  }

  /**
   * Finds what is missing or damaged. Files that were not read yet are hashed for a tenth of a second, the others by the next
   * searches.
   */
  async find(): Promise<NamedFile[]> {
    const end = performance.now() + HASHING_TIME;
    const damaged: NamedFile[] = [];
    const named = await this.#store.sites.files();
    const first = this.#start;
    let left: number | undefined;
    for (let i = 0; i < named.length; i++) {
      const position = (first + i) % named.length;
      const file = named[position];
      if (performance.now() > end && this.#files.isNew(file.name)) left ??= position;
      else if (!await this.#files.isSound(file.name)) damaged.push(file);
    }
    this.#start = left ?? 0;
    return damaged;
  }
}
