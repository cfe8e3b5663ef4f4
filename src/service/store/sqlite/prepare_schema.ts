import { ConfigurationError } from "../../../api/errors.ts";
import type { World } from "../../../api/world.ts";
import { MIGRATIONS, SCHEMA, SCHEMA_VERSION } from "./schema.ts";
import type { SqliteDatabase } from "./sqlite_database.ts";

/** What is committed is on the disk: an order or a revocation outlives a power cut. */
const SETTINGS = "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON";

/** How often the journal is changed while another process does the same, and the pause before, ms. */
const ATTEMPTS = 200;
const PAUSE = 20;

/** What SQLite says where another process has the database; its codes do not come through. */
const BUSY = /locked|busy/;

/** Lets readers and a writer work side by side. SQLite does not wait for a lock there, so this does. */
function useWriteAheadLog(database: SqliteDatabase): void {
  for (let attempt = 1;; attempt++) {
    try {
      return database.exec("PRAGMA journal_mode = WAL");
    } catch (error) {
      if (!BUSY.test((error as Error).message) || attempt === ATTEMPTS) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
    }
  }
}

/**
 * Gives a database the settings and the tables of this program: makes them in a new one, and brings an older one up.
 *
 * @param database The database
 * @param path Where it is
 * @param world Where the figures of a new one come from
 * @throws {ConfigurationError} If a later program has written it
 */
export function prepareSchema(database: SqliteDatabase, path: string, world: World): void {
  useWriteAheadLog(database);
  database.exec(SETTINGS);
  database.transaction(() => {
    const from = database.get("PRAGMA user_version")!.user_version as number;
    if (from === SCHEMA_VERSION) return;
    if (from < 0 || from > SCHEMA_VERSION) {
      throw new ConfigurationError(
        `Cannot open ${path}: its schema has version ${from}, this program knows ${SCHEMA_VERSION}`,
      );
    }
    if (from === 0) {
      database.exec(SCHEMA);
      database.run("INSERT INTO about VALUES ('world', ?)", world);
    } else {
      for (const migration of MIGRATIONS.slice(from - 1)) database.exec(migration);
    }
    database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  });
}
