import { formatNames, toLicence } from "../licence_row.ts";
import type { Licence, LicenceEntry, StoredKey } from "../licence.ts";
import type { LicenceStore } from "../store.ts";
import type { StoredRow } from "../stored_row.ts";
import type { PostgresQueries } from "./postgres_queries.ts";
import { SharedQuery } from "./shared_query.ts";

const VALID_KEYS = `
  SELECT count(*) FROM vindkit.api_keys WHERE api_keys.serial_number = licences.serial_number
    AND (api_keys.expires IS NULL OR api_keys.expires >= to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD'))`;

const FIND_KEYS = `
  SELECT licences.*, hash, api_keys.expires AS key_expires FROM vindkit.api_keys
  JOIN vindkit.licences USING (serial_number) WHERE hash = ANY($1)`;

interface FoundKey {
  readonly licence: Licence;
  readonly key: StoredKey;
}

function toFoundKey(row: StoredRow): FoundKey {
  const licence = toLicence(row);
  const expires = row.key_expires as string | null;
  return { licence, key: { hash: String(row.hash), serialNumber: licence.serialNumber, expires } };
}

/** The licences and keys of a PostgreSQL store: read each time, so that one that is revoked ends with the next request. */
export class PostgresLicences implements LicenceStore {
  readonly #database: PostgresQueries;
  readonly #keys: SharedQuery<FoundKey>;

  /** @param database Their database */
  constructor(database: PostgresQueries) {
    this.#database = database;
    this.#keys = new SharedQuery(async (hashes) => {
      const rows = await database.all(FIND_KEYS, hashes);
      return new Map(rows.map((row) => [String(row.hash), toFoundKey(row)]));
    });
  }

  async all(): Promise<LicenceEntry[]> {
    const rows = await this.#database.all(
      `SELECT *, (${VALID_KEYS}) AS keys FROM vindkit.licences ORDER BY serial_number`,
    );
    return rows.map((row) => ({ licence: toLicence(row), keys: row.keys as number }));
  }

  async get(serialNumber: string): Promise<Licence | undefined> {
    const row = await this.#database.get(
      "SELECT * FROM vindkit.licences WHERE serial_number = $1",
      serialNumber,
    );
    return row && toLicence(row);
  }

  async findByKey(hash: string): Promise<FoundKey | undefined> {
    return await this.#keys.get(hash);
  }

  async put({ serialNumber, email, expires, turbines, datasets }: Licence): Promise<void> {
    await this.#database.run(
      `INSERT INTO vindkit.licences (serial_number, email, expires, turbines, datasets)
       VALUES ($1, $2, $3, $4, $5) ON CONFLICT (serial_number) DO UPDATE SET
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
    await this.#database.run(
      "INSERT INTO vindkit.api_keys (hash, serial_number, expires) VALUES ($1, $2, $3)",
      hash,
      serialNumber,
      expires,
    );
  }

  async removeKey(hash: string): Promise<void> {
    await this.#database.run("DELETE FROM vindkit.api_keys WHERE hash = $1", hash);
  }

  async removeKeys(serialNumber: string): Promise<number> {
    return await this.#database.run(
      "DELETE FROM vindkit.api_keys WHERE serial_number = $1",
      serialNumber,
    );
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
