// deno-lint-ignore-file require-await -- SQLite answers at once; async turns what it throws into a rejection
import type { SQLOutputValue } from "node:sqlite";
import type { Licence, LicenceEntry, StoredKey } from "../licence.ts";
import type { LicenceStore } from "../store.ts";
import type { Row, SqliteDatabase } from "./sqlite_database.ts";

/** Formats a list as JSON: it is only read as a whole. */
function formatNames(list: readonly string[] | null): string | null {
  return list && JSON.stringify(list);
}

/** A licence from its row. */
function toLicence(row: Row): Licence {
  const list = (value: SQLOutputValue) => value === null ? null : JSON.parse(value as string);
  return {
    serialNumber: row.serial_number as string,
    email: row.email as string,
    expires: row.expires as string | null,
    turbines: list(row.turbines),
    datasets: list(row.datasets),
  };
}

/** The licences and keys of a SQLite store. */
export class SqliteLicences implements LicenceStore {
  readonly #database: SqliteDatabase;

  /** @param database Their database */
  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  async all(): Promise<LicenceEntry[]> {
    return this.#database
      .all(
        `SELECT *, (SELECT count(*) FROM api_keys WHERE serial_number = own.serial_number
          AND (expires IS NULL OR expires >= date('now'))) AS keys
         FROM licences AS own ORDER BY serial_number`,
      )
      .map((row) => ({ licence: toLicence(row), keys: row.keys as number }));
  }

  async get(serialNumber: string): Promise<Licence | undefined> {
    const row = this.#database.get("SELECT * FROM licences WHERE serial_number = ?", serialNumber);
    return row && toLicence(row);
  }

  /** In one step: another process may be removing them. */
  async findByKey(hash: string): Promise<{ licence: Licence; key: StoredKey } | undefined> {
    const row = this.#database.get(
      `SELECT licences.*, api_keys.expires AS key_expires
       FROM api_keys JOIN licences USING (serial_number) WHERE hash = ?`,
      hash,
    );
    if (!row) return undefined;
    const licence = toLicence(row);
    const { serialNumber } = licence;
    return { licence, key: { hash, serialNumber, expires: row.key_expires as string | null } };
  }

  async put({ serialNumber, email, expires, turbines, datasets }: Licence): Promise<void> {
    this.#database.run(
      `INSERT INTO licences VALUES (?, ?, ?, ?, ?) ON CONFLICT (serial_number) DO UPDATE SET
       email = excluded.email, expires = excluded.expires, turbines = excluded.turbines,
       datasets = excluded.datasets`,
      serialNumber,
      email,
      expires,
      formatNames(turbines),
      formatNames(datasets),
    );
  }

  async addKey({ hash, serialNumber, expires }: StoredKey): Promise<void> {
    this.#database.run("INSERT INTO api_keys VALUES (?, ?, ?)", hash, serialNumber, expires);
  }

  async removeKey(hash: string): Promise<void> {
    this.#database.run("DELETE FROM api_keys WHERE hash = ?", hash);
  }

  async removeKeys(serialNumber: string): Promise<number> {
    return this.#database.run("DELETE FROM api_keys WHERE serial_number = ?", serialNumber);
  }

  async remove(serialNumber: string): Promise<number | undefined> {
    return this.#database.transaction(() => {
      const remove = (table: string) =>
        this.#database.run(`DELETE FROM ${table} WHERE serial_number = ?`, serialNumber);
      remove("orders");
      const keys = remove("api_keys");
      return remove("licences") > 0 ? keys : undefined;
    });
  }
}
