import { ConfigurationError } from "../../api/errors.ts";
import type { World } from "../../api/world.ts";
import { MIGRATIONS, SCHEMA, SCHEMA_VERSION } from "./schema.ts";
import type { SqliteDatabase } from "./sqlite_database.ts";

const SETTINGS = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; " +
  "PRAGMA busy_timeout = 10000; PRAGMA foreign_keys = ON";

/**
 * Gives a database the settings and the tables of this program: makes them in a new one, and brings an older one up.
 *
 * @param database The database
 * @param path Where it is
 * @param world Where the figures of a new one come from
 * @throws {ConfigurationError} If a later program has written it
 */
export function prepareSchema(database: SqliteDatabase, path: string, world: World): void {
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
