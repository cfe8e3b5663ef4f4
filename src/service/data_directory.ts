import { ConfigurationError } from "../api/errors.ts";
import type { World } from "../api/world.ts";
import { homePath } from "../home/home.ts";
import { formatCommand } from "./format_command.ts";
import type { Files } from "./files/files.ts";
import { FolderFiles } from "./files/folder/folder_files.ts";
import { SqliteStore } from "./store/sqlite/sqlite_store.ts";
import type { Store } from "./store/store.ts";

export { SCHEMA_VERSION } from "./store/sqlite/schema.ts";

/** What a service keeps, open. */
export interface DataDirectory {
  /** Sites, licences and orders. */
  readonly store: Store;
  /** Their immutable files. */
  readonly files: Files;
}

/** A data directory, open: its files are in a folder beside the database. */
export interface OpenDirectory extends DataDirectory {
  readonly files: FolderFiles;
}

/** The data directory where none is named: below VINDKIT_HOME. */
export function defaultDataDirectory(): string {
  return homePath("data");
}

/** Name of the database in a data directory. */
export const DATABASE = "vindkit.sqlite";

/** Name of the folder of its immutable files. */
export const FILES_FOLDER = "files";

/**
 * Path of the database of a data directory.
 *
 * @param path The directory
 * @throws {ConfigurationError} If it has none, or cannot be read
 */
export function findDatabase(path: string): string {
  const database = `${path}/${DATABASE}`;
  try {
    Deno.statSync(database);
  } catch (cause) {
    const problem = cause instanceof Deno.errors.NotFound
      ? `${DATABASE} is missing there. Fill it with: ${
        formatCommand(`import SITE.json --data ${path}`)
      }`
      : `${(cause as Error).message}. Look at the path, and whether this user may read it`;
    throw new ConfigurationError(`Cannot open the data directory ${path}: ${problem}`, { cause });
  }
  return database;
}

/** Creates the directory and an empty database that only the owner may read: it will have e-mails and hashes of keys. */
function createForOwner(path: string): void {
  Deno.mkdirSync(path, { recursive: true, mode: 0o700 });
  Deno.openSync(`${path}/${DATABASE}`, { write: true, create: true, mode: 0o600 }).close();
}

/**
 * Opens a data directory.
 *
 * @param path The directory
 * @param options `create`: creates it where it is missing; `world`: where the figures of a new one come from
 * @throws {ConfigurationError} If it is missing or cannot be read, and is not to be created
 */
export function openDataDirectory(
  path: string,
  options: { create?: boolean; world?: World } = {},
): OpenDirectory {
  if (options.create) createForOwner(path);
  const database = options.create ? `${path}/${DATABASE}` : findDatabase(path);
  return {
    store: new SqliteStore(database, options.world),
    files: new FolderFiles(`${path}/${FILES_FOLDER}`),
  };
}
