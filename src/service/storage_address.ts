import { describeValue } from "../api/check_options.ts";
import { ArgumentError } from "../api/errors.ts";
import { formatCommand } from "./format_command.ts";
import { parsePostgresAddress } from "./store/postgres/postgres_address.ts";

/** Where several machines keep their data: the truth in a database, immutable files beside it. */
export interface SharedStorage {
  /** PostgreSQL database: `postgres://user@host/name`, with the password or without it (`PGPASSWORD`). */
  readonly database: string;
  /** Its files: `s3://bucket/prefix`, or the path of a folder that all machines share. */
  readonly files: string;
}

/** Where data are kept: the path of a data directory, or the addresses `{ database, files }` of what several machines share. */
export type StorageAddress = string | SharedStorage;

/**
 * Refuses what is no address: nobody checks types in a notebook.
 *
 * @param given What a caller gave
 * @throws {ArgumentError} If it is neither a path nor a pair of addresses
 */
export function checkStorageAddress(given: StorageAddress): void {
  if (typeof given === "string") return;
  const { database, files } = (given ?? {}) as Partial<SharedStorage>;
  if (typeof database === "string" && typeof files === "string") return;
  throw new ArgumentError(
    `Cannot open data: where they are is ${
      describeValue(given)
    }. Give the path of a data directory, or ` +
      "{ database, files } with two addresses",
  );
}

/** Both addresses as they may be shown. */
function hideSecrets({ database, files }: SharedStorage): [database: string, files: string] {
  return [
    parsePostgresAddress(database).shown,
    files.replace(/^(s3:\/\/)[^]*@/, "$1"), // keys have no place there, but somebody may try
  ];
}

/**
 * Formats where data are kept, for a message: without any password.
 *
 * @param address Where they are kept
 * @throws {ConfigurationError} If the address of the database cannot be read; the message does not show it
 */
export function formatStorage(address: StorageAddress): string {
  if (typeof address === "string") return address;
  return hideSecrets(address).join(" and ");
}

/**
 * Formats the options of a command that name where data are kept: without any password.
 *
 * @param address Where they are kept
 * @throws {ConfigurationError} If the address of the database cannot be read; the message does not show it
 */
export function formatStorageOptions(address: StorageAddress): string {
  if (typeof address === "string") return `--data ${address}`;
  const [database, files] = hideSecrets(address);
  return `--database ${database} --files ${files}`;
}

/**
 * Formats a command on data for a message, in both ways of starting it: {@linkcode formatCommand}.
 *
 * @param command The command with its other arguments, such as `import SITE.json`
 * @param address Where the data are kept
 * @throws {ConfigurationError} If the address of the database cannot be read; the message does not show it
 */
export function formatStorageCommand(command: string, address: StorageAddress): string {
  const call = `${command} ${formatStorageOptions(address)}`;
  return typeof address === "string"
    ? formatCommand(call)
    : `vindkit ${call} (in a checkout: deno task shared ${call})`;
}
