import { ConfigurationError } from "../../api/errors.ts";
import type { World } from "../../api/world.ts";
import { formatCommand } from "../../storage/format_command.ts";
import {
  STORED_TABLES,
  type StoredColumn,
  type StoredTable,
} from "../../storage/store/stored_tables.ts";
import { PostgresDatabase } from "./postgres_database.ts";
import type { PostgresQueries } from "./postgres_queries.ts";

/** Number of the lock that whoever migrates has: "vindkit" as bytes. */
const MIGRATION_LOCK = 0x76696e646b6974n;

/** Text is compared by its bytes, as SQLite does, and not as a language has it. */
const TYPES: Readonly<Record<StoredColumn["type"], string>> = {
  text: 'text COLLATE "C"',
  json: "json",
  integer: "bigint",
  real: "double precision",
};

/** Statements that migrate a database to the next version of the schema; the first are for version 1. */
const MIGRATIONS: readonly string[] = [
  `ALTER TABLE vindkit.api_keys ADD COLUMN issued ${TYPES.integer}, ADD COLUMN way ${TYPES.text}`,
];

const VERSION = MIGRATIONS.length + 1;

/** Column that counts the rows of a table that are read in order. */
const NUMBER = "number bigint NOT NULL GENERATED ALWAYS AS IDENTITY";

/** Failed attempts of the last minutes, which a crash may lose, by the hash of whose they are. */
const ATTEMPTS = `
CREATE UNLOGGED TABLE vindkit.attempts (
  who ${TYPES.text} PRIMARY KEY,
  instants bigint[] NOT NULL
)`;

/** What rows are found by besides their keys. */
const INDICES = `
CREATE INDEX ON vindkit.orders (serial_number, service_id);
CREATE INDEX ON vindkit.orders (number) WHERE expires IS NULL;
CREATE INDEX ON vindkit.api_keys (serial_number);
CREATE INDEX ON vindkit.points (site);
CREATE INDEX ON vindkit.turbines (site);
CREATE INDEX ON vindkit.points ((record ->> 'file'));
CREATE INDEX ON vindkit.turbines ((record ->> 'modelFile'));
CREATE INDEX ON vindkit.orders (file)`;

function formatColumn({ name, type, nullable, references }: StoredColumn): string {
  // What is stored of a turbine goes with it; nothing else that is named does.
  const cascade = references === "turbines" ? " ON DELETE CASCADE" : "";
  return `${name} ${TYPES[type]}${nullable ? "" : " NOT NULL"}` +
    (references === undefined ? "" : ` REFERENCES vindkit.${references}${cascade}`);
}

function formatTable({ name, columns, key, unique, inOrder }: StoredTable): string {
  const parts = [...columns.map(formatColumn), `PRIMARY KEY (${key.join(", ")})`];
  if (unique !== undefined) parts.push(`UNIQUE (${unique})`);
  if (inOrder) parts.push(NUMBER);
  return `CREATE TABLE vindkit.${name} (${parts.join(", ")})`;
}

async function readVersion(database: PostgresQueries): Promise<number> {
  const about = await database.get("SELECT to_regclass('vindkit.about') AS name");
  if (about!.name === null) return 0;
  const row = await database.get("SELECT value FROM vindkit.about WHERE name = 'schema_version'");
  return Number(row?.value ?? 0);
}

function refuseNewer(address: string, version: number, own: number): void {
  if (version <= own) return;
  throw new ConfigurationError(
    `Cannot open ${address}: its schema has version ${version}, this version reads ${own}. ` +
      "Use the version that migrated it",
  );
}

/**
 * Compares the schema of a database with that of this program.
 *
 * @throws {ConfigurationError} If it is another one, or missing
 */
export async function checkPostgresSchema(database: PostgresDatabase): Promise<void> {
  const { address } = database;
  const version = await readVersion(database);
  refuseNewer(address, version, VERSION);
  if (version === VERSION) return;
  const problem = version === 0
    ? "it has no tables of Vindkit"
    : `its schema has version ${version}, this version reads ${VERSION}`;
  throw new ConfigurationError(
    `Cannot open ${address}: ${problem}. Run: ${formatCommand(`migrate --database ${address}`)}`,
  );
}

/**
 * Creates the tables of a database, or migrates those of an older version; nothing where they are those of this version. Of
 * several processes that do so at once one is first.
 *
 * @param world Where the figures of a new one come from
 * @param migrations Statements that migrate it to the next version; the first are for version 1
 * @returns The version that it had, 0 for a new one, and the one that it has now
 * @throws {ConfigurationError} If a newer version has migrated it
 */
export async function migratePostgres(
  address: string,
  world: World = "own",
  migrations: readonly string[] = MIGRATIONS,
): Promise<{ readonly from: number; readonly to: number }> {
  const to = migrations.length + 1;
  const database = await PostgresDatabase.open(address);
  try {
    const from = await database.transaction(async (all) => {
      await all.run(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
      const version = await readVersion(all);
      refuseNewer(database.address, version, to);
      if (version === 0) await createTables(all, world);
      else for (const statements of migrations.slice(version - 1)) await all.run(statements);
      await all.run(
        "UPDATE vindkit.about SET value = $1 WHERE name = 'schema_version'",
        String(to),
      );
      return version;
    });
    return { from, to };
  } finally {
    await database.close();
  }
}

async function createTables(database: PostgresQueries, world: World): Promise<void> {
  await database.run("CREATE SCHEMA IF NOT EXISTS vindkit");
  const statements = [...STORED_TABLES.map(formatTable), ATTEMPTS, ...INDICES.split(";")];
  for (const statement of statements) await database.run(statement);
  await database.run(
    "INSERT INTO vindkit.about VALUES ('schema_version', '0'), ('imports', '0'), ('world', $1)",
    world,
  );
}
