import { nameFailure } from "../disk/files.ts";
import { ConfigurationError } from "../api/errors.ts";
import { homePath } from "../disk/home.ts";
import { formatCommand, shellWord } from "./format_command.ts";

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
    const what = `open the data directory ${path}`;
    const { message } = cause instanceof Deno.errors.NotFound
      ? {
        message: `Cannot ${what}: ${DATABASE} is missing there. Import a site with: ${
          formatCommand(`import SITE.json --data ${shellWord(path)}`)
        }`,
      }
      : nameFailure(what, cause);
    throw new ConfigurationError(message, { cause });
  }
  return database;
}

/**
 * Creates a data directory with an empty database that only the owner may read: it will have e-mails and hashes of keys.
 *
 * @param path The directory; one that exists stays as it is
 */
export function createDataDirectory(path: string): void {
  try {
    Deno.mkdirSync(path, { recursive: true, mode: 0o700 });
    Deno.openSync(`${path}/${DATABASE}`, { write: true, create: true, mode: 0o600 }).close();
  } catch (cause) {
    throw nameFailure(`make the data directory ${path}`, cause);
  }
}
