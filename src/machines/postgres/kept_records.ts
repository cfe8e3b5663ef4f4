/** Keeps the records that were used last, each under the version that its reader saw before it was read. */
export class KeptRecords {
  readonly #limit: number;
  readonly #kept = new Map<string, { readonly version: string; readonly record: unknown }>();

  /** @param limit Largest number of records */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Returns a record of a version, or of a later one; those who ask while it is read share the reading.
   *
   * @param read Reads it; what it does not find is not kept
   */
  async get<T>(name: string, version: string, read: () => Promise<T>): Promise<T> {
    const known = this.#kept.get(name);
    const kept = known?.version === version ? known : { version, record: read() };
    this.#kept.delete(name); // it becomes the latest
    this.#kept.set(name, kept);
    if (this.#kept.size > this.#limit) this.#kept.delete(this.#kept.keys().next().value!);
    let record: unknown;
    try {
      return (record = await kept.record) as T;
    } finally {
      if (record === undefined && this.#kept.get(name) === kept) this.#kept.delete(name);
    }
  }
}
