// deno-lint-ignore-file require-await -- SQLite answers at once; async turns what it throws into a rejection
import { ConfigurationError } from "../../../api/errors.ts";
import type { World } from "../../../api/world.ts";
import type { Store } from "../store.ts";
import { NAMED_FILES, prepareSchema } from "./schema.ts";
import { SqliteDatabase } from "./sqlite_database.ts";
import { SqliteLicences } from "./sqlite_licences.ts";
import { SqliteOrders } from "./sqlite_orders.ts";
import { SqliteSites } from "./sqlite_sites.ts";

const WORLD = "SELECT value FROM about WHERE name = 'world'";

/** Messages of SQLite for a damaged file, and for another kind of file; node:sqlite does not pass on its codes. */
const DAMAGED = /malformed|not a database/;

/** The store on one machine: SQLite in WAL mode. */
export class SqliteStore implements Store {
  readonly sites: SqliteSites;
  readonly licences: SqliteLicences;
  readonly orders: SqliteOrders;
  readonly #database: SqliteDatabase;

  /**
   * Opens a database, and creates it where it is missing.
   *
   * @param path Path of the database
   * @param world Where the figures of a new database come from
   * @throws {ConfigurationError} If it has another schema
   */
  constructor(path: string, world: World = "own") {
    this.#database = new SqliteDatabase(path);
    this.sites = new SqliteSites(this.#database);
    this.licences = new SqliteLicences(this.#database);
    this.orders = new SqliteOrders(this.#database);
    try {
      prepareSchema(this.#database, path, world);
    } catch (cause) {
      this.#database.close();
      if (cause instanceof ConfigurationError) throw cause;
      const { message } = cause as Error;
      const found = DAMAGED.test(message)
        ? `it is damaged or not a database (${message})`
        : message;
      throw new ConfigurationError(`Cannot open ${path}: ${found}`, { cause });
    }
  }

  async world(): Promise<World> {
    return this.#database.get(WORLD)!.value as World;
  }

  async check(): Promise<void> {
    this.#database.get(WORLD); // throws where it is closed
    this.#database.getAnew(WORLD);
  }

  async wantedFiles(now: number): Promise<string[]> {
    return this.#database.all(`SELECT DISTINCT name FROM (${NAMED_FILES}) WHERE name NOT NULL`, now)
      .map(({ name }) => name as string);
  }

  async close(): Promise<void> {
    this.#database.close();
  }
}
