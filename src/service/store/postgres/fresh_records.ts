import type { PostgresDatabase } from "./postgres_database.ts";

/** Largest number of stored records: that of a turbine takes 25 kB, its months of 21 years 80 kB. */
const MAX_RECORDS = 1000;

/** Gives records from where they are stored, or as they were read before. */
export interface Records {
  /**
   * Returns a record.
   *
   * @param name Name of the record
   * @param read Reads it
   */
  get<T>(name: string, read: () => Promise<T>): Promise<T>;
}

/** Reads each time, as within a transaction, which sees what it has changed. */
export const READ_RECORDS: Records = { get: (_name, read) => read() };

/**
 * Caches records until the next import by whatever process: their number is read before each answer. Calls that come while it
 * is being read share the next reading, which begins after all of them.
 */
export class FreshRecords implements Records {
  readonly #database: PostgresDatabase;
  #records = new Map<string, unknown>();
  #imports: unknown;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  /** @param database Where imports are counted */
  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async get<T>(name: string, read: () => Promise<T>): Promise<T> {
    await this.#compare();
    const records = this.#records;
    if (records.has(name)) {
      const known = records.get(name) as T;
      records.delete(name); // it becomes the latest
      records.set(name, known);
      return known;
    }
    const record = await read();
    // Where another import was noticed meanwhile, this is a map that nobody reads any more.
    if (record !== undefined) records.set(name, record);
    if (records.size > MAX_RECORDS) records.delete(records.keys().next().value!);
    return record;
  }

  #compare(): Promise<void> {
    this.#next ??= this.#running.catch(() => {}).then(() => {
      this.#next = undefined;
      return this.#running = this.#readImports();
    });
    return this.#next;
  }

  async #readImports(): Promise<void> {
    const row = await this.#database.get("SELECT value FROM vindkit.about WHERE name = 'imports'");
    if (row?.value === this.#imports) return;
    this.#imports = row?.value;
    this.#records = new Map();
  }
}
