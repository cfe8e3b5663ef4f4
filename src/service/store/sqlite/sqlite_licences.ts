import { toLicence } from "./rows.ts";
import type { SqliteDatabase } from "./sqlite_database.ts";
import type { Licence, LicenceEntry, StoredKey } from "../licence.ts";

/** Lists that are only read as a whole are JSON. */
function textOf(list: readonly string[] | null): string | null {
  return list && JSON.stringify(list);
}

/** The licences and keys of a SQLite store. */
export class SqliteLicences {
  readonly #database: SqliteDatabase;

  /** @param database Where they are kept */
  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  /** All licences, with the number of their keys. */
  all(): LicenceEntry[] {
    return this.#database
      .all(
        `SELECT *, (SELECT count(*) FROM api_keys WHERE serial_number = own.serial_number) AS keys
         FROM licences AS own ORDER BY serial_number`,
      )
      .map((row) => ({ licence: toLicence(row), keys: row.keys as number }));
  }

  /** One licence. */
  licence(serialNumber: string): Licence | undefined {
    const row = this.#database.get("SELECT * FROM licences WHERE serial_number = ?", serialNumber);
    return row && toLicence(row);
  }

  /** Licence and key by the key's hash, in one step: another process may be removing them. */
  ofKey(hash: string): { licence: Licence; key: StoredKey } | undefined {
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

  /** Adds or replaces a licence. */
  put({ serialNumber, email, expires, turbines, datasets }: Licence): void {
    this.#database.run(
      `INSERT INTO licences VALUES (?, ?, ?, ?, ?) ON CONFLICT (serial_number) DO UPDATE SET
       email = excluded.email, expires = excluded.expires, turbines = excluded.turbines,
       datasets = excluded.datasets`,
      serialNumber,
      email,
      expires,
      textOf(turbines),
      textOf(datasets),
    );
  }

  /** Adds a key. */
  addKey({ hash, serialNumber, expires }: StoredKey): void {
    this.#database.run("INSERT INTO api_keys VALUES (?, ?, ?)", hash, serialNumber, expires);
  }

  /** Removes the keys of a licence; says how many there were. */
  removeKeys(serialNumber: string): number {
    return this.#database.run("DELETE FROM api_keys WHERE serial_number = ?", serialNumber);
  }

  /** Removes a licence with its keys and orders; says how many keys it had. */
  remove(serialNumber: string): number | undefined {
    return this.#database.transaction(() => {
      const remove = (table: string) =>
        this.#database.run(`DELETE FROM ${table} WHERE serial_number = ?`, serialNumber);
      remove("orders");
      const keys = remove("api_keys");
      return remove("licences") > 0 ? keys : undefined;
    });
  }
}
