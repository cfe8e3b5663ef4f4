import { defaultDataDirectory } from "../service/data_directory.ts";
import {
  formatStorageOptions,
  type SharedStorage,
  type StorageAddress,
} from "../service/storage_address.ts";
import { callerPath } from "./caller_path.ts";
import { type Arguments, type CommandOption, MisuseError } from "./command.ts";
import { PROGRAM } from "./project.ts";
import { readVariable } from "./read_variable.ts";

/** The option that names a data directory. */
export const dataOption: CommandOption = {
  value: "DIR",
  about: `data directory (default: ${defaultDataDirectory()})`,
};

/** The options that name where data are kept: in a data directory, or in what several machines share. */
export const storageOptions = {
  data: dataOption,
  database: {
    value: "URL",
    about: "instead of a data directory: PostgreSQL that machines share, such as " +
      "postgres://user@db.example.org/wind, with --files (or VINDKIT_DATABASE, VINDKIT_FILES)",
  },
  files: { value: "ADDRESS", about: "its files: s3://bucket/prefix, or a folder that they share" },
} as const satisfies Record<string, CommandOption>;

/**
 * Reads the value of {@linkcode dataOption}.
 *
 * @param given The value; `undefined` for the default
 */
export function readDataDirectory(given: string | undefined): string {
  return given ? callerPath(given) : defaultDataDirectory();
}

/** Reads a shared storage of which both parts must be given in the same way, so that no two are mixed. */
function readShared(given: Readonly<Record<string, string | undefined>>): SharedStorage {
  const [[databaseName, database], [filesName, files]] = Object.entries(given);
  if (!database || !files) {
    const [there, missing] = database ? [databaseName, filesName] : [filesName, databaseName];
    throw new MisuseError(
      `Cannot use ${there} without ${missing}: give both, the database and its files`,
    );
  }
  return { database, files: /^[a-z\d]+:\/\//.test(files) ? files : callerPath(files) };
}

/**
 * Reads the values of three options: of a data directory, or of a database and its files.
 *
 * @returns `undefined` where none is given
 */
function readOptions(
  text: Arguments["text"],
  [dataName, databaseName, filesName]: readonly [data: string, database: string, files: string],
): StorageAddress | undefined {
  const [data, database, files] = [dataName, databaseName, filesName].map(text);
  if (database === undefined && files === undefined) return data ? callerPath(data) : undefined;
  if (data) {
    throw new MisuseError(
      `Cannot use --${dataName} together with --${databaseName} and --${filesName}: ` +
        "give a data directory, or what machines share",
    );
  }
  return readShared({ [`--${databaseName}`]: database, [`--${filesName}`]: files });
}

/**
 * Reads the values of {@linkcode storageOptions}; without any of them `VINDKIT_DATABASE` and `VINDKIT_FILES`.
 *
 * @param text Reads an option
 * @param variable Reads a variable
 * @returns Where the data are kept, the default data directory where nothing says it
 * @throws {MisuseError} If the options contradict each other, or one of a pair is missing
 */
export function readStorage(
  text: Arguments["text"],
  variable: (name: string) => string | undefined = readVariable,
): StorageAddress {
  const given = readOptions(text, ["data", "database", "files"]);
  if (given !== undefined) return given;
  const [VINDKIT_DATABASE, VINDKIT_FILES] = ["VINDKIT_DATABASE", "VINDKIT_FILES"].map(variable);
  return VINDKIT_DATABASE || VINDKIT_FILES
    ? readShared({ VINDKIT_DATABASE, VINDKIT_FILES })
    : defaultDataDirectory();
}

/** The options that name where data are moved from. */
export const sourceOptions = {
  from: { value: "DIR", about: "moves the data of this data directory" },
  "from-database": {
    value: "URL",
    about: "moves the data of this PostgreSQL database, with --from-files",
  },
  "from-files": { value: "ADDRESS", about: "its files: s3://bucket/prefix, or a folder" },
} as const satisfies Record<string, CommandOption>;

/**
 * Reads the values of {@linkcode sourceOptions}.
 *
 * @param text Reads an option
 * @returns `undefined` where none is given
 * @throws {MisuseError} If they contradict each other, or one of a pair is missing
 */
export function readSource(text: Arguments["text"]): StorageAddress | undefined {
  return readOptions(text, ["from", "from-database", "from-files"]);
}

/**
 * Formats a call of a command for a message.
 *
 * @param command The command with its other arguments, such as `import SITE.json`
 * @param data Where its data are kept
 */
export function formatCall(command: string, data: StorageAddress): string {
  const shared = typeof data === "object" && PROGRAM === "deno task";
  return `${PROGRAM} ${shared ? "shared " : ""}${command} ${formatStorageOptions(data)}`;
}
