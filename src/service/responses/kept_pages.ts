import { hashText } from "./http_headers.ts";

/** Most bytes of kept pages: some dozens of pages with 500 turbines. */
const MAX_KEPT = 32_000_000;

/** A page ready to send. */
interface Page {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

/** A page, made or in the making; its size is 0 until it is made. */
interface Kept {
  readonly page: Promise<Page>;
  size: number;
}

/** Cache of pages that take long to make; concurrent requests for the same page share one. */
export class KeptPages {
  readonly #kept = new Map<string, Kept>();
  #size = 0;

  /**
   * Finds a page, or makes it; after a failure the next request makes it again.
   *
   * @param decides Everything that the page depends on
   * @param make Makes its text
   */
  async find(decides: readonly unknown[], make: () => Promise<string>): Promise<Page> {
    const key = hashText(JSON.stringify(decides));
    const entry = this.#kept.get(key);
    if (entry) {
      this.#kept.delete(key); // most recently used last
      this.#kept.set(key, entry);
      return await entry.page;
    }
    const page = make().then((text) => ({
      bytes: new TextEncoder().encode(text),
      etag: `"${hashText(text)}"`,
    }));
    const kept: Kept = { page, size: 0 };
    this.#kept.set(key, kept);
    try {
      const made = await page;
      kept.size = made.bytes.length;
      this.#size += kept.size;
      this.#forget();
      return made;
    } catch (error) {
      this.#kept.delete(key);
      throw error;
    }
  }

  #forget(): void {
    for (const [key, { size }] of this.#kept) {
      if (this.#size <= MAX_KEPT) return;
      if (size > 0) this.#kept.delete(key);
      this.#size -= size;
    }
  }
}
