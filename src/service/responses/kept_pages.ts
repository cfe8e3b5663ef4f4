import { hashText } from "./http_headers.ts";

/** Bytes of the pages that are kept: some dozens of 500 turbines. */
const MAX_KEPT = 32_000_000;

/** A page as it is sent. */
interface Page {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

/** A page that is being made, or was; its size is 0 until then. */
interface Kept {
  readonly page: Promise<Page>;
  size: number;
}

/** Pages that take long to make, by all that decides them: requests for the same page share one. */
export class KeptPages {
  readonly #kept = new Map<string, Kept>();
  #size = 0;

  /**
   * Finds a page, or makes it; one that could not be made is made again at the next request.
   *
   * @param decides Everything that the page depends on
   * @param make Makes its text
   */
  async find(decides: readonly unknown[], make: () => Promise<string>): Promise<Page> {
    const key = hashText(JSON.stringify(decides));
    const known = this.#kept.get(key);
    if (known) {
      this.#kept.delete(key); // the last one used comes last
      this.#kept.set(key, known);
      return await known.page;
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
