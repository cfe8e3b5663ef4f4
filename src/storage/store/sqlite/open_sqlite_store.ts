import { ConfigurationError } from "../../../api/errors.ts";
import type { World } from "../../../api/world.ts";
import { DamagedFileError } from "../../../disk/files.ts";
import { Store } from "../store.ts";
import { Documents } from "../documents.ts";
import { createTables } from "../document_tables.ts";
import { SqliteEngine, type SqliteQueries } from "./sqlite_engine.ts";
import { MemoryAttempts } from "../attempts.ts";

/** Version of the schema; databases with another version are rejected. */
export const SCHEMA_VERSION = 9;

/**
 * Opens the store of one machine: SQLite.
 *
 * @param path Path of the database, created if it is missing
 * @param world Where the figures of a new database come from
 * @throws {ConfigurationError} If it is damaged, or another version wrote it
 */
export async function openSqliteStore(path: string, world: World = "own"): Promise<Store> {
  let engine: SqliteEngine | undefined;
  try {
    engine = await SqliteEngine.open(path);
    if (engine.version !== SCHEMA_VERSION) {
      await engine.transaction((transaction) => prepare(transaction as SqliteQueries, world));
    }
    return new Store(new Documents(engine), new MemoryAttempts());
  } catch (cause) {
    await engine?.close();
    if (cause instanceof ConfigurationError) throw cause;
    const problem = cause instanceof DamagedFileError ? cause.problem : (cause as Error).message;
    throw new ConfigurationError(`Cannot open ${path}: ${problem}`, { cause });
  }
}

async function prepare(engine: SqliteQueries, world: World): Promise<void> {
  const { version, address } = engine;
  if (version === SCHEMA_VERSION) return; // another process was first
  if (version !== 0) {
    throw new ConfigurationError(
      `Cannot open ${address}: its schema has version ${version}, but this program reads version ${SCHEMA_VERSION}. ` +
        "Use the version of Vindkit that wrote it, or import the site files into another directory",
    );
  }
  await createTables(engine, "", world);
  engine.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
}
