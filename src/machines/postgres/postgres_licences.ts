import { formatKey, formatLicence, toKey, toLicence } from "../../storage/store/licence_row.ts";
import type { Licence, LicenceEntry, NewKey, StoredKey } from "../../storage/store/licence.ts";
import type { LicenceStore } from "../../storage/store/store.ts";
import { findTable } from "../../storage/store/stored_tables.ts";
import type { KeptRecords } from "./kept_records.ts";
import type { Looks } from "./looks.ts";
import type { PostgresQueries } from "./postgres_queries.ts";
import { insertRows, putRows } from "./postgres_rows.ts";

/** Keys that have not ended. */
const VALID_KEYS = `vindkit.api_keys
  WHERE (api_keys.expires IS NULL OR api_keys.expires >= to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD'))
    AND api_keys.serial_number`;

/**
 * The licences and keys of a PostgreSQL store: looked at each time, so that one that is revoked ends with the next request. A
 * licence itself, which may name 50,000 turbines, is read where it is another one than before.
 */
export class PostgresLicences implements LicenceStore {
  readonly #database: PostgresQueries;
  readonly #looks: Looks;
  readonly #kept: KeptRecords;

  constructor(database: PostgresQueries, looks: Looks, kept: KeptRecords) {
    this.#database = database;
    this.#looks = looks;
    this.#kept = kept;
  }

  async all(): Promise<LicenceEntry[]> {
    const rows = await this.#database.all(
      `SELECT *, (SELECT count(*) FROM ${VALID_KEYS} = licences.serial_number) AS keys
       FROM vindkit.licences ORDER BY serial_number`,
    );
    return rows.map((row) => ({ licence: toLicence(row), keys: row.keys as number }));
  }

  async keys(serialNumber: string): Promise<StoredKey[]> {
    const rows = await this.#database.all(
      `SELECT * FROM ${VALID_KEYS} = $1 ORDER BY issued NULLS FIRST, hash`,
      serialNumber,
    );
    return rows.map(toKey);
  }

  async get(serialNumber: string): Promise<Licence | undefined> {
    const row = await this.#database.get(
      "SELECT * FROM vindkit.licences WHERE serial_number = $1",
      serialNumber,
    );
    return row && toLicence(row);
  }

  async findByKey(hash: string): Promise<{ licence: Licence; key: StoredKey } | undefined> {
    const { found } = await this.#looks.again(hash);
    if (found === undefined) return undefined;
    const { key } = found;
    const read = () => this.get(key.serialNumber);
    const licence = await this.#kept.get(key.serialNumber, found.licence, read);
    return licence && { licence, key }; // it may have been removed meanwhile
  }

  async put(licence: Licence): Promise<void> {
    await putRows(this.#database, findTable("licences"), [formatLicence(licence)]);
  }

  async addKey(key: NewKey): Promise<void> {
    await insertRows(this.#database, findTable("api_keys"), [formatKey(key)]);
  }

  async removeKeys(serialNumber: string, hash?: string): Promise<number> {
    const sql =
      "DELETE FROM vindkit.api_keys WHERE serial_number = $1 AND hash = coalesce($2, hash)";
    return await this.#database.run(sql, serialNumber, hash ?? null);
  }

  async remove(serialNumber: string): Promise<number | undefined> {
    return await this.#database.transaction(async (all) => {
      // Its row is locked first: no key can be added to it meanwhile.
      const known = await all.get(
        "SELECT FROM vindkit.licences WHERE serial_number = $1 FOR UPDATE",
        serialNumber,
      );
      const remove = (table: string) =>
        all.run(`DELETE FROM vindkit.${table} WHERE serial_number = $1`, serialNumber);
      await remove("orders");
      const keys = await remove("api_keys");
      await remove("licences");
      return known && keys;
    });
  }
}
