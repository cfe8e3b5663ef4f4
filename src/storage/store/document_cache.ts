/** Kinds of documents, each after the kinds that it references: documents move between stores in this order. */
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

/** Most rows cached by a process. */
export const MAX_ENTRIES = 20_000;

/** Most characters of contents cached. */
const MAX_KEPT = 64_000_000;

/** Search keys of a document other than its identifier; "" for none. */
export interface Labels {
  /** Owner: the site of a turbine, the licence of a key. */
  readonly owner: string;
  readonly state: string;
  readonly search: string;
}

/** A document without its content, as in its row. */
export interface Entry extends Labels {
  readonly id: string;
  /** Hashes of the content's parts. */
  readonly parts: readonly string[];
}

/** State of a list; its version changes with each change of a document of its kind. */
export interface List {
  readonly version: string;
  readonly number: number;
  readonly sum: number;
}

/** Cache of a process: contents by hash, rows and lists until their kind changes. */
export class DocumentCache {
  readonly entries = new Map<string, { readonly version: string; readonly entry: Entry }>();
  readonly lists = new Map<Kind, { readonly version: string; readonly ids: readonly string[] }>();
  /** When a list may be compared again after a missing document, in `performance.now`. */
  readonly pauses = new Map<Kind, number>();
  /** The running query of the lists, the next one, and the change stamp of the running one. */
  running: Promise<ReadonlyMap<Kind, List>> | undefined;
  next: Promise<ReadonlyMap<Kind, List>> | undefined;
  stamp: unknown;
  #size = 0;
  readonly #values = new Map<string, { readonly value: unknown; readonly size: number }>();

  /** Returns a value by the hash of its text, and marks it as recently used. */
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
