import { readImports } from "./contents.ts";
import type { SqliteDatabase } from "./sqlite_database.ts";

/**
 * Largest number of stored records: that of a turbine takes 25 kB, its months of 21 years 80 kB, a licence of 50,000
 * turbines 2 MB.
 */
const MAX_RECORDS = 1000;

/**
 * Caches records until they may change, those of sites until the next import: reading and parsing that of a turbine takes
 * longer than all the rest of a small answer. A change by another process or connection is noticed at the next reading;
 * one on this connection calls {@linkcode RecordCache.forget}. Orders and licences are written all the time and change no
 * record of a site.
 */
export class RecordCache {
  readonly #database: SqliteDatabase;
  readonly #records = new Map<string, unknown>();
  readonly #passed = new Set<string>();
  readonly #readStamp: (database: SqliteDatabase) => unknown;
  #version: unknown;
  #stamp: unknown;

  /** @param readStamp Reads what is another one after every change of them */
  constructor(
    database: SqliteDatabase,
    readStamp: (database: SqliteDatabase) => unknown = readImports,
  ) {
    this.#database = database;
    this.#readStamp = readStamp;
  }

  /**
   * Returns a record, from the cache or read.
   *
   * @param read Reads it; `undefined` where there is none
   */
  get<T>(name: string, read: () => T | undefined): T | undefined {
    this.#forgetReplaced();
    if (this.#records.size >= MAX_RECORDS) this.#records.clear();
    const known = this.#records.get(name) as T | undefined;
    if (known !== undefined) return known;
    const record = read();
    if (record !== undefined) this.#records.set(name, record);
    return record;
  }

  /**
   * Runs a check of what changes only as the records do, unless it has passed since.
   *
   * @param name Name of the check
   * @param check Throws where something is wrong
   */
  checkOnce(name: string, check: () => void): void {
    this.#forgetReplaced();
    if (this.#passed.has(name)) return;
    check();
    this.#passed.add(name);
  }

  /** Empties the cache: this connection writes. */
  forget(): void {
    this.#records.clear();
    this.#passed.clear();
  }

  #forgetReplaced(): void {
    // Changes whenever another connection has committed something.
    const version = this.#database.get("PRAGMA data_version")!.data_version;
    if (version === this.#version) return;
    const stamp = this.#readStamp(this.#database);
    if (stamp !== this.#stamp) this.forget();
    this.#stamp = stamp;
    this.#version = version;
  }
}
