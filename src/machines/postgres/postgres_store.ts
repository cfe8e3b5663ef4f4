import type { World } from "../../api/world.ts";
import type { Store } from "../../storage/store/store.ts";
import { type RowVisitor, STORED_TABLES } from "../../storage/store/stored_tables.ts";
import { createFreshRecords, READ_RECORDS, type Records } from "./fresh_records.ts";
import { KeptRecords } from "./kept_records.ts";
import { createLooks, lookOnce, type Looks } from "./looks.ts";
import { PostgresAttempts } from "./postgres_attempts.ts";
import { PostgresDatabase } from "./postgres_database.ts";
import { PostgresLicences } from "./postgres_licences.ts";
import { excludeNaming } from "./naming_lock.ts";
import { PostgresOrders } from "./postgres_orders.ts";
import type { PostgresQueries } from "./postgres_queries.ts";
import { loadRows, visitRows } from "./postgres_rows.ts";
import { checkPostgresSchema } from "./postgres_schema.ts";
import { PostgresSites, SITE_FILES } from "./postgres_sites.ts";

/** Number of the lock of whoever updates the data: "upda" as bytes. */
const UPDATE_LOCK = 0x75706461;

/** Reads a row of every table. */
const TOUCH_ALL = STORED_TABLES.map(({ name }) => `(SELECT 1 FROM vindkit.${name} LIMIT 1)`)
  .join(" UNION ALL ");

/** Records of sites that a process keeps: that of a turbine takes 25 kB, its months of 21 years 80 kB. */
const MAX_RECORDS = 1000;

/** Licences that it keeps: 300 bytes each, and 40 for each turbine that is named. */
const MAX_LICENCES = 5000;

interface Kept {
  readonly sites: KeptRecords;
  readonly licences: KeptRecords;
}

function createKept(): Kept {
  return { sites: new KeptRecords(MAX_RECORDS), licences: new KeptRecords(MAX_LICENCES) };
}

/** The store that many machines share: PostgreSQL, whose checksums find what is damaged. */
export class PostgresStore implements Store {
  readonly sites: PostgresSites;
  readonly licences: PostgresLicences;
  readonly orders: PostgresOrders;
  readonly attempts: PostgresAttempts;
  /** What its statements go through: within a transaction that one. */
  readonly database: PostgresQueries;
  readonly #looks: Looks;
  readonly #kept: Kept;
  readonly #records: Records;

  private constructor(
    database: PostgresQueries,
    looks: Looks,
    kept: Kept,
    records: Records = createFreshRecords(looks, kept.sites),
  ) {
    this.database = database;
    this.#looks = looks;
    this.#kept = kept;
    this.#records = records;
    this.sites = new PostgresSites(database, records);
    this.licences = new PostgresLicences(database, looks, kept.licences);
    this.orders = new PostgresOrders(database);
    this.attempts = new PostgresAttempts(database);
  }

  /**
   * Opens the store of a database, which has its tables: {@linkcode migratePostgres}.
   *
   * @throws {ConfigurationError} If it refuses the connection, or has another schema
   * @throws {Error} If it cannot be reached
   */
  static async open(address: string): Promise<PostgresStore> {
    const database = await PostgresDatabase.open(address);
    try {
      await checkPostgresSchema(database);
    } catch (error) {
      await database.close();
      throw error;
    }
    return new PostgresStore(database, createLooks(database), createKept());
  }

  forRequest(): PostgresStore {
    if (this.#records === READ_RECORDS) return this;
    return new PostgresStore(this.database, lookOnce(this.#looks), this.#kept);
  }

  async world(): Promise<World> {
    return await this.#records.get("world", async () => {
      const row = await this.database.get("SELECT value FROM vindkit.about WHERE name = 'world'");
      return row!.value as World;
    });
  }

  async now(): Promise<number> {
    const sql = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now";
    return (await this.database.get(sql))!.now as number;
  }

  async check(): Promise<void> {
    await this.database.run(TOUCH_ALL);
  }

  async verify(): Promise<void> {
    await this.check();
  }

  async wantedFiles(now: number, among?: readonly string[]): Promise<string[]> {
    const rows = await this.database.all(
      `SELECT DISTINCT name FROM (
         ${SITE_FILES} UNION ALL SELECT file, 'the file of an order', NULL FROM vindkit.orders
         WHERE expires IS NULL OR expires >= $1
       ) AS named WHERE name IS NOT NULL ${among ? "AND name = ANY ($2)" : ""}`,
      now,
      ...among ? [among] : [],
    );
    return rows.map(({ name }) => String(name));
  }

  async transaction<T>(body: (store: PostgresStore) => Promise<T>): Promise<T> {
    return await this.database.transaction((all) =>
      body(new PostgresStore(all, createLooks(all), createKept(), READ_RECORDS))
    );
  }

  async excludeNaming<T>(body: (store: PostgresStore) => Promise<T>): Promise<T> {
    return await this.transaction(async (store) => {
      await excludeNaming(store.database);
      return await body(store);
    });
  }

  async lockUpdates(): Promise<AsyncDisposable | undefined> {
    if (this.database instanceof PostgresDatabase) return await this.database.tryLock(UPDATE_LOCK);
    throw new Error("Cannot lock updates: a transaction ends before an update does");
  }

  async snapshot(visit: RowVisitor): Promise<void> {
    const mode = "ISOLATION LEVEL REPEATABLE READ READ ONLY";
    await this.database.transaction((all) => visitRows(all, visit), mode);
  }

  async load(read: (write: RowVisitor) => Promise<void>): Promise<void> {
    await this.database.transaction((all) => loadRows(all, this.database.address, read));
  }

  async close(): Promise<void> {
    if (this.database instanceof PostgresDatabase) await this.database.close();
  }
}
