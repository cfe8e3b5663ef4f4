/** Kinds of documents, each after those that it names: what is moved from one store to another is moved in this order. */
export const KINDS = [
  "world",
  "licence",
  "key",
  "site",
  "dataset",
  "points",
  "turbine",
  "order",
  "token",
] as const;

/** A kind of documents. */
export type Kind = typeof KINDS[number];

/** Rows that a process keeps. */
export const MAX_ENTRIES = 20_000;

/** Characters of contents that it keeps. */
const MAX_KEPT = 64_000_000;

/** What documents are found by besides their identifiers; "" for none. */
export interface Labels {
  /** Owner: for a turbine its site, for a key its licence. */
  readonly owner: string;
  readonly state: string;
  readonly search: string;
}

/** A document without its content: what its row has. */
export interface Entry extends Labels {
  readonly id: string;
  /** Hashes of the parts of its content. */
  readonly parts: readonly string[];
}

/** How a list is: another version after each change of a document of its kind. */
export interface List {
  readonly version: string;
  readonly number: number;
  readonly sum: number;
}

/** What a process keeps of documents: contents by their hashes, rows and lists until their kind changes. */
export class DocumentCache {
  readonly entries = new Map<string, { readonly version: string; readonly entry: Entry }>();
  readonly lists = new Map<Kind, { readonly version: string; readonly ids: readonly string[] }>();
  /** When a list may be compared again where something is missing, `performance.now`. */
  readonly pauses = new Map<Kind, number>();
  /** The last look at the lists, the next one, and what was another value before a change. */
  running: Promise<ReadonlyMap<Kind, List>> | undefined;
  next: Promise<ReadonlyMap<Kind, List>> | undefined;
  stamp: unknown;
  #size = 0;
  readonly #values = new Map<string, { readonly value: unknown; readonly size: number }>();

  /** A value by the hash of its text; it becomes the latest. */
  get(hash: string): unknown {
    const known = this.#values.get(hash);
    if (known) {
      this.#values.delete(hash);
      this.#values.set(hash, known);
    }
    return known?.value;
  }

  set(hash: string, value: unknown, size: number): void {
    if (this.#values.has(hash)) return;
    this.#values.set(hash, { value, size });
    this.#size += size;
    for (const [oldest, { size }] of this.#values) {
      if (this.#size <= MAX_KEPT) break;
      this.#values.delete(oldest);
      this.#size -= size;
    }
  }
}
