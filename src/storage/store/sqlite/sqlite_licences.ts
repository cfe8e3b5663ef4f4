// deno-lint-ignore-file require-await -- SQLite answers at once; async turns what it throws into a rejection
import type { Licence, LicenceEntry, NewKey, StoredKey } from "../licence.ts";
import { formatKey, formatLicence, toKey, toLicence } from "../licence_row.ts";
import type { LicenceStore } from "../store.ts";
import { findTable } from "../stored_tables.ts";
import { RecordCache } from "./record_cache.ts";
import type { SqliteDatabase } from "./sqlite_database.ts";
import { insertRow, putRow } from "./sqlite_rows.ts";

/** The licences and keys of a SQLite store. */
export class SqliteLicences implements LicenceStore {
  readonly #database: SqliteDatabase;
  /** Each request reads a key and its licence; one of 50,000 turbines takes 4 ms. */
  readonly #read: RecordCache;

  constructor(database: SqliteDatabase) {
    this.#database = database;
    this.#read = new RecordCache(database, () => Symbol("any commit of others"));
  }

  async all(): Promise<LicenceEntry[]> {
    const rows = this.#database.select("licences", "ORDER BY serial_number");
    return await Promise.all(rows.map(async (row) => {
      const licence = toLicence(row);
      return { licence, keys: (await this.keys(licence.serialNumber)).length };
    }));
  }

  async keys(serialNumber: string): Promise<StoredKey[]> {
    const live = "serial_number = ? AND (expires IS NULL OR expires >= date('now'))";
    return this.#database.select("api_keys", `WHERE ${live} ORDER BY issued, hash`, serialNumber)
      .map(toKey);
  }

  async get(serialNumber: string): Promise<Licence | undefined> {
    return this.#get(serialNumber);
  }

  #get(serialNumber: string): Licence | undefined {
    return this.#read.get(`licence ${serialNumber}`, () => {
      const row = this.#database.findOne("licences", { serial_number: serialNumber });
      return row && toLicence(row);
    });
  }

  async findByKey(hash: string): Promise<{ licence: Licence; key: StoredKey } | undefined> {
    const key = this.#read.get(`key ${hash}`, () => {
      const row = this.#database.findOne("api_keys", { hash });
      return row && toKey(row);
    });
    const licence = key && this.#get(key.serialNumber);
    return licence && { licence, key }; // another process may have removed the licence meanwhile
  }

  async put(licence: Licence): Promise<void> {
    const row = formatLicence(licence);
    await this.#change(() => putRow(this.#database, findTable("licences"), row));
  }

  async addKey(key: NewKey): Promise<void> {
    await this.#change(() => {
      insertRow(this.#database, findTable("api_keys"), formatKey(key));
      this.#database.seal("api_keys", "hash = ?", key.hash);
    });
  }

  async removeKeys(serialNumber: string, hash?: string): Promise<number> {
    const sql = "DELETE FROM api_keys WHERE serial_number = ? AND hash = ifnull(?, hash)";
    return await this.#change(() => this.#database.run(sql, serialNumber, hash ?? null));
  }

  async remove(serialNumber: string): Promise<number | undefined> {
    return await this.#change(() => {
      const remove = (table: string) =>
        this.#database.run(`DELETE FROM ${table} WHERE serial_number = ?`, serialNumber);
      remove("orders");
      const keys = remove("api_keys");
      return remove("licences") > 0 ? keys : undefined;
    });
  }

  #change<T>(body: () => T): Promise<T> {
    return this.#database.write(() => {
      this.#read.forget();
      return body();
    });
  }
}
