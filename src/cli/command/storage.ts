import { callerPath, readVariable } from "./arguments.ts";
import { type Arguments, type CommandOption, MisuseError, PROGRAM } from "./command.ts";
import { type Machines, shareStorage } from "../../machines/mod.ts";
import {
  defaultDataDirectory,
  formatStorageOptions,
  type StorageAddress,
} from "../../storage/mod.ts";

/** Options of the shared storage. */
export const sharedOptions = {
  database: {
    value: "URL",
    about:
      "PostgreSQL database that machines share, such as postgres://user@db.example.org/wind (or " +
      "VINDKIT_DATABASE); put the password into PGPASSWORD, not here",
  },
  files: {
    value: "ADDRESS",
    about:
      "files of that database: s3://bucket/prefix, or a folder that machines share (or VINDKIT_FILES)",
  },
} as const satisfies Record<string, CommandOption>;

/**
 * Pairs a database with its files. Both must come from options or both from variables, so two storages are never mixed.
 *
 * @param given Both values by their names, the database first
 * @throws {MisuseError} If one is missing
 */
export function pairAddresses(given: Readonly<Record<string, string | undefined>>): Machines {
  const [[databaseName, database], [filesName, files]] = Object.entries(given);
  if (!database || !files) {
    const [present, missing] = database ? [databaseName, filesName] : [filesName, databaseName];
    throw new MisuseError(
      `Cannot use ${present} without ${missing}: a database needs its files. Give both options`,
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
 * @returns `undefined` if neither is given
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
 * Reads only the address of a database.
 *
 * @throws {MisuseError} If neither the option nor the variable names one
 */
export function readDatabase(text: Arguments["text"]): string {
  const database = text("database") || readVariable("VINDKIT_DATABASE");
  if (database) return database;
  throw new MisuseError(
    "Cannot open the database: its address is missing. Give it as --database or VINDKIT_DATABASE",
  );
}

/** Options of the storage to move data from. */
export const sourceOptions = {
  from: { value: "DIR", about: "moves the data of this data directory" },
  "from-database": {
    value: "URL",
    about: "moves the data of this PostgreSQL database; needs --from-files",
  },
  "from-files": {
    value: "ADDRESS",
    about: "files of that database: s3://bucket/prefix, or a folder",
  },
} as const satisfies Record<string, CommandOption>;

/**
 * Reads the values of {@linkcode sourceOptions}.
 *
 * @returns `undefined` if none is given
 * @throws {MisuseError} If they contradict each other, or one of a pair is missing
 */
export function readSource(text: Arguments["text"]): string | Machines | undefined {
  const [from, database, files] = ["from", "from-database", "from-files"].map(text);
  if (database === undefined && files === undefined) return from ? callerPath(from) : undefined;
  if (from === undefined) {
    return pairAddresses({ "--from-database": database, "--from-files": files });
  }
  throw new MisuseError(
    "Cannot use --from together with --from-database and --from-files: they name two sources. Give either --from, or --from-database and --from-files",
  );
}

/** The option that names a data directory. */
export const dataOption: CommandOption = {
  value: "DIR",
  about: `data directory (default: ${defaultDataDirectory()})`,
};

/** Options of the storage: a data directory, or a shared storage. */
export const storageOptions = {
  data: dataOption,
  ...sharedOptions,
} as const satisfies Record<string, CommandOption>;

/**
 * Reads the values of {@linkcode storageOptions}; without any of them `VINDKIT_DATABASE` and `VINDKIT_FILES`.
 *
 * @returns The storage; without options and variables the default data directory
 * @throws {MisuseError} If the options contradict each other, or one of a pair is missing
 */
export function readStorage(
  text: Arguments["text"],
  variable: (name: string) => string | undefined = readVariable,
): string | Machines {
  const data = text("data");
  if (!data) return findSharedStorage(text, variable) ?? defaultDataDirectory();
  if (Object.keys(sharedOptions).every((name) => text(name) === undefined)) return callerPath(data);
  throw new MisuseError(
    "Cannot use --data together with --database and --files: they name two places. Give either --data, or --database and --files",
  );
}

/**
 * Formats a call of a command for a message.
 *
 * @param command The command with its other arguments, such as `import SITE.json`
 */
export function formatCall(command: string, data: StorageAddress): string {
  const shared = typeof data === "object" && PROGRAM === "deno task";
  return `${PROGRAM} ${shared ? "shared " : ""}${command} ${formatStorageOptions(data)}`;
}
