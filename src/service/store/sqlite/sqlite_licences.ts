// deno-lint-ignore-file require-await -- SQLite answers at once; async turns what it throws into a rejection
import type { Licence, LicenceEntry, StoredKey } from "../licence.ts";
import { formatNames, toLicence } from "../licence_row.ts";
import type { LicenceStore } from "../store.ts";
import type { SqliteDatabase } from "./sqlite_database.ts";

/** The licences and keys of a SQLite store. */
export class SqliteLicences implements LicenceStore {
  readonly #database: SqliteDatabase;

  /** @param database Their database */
  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  async all(): Promise<LicenceEntry[]> {
    return this.#database.select("licences", "ORDER BY serial_number").map((row) => {
      const keys = this.#database.select(
        "api_keys",
        "WHERE serial_number = ? AND (expires IS NULL OR expires >= date('now'))",
        row.serial_number,
      );
      return { licence: toLicence(row), keys: keys.length };
    });
  }

  async get(serialNumber: string): Promise<Licence | undefined> {
    const row = this.#database.findOne("licences", { serial_number: serialNumber });
    return row && toLicence(row);
  }

  async findByKey(hash: string): Promise<{ licence: Licence; key: StoredKey } | undefined> {
    const key = this.#database.findOne("api_keys", { hash });
    const row = key && this.#database.findOne("licences", { serial_number: key.serial_number });
    if (!row) return undefined; // another process may have removed the licence meanwhile
    const licence = toLicence(row);
    const { serialNumber } = licence;
    return { licence, key: { hash, serialNumber, expires: key.expires as string | null } };
  }

  async put({ serialNumber, email, expires, turbines, datasets }: Licence): Promise<void> {
    await this.#database.write(() => {
      this.#database.run(
        `INSERT INTO licences (serial_number, email, expires, turbines, datasets)
       VALUES (?, ?, ?, ?, ?) ON CONFLICT (serial_number) DO UPDATE SET
       email = excluded.email, expires = excluded.expires, turbines = excluded.turbines,
       datasets = excluded.datasets`,
        serialNumber,
        email,
        expires,
        formatNames(turbines),
        formatNames(datasets),
      );
      this.#database.seal("licences", "serial_number = ?", serialNumber);
    });
  }

  async addKey({ hash, serialNumber, expires }: StoredKey): Promise<void> {
    await this.#database.write(() => {
      this.#database.run(
        "INSERT INTO api_keys (hash, serial_number, expires) VALUES (?, ?, ?)",
        hash,
        serialNumber,
        expires,
      );
      this.#database.seal("api_keys", "hash = ?", hash);
    });
  }

  async removeKey(hash: string): Promise<void> {
    await this.#database.write(() =>
      this.#database.run("DELETE FROM api_keys WHERE hash = ?", hash)
    );
  }

  async removeKeys(serialNumber: string): Promise<number> {
    return await this.#database.write(() =>
      this.#database.run("DELETE FROM api_keys WHERE serial_number = ?", serialNumber)
    );
  }

  async remove(serialNumber: string): Promise<number | undefined> {
    return await this.#database.write(() => {
      const remove = (table: string) =>
        this.#database.run(`DELETE FROM ${table} WHERE serial_number = ?`, serialNumber);
      remove("orders");
      const keys = remove("api_keys");
      return remove("licences") > 0 ? keys : undefined;
    });
  }
}
