import type { SqliteDatabase } from "./sqlite_database.ts";

/** Largest number of stored records: that of a turbine takes 25 kB, its months of 21 years 80 kB. */
const MAX_RECORDS = 1000;

/**
 * Caches records until the database changes: reading and parsing that of a turbine takes longer than all the rest of a
 * small answer. Changes by another process or connection are noticed at the next reading; a writer on this connection
 * calls {@linkcode RecordCache.forget}.
 */
export class RecordCache {
  readonly #database: SqliteDatabase;
  readonly #records = new Map<string, unknown>();
  #version: unknown;

  /** @param database Where they are read */
  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  /**
   * Returns a record, from the cache or read.
   *
   * @param name Name of the record in the cache
   * @param read Reads it; `undefined` where there is none
   */
  get<T>(name: string, read: () => T | undefined): T | undefined {
    // Changes whenever another connection has committed something.
    const version = this.#database.get("PRAGMA data_version")!.data_version;
    if (version !== this.#version || this.#records.size >= MAX_RECORDS) this.#records.clear();
    this.#version = version;
    const known = this.#records.get(name) as T | undefined;
    if (known !== undefined) return known;
    const record = read();
    if (record !== undefined) this.#records.set(name, record);
    return record;
  }

  /** Empties the cache: this connection writes. */
  forget(): void {
    this.#records.clear();
  }
}
