import { type Machines, shareStorage } from "../machines/mod.ts";
import { callerPath } from "./caller_path.ts";
import { type Arguments, type CommandOption, MisuseError } from "./command.ts";
import { readVariable } from "./read_variable.ts";

/** The options that name what machines share. */
export const sharedOptions = {
  database: {
    value: "URL",
    about: "PostgreSQL that machines share, such as postgres://user@db.example.org/wind (or " +
      "VINDKIT_DATABASE); a password is better in PGPASSWORD than here",
  },
  files: {
    value: "ADDRESS",
    about: "its files: s3://bucket/prefix, or a folder that machines share (or VINDKIT_FILES)",
  },
} as const satisfies Record<string, CommandOption>;

/**
 * Pairs a database with its files: both must be given in the same way, so that those of two storages are not mixed.
 *
 * @param given Both values by how they are given, the database first
 * @throws {MisuseError} If one is missing
 */
export function pairAddresses(given: Readonly<Record<string, string | undefined>>): Machines {
  const [[databaseName, database], [filesName, files]] = Object.entries(given);
  if (!database || !files) {
    const [there, missing] = database ? [databaseName, filesName] : [filesName, databaseName];
    throw new MisuseError(
      `Cannot use ${there} without ${missing}: give both, the database and its files`,
    );
  }
  return shareStorage({
    database,
    files: /^[a-z\d]+:\/\//.test(files) ? files : callerPath(files),
  });
}

/**
 * Reads the values of {@linkcode sharedOptions}; without any of them `VINDKIT_DATABASE` and `VINDKIT_FILES`.
 *
 * @returns `undefined` where neither is given
 * @throws {MisuseError} If one is given without the other
 */
export function findSharedStorage(
  text: Arguments["text"],
  variable: (name: string) => string | undefined = readVariable,
): Machines | undefined {
  const [database, files] = ["database", "files"].map(text);
  if (database !== undefined || files !== undefined) {
    return pairAddresses({ "--database": database, "--files": files });
  }
  const [VINDKIT_DATABASE, VINDKIT_FILES] = ["VINDKIT_DATABASE", "VINDKIT_FILES"].map(variable);
  if (VINDKIT_DATABASE || VINDKIT_FILES) return pairAddresses({ VINDKIT_DATABASE, VINDKIT_FILES });
}

/**
 * Reads the address of a database alone.
 *
 * @throws {MisuseError} If neither the option nor the variable names one
 */
export function readDatabase(text: Arguments["text"]): string {
  const database = text("database") || readVariable("VINDKIT_DATABASE");
  if (database) return database;
  throw new MisuseError("Cannot open the database: name it with --database or VINDKIT_DATABASE");
}
