import { defaultDataDirectory, formatStorageOptions, type StorageAddress } from "../storage/mod.ts";
import type { Machines } from "../machines/mod.ts";
import { callerPath } from "./caller_path.ts";
import { type Arguments, type CommandOption, MisuseError } from "./command.ts";
import { PROGRAM } from "./project.ts";
import { findSharedStorage, sharedOptions } from "./shared_storage.ts";
import { readVariable } from "./read_variable.ts";

/** The option that names a data directory. */
export const dataOption: CommandOption = {
  value: "DIR",
  about: `data directory (default: ${defaultDataDirectory()})`,
};

/** The options that name where data are kept: in a data directory, or in what machines share. */
export const storageOptions = {
  data: dataOption,
  ...sharedOptions,
} as const satisfies Record<string, CommandOption>;

/**
 * Reads the value of {@linkcode dataOption}.
 *
 * @param given The value; `undefined` for the default
 */
export function readDataDirectory(given: string | undefined): string {
  return given ? callerPath(given) : defaultDataDirectory();
}

/**
 * Reads the values of {@linkcode storageOptions}; without any of them `VINDKIT_DATABASE` and `VINDKIT_FILES`.
 *
 * @returns Where the data are kept, the default data directory where nothing says it
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
    "Cannot use --data together with --database and --files: give a data directory, or what machines share",
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
