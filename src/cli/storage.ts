import type { SharedStorage } from "../service/storage.ts";
import { callerPath } from "./caller_path.ts";
import { type CommandOption, MisuseError } from "./command.ts";

/** The option that names a database. */
export const databaseOption: CommandOption = {
  value: "ADDRESS",
  about:
    "database that machines share, such as postgres://vindkit@db.example.org/vindkit; with a " +
    "password better in VINDKIT_DATABASE or PGPASSWORD than here",
};

/** The option that names the place of the files beside a database. */
export const filesOption: CommandOption = {
  value: "FOLDER",
  about: "folder of the files that all machines reach (or VINDKIT_FILES)",
};

/**
 * Reads the address of a database.
 *
 * @param given Value of {@linkcode databaseOption}
 * @throws {MisuseError} If neither that nor the variable names one
 */
export function readDatabase(given: string | undefined): string {
  const database = given ?? Deno.env.get("VINDKIT_DATABASE");
  if (database) return database;
  throw new MisuseError("Cannot open the database: name it with --database or VINDKIT_DATABASE");
}

/**
 * Reads where machines share their data.
 *
 * @param database Value of {@linkcode databaseOption}
 * @param files Value of {@linkcode filesOption}
 * @throws {MisuseError} If a half of it is missing
 */
export function readSharedStorage(
  database: string | undefined,
  files: string | undefined,
): SharedStorage {
  const folder = files ?? Deno.env.get("VINDKIT_FILES");
  if (!folder) {
    throw new MisuseError("Cannot open the files: name them with --files or VINDKIT_FILES");
  }
  return { database: readDatabase(database), files: callerPath(folder) };
}
