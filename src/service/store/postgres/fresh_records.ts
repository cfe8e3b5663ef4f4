import type { PostgresQueries } from "./postgres_queries.ts";
import { SharedQuery } from "./shared_query.ts";

/** Largest number of stored records: that of a turbine takes 25 kB, its months of 21 years 80 kB. */
const MAX_RECORDS = 1000;

/** Name of their number in the table `about`. */
const IMPORTS = "imports";

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

/** Caches records until the next import by whatever process: how many there were is read before each answer. */
export class FreshRecords implements Records {
  readonly #version: SharedQuery<unknown>;
  #records = new Map<string, unknown>();
  #imports: unknown;

  /** @param database Where imports are counted */
  constructor(database: PostgresQueries) {
    this.#version = new SharedQuery(async () => {
      const rows = await database.all(
        "SELECT name, value FROM vindkit.about WHERE name = $1",
        IMPORTS,
      );
      return new Map(rows.map(({ name, value }) => [String(name), value]));
    });
  }

  async get<T>(name: string, read: () => Promise<T>): Promise<T> {
    const imports = await this.#version.get(IMPORTS);
    if (imports !== this.#imports) {
      this.#imports = imports;
      this.#records = new Map();
    }
    const records = this.#records;
    const known = records.get(name) as T | undefined;
    // Where another import is noticed while this one is read, nobody reads that map any more.
    const record = known ?? await read();
    if (record === undefined) return record;
    records.delete(name); // it becomes the latest
    records.set(name, record);
    if (records.size > MAX_RECORDS) records.delete(records.keys().next().value!);
    return record;
  }
}
