import { ConfigurationError } from "../../api/errors.ts";
import type { World } from "../../api/world.ts";
import { formatCommand, shellWord } from "../../storage/format_command.ts";
import { createTables } from "../../storage/store/document_tables.ts";
import type { Engine } from "../../storage/store/engine.ts";
import { PostgresDatabase } from "./postgres_database.ts";

/** Number of the migration lock: "vindkit" as bytes. */
const MIGRATION_LOCK = 0x76696e646b6974n;

/** Text is compared by its bytes, as in SQLite, not by a language's rules. */
const TEXT = 'COLLATE "C"';

/** Failed attempts of the last minutes, by the hash of the name that they count for; a crash may lose them. */
const ATTEMPTS = `CREATE UNLOGGED TABLE vindkit.attempts (
  who TEXT ${TEXT} PRIMARY KEY,
  instants bigint[] NOT NULL
)`;

/** The schema of this version. */
const VERSION = 3;

async function readVersion(database: Engine): Promise<number> {
  const [about] = await database.all("SELECT to_regclass('vindkit.about') AS name");
  if (about.name === null) return 0;
  const [row] = await database.all(
    "SELECT value FROM vindkit.about WHERE name = 'schema_version'",
  );
  return Number(row?.value ?? 0);
}

function refuseOther(address: string, version: number): void {
  if (version === 0 || version === VERSION) return;
  throw new ConfigurationError(
    `Cannot open ${address}: its schema has version ${version}, but this program reads version ${VERSION}. ` +
      "Use the version of Vindkit that created it, or import the site files into another database",
  );
}

/**
 * Compares the schema of a database with this program's.
 *
 * @throws {ConfigurationError} If it is another one, or missing
 */
export async function checkPostgresSchema(database: PostgresDatabase): Promise<void> {
  const { address } = database;
  const version = await readVersion(database);
  refuseOther(address, version);
  if (version === VERSION) return;
  throw new ConfigurationError(
    `Cannot open ${address}: it has no Vindkit tables. Run: ${
      formatCommand(`migrate --database ${shellWord(address)}`)
    }`,
  );
}

/**
 * Creates the tables of a database unless it has them. A lock lets only one of several processes do so.
 *
 * @param world World of the figures in a new database
 * @returns Its previous version, 0 for a new database, and its present one
 * @throws {ConfigurationError} If another version has made them
 */
export async function migratePostgres(
  address: string,
  world: World = "own",
): Promise<{ readonly from: number; readonly to: number }> {
  const database = await PostgresDatabase.open(address);
  try {
    const from = await database.transaction(async (transaction) => {
      await transaction.run(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
      const version = await readVersion(transaction);
      refuseOther(database.address, version);
      if (version === 0) await prepare(transaction, world);
      return version;
    });
    return { from, to: VERSION };
  } finally {
    await database.close();
  }
}

async function prepare(engine: Engine, world: World): Promise<void> {
  await engine.run("CREATE SCHEMA IF NOT EXISTS vindkit");
  await engine.run(
    `CREATE TABLE vindkit.about (name TEXT ${TEXT} PRIMARY KEY, value TEXT NOT NULL)`,
  );
  await engine.run(ATTEMPTS);
  await createTables(engine, TEXT, world);
  await engine.run("INSERT INTO vindkit.about VALUES ('schema_version', $1)", String(VERSION));
}
