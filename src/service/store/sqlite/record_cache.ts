import type { SqliteDatabase } from "./sqlite_database.ts";

/** Most records that are kept, about 30 kB each. */
const MAX_RECORDS = 1000;

/**
 * Records as they were read, until somebody writes into the database: reading and parsing that of a turbine takes longer
 * than all the rest of a small answer. What another process or connection writes is seen at the next reading; who writes
 * by this connection says so.
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
   * A record.
   *
   * @param name What it is called here
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

  /** Forgets what was read: this connection writes. */
  forget(): void {
    this.#records.clear();
  }
}
