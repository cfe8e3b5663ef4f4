import { nameFailure } from "../disk/files.ts";
import { ConfigurationError } from "../api/errors.ts";
import { homePath } from "../disk/home.ts";
import { formatCommand, shellWord } from "./format_command.ts";

/** Returns the default data directory, below VINDKIT_HOME. */
export function defaultDataDirectory(): string {
  return homePath("data");
}

/** Name of the database in a data directory. */
export const DATABASE = "vindkit.sqlite";

/** Name of the folder with its immutable files. */
export const FILES_FOLDER = "files";

/**
 * Finds the database of a data directory.
 *
 * @param path The directory
 * @throws {ConfigurationError} If it has none or cannot be read
 */
export function findDatabase(path: string): string {
  const database = `${path}/${DATABASE}`;
  try {
    Deno.statSync(database);
  } catch (cause) {
    const operation = `open the data directory ${path}`;
    const { message } = cause instanceof Deno.errors.NotFound
      ? {
        message: `Cannot ${operation}: ${DATABASE} is missing there. Import a site with: ${
          formatCommand(`import SITE.json --data ${shellWord(path)}`)
        }`,
      }
      : nameFailure(operation, cause);
    throw new ConfigurationError(message, { cause });
  }
  return database;
}

/**
 * Creates a data directory with an empty database that only its owner may read, because it will contain e-mail
 * addresses and key hashes.
 *
 * @param path The directory; an existing one stays unchanged
 */
export function createDataDirectory(path: string): void {
  try {
    Deno.mkdirSync(path, { recursive: true, mode: 0o700 });
    Deno.openSync(`${path}/${DATABASE}`, { write: true, create: true, mode: 0o600 }).close();
  } catch (cause) {
    throw nameFailure(`make the data directory ${path}`, cause);
  }
}
