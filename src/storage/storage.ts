import type { World } from "../api/world.ts";
import { adviseGrant, explainDenial } from "../disk/denial.ts";
import { createDataDirectory, DATABASE, FILES_FOLDER, findDatabase } from "./data_directory.ts";
import type { Files } from "./files/files.ts";
import { FolderFiles } from "./files/folder/folder_files.ts";
import { openSqliteStore } from "./store/sqlite/open_sqlite_store.ts";
import { checkPair } from "./pair.ts";
import type { Store } from "./store/store.ts";
import { describeValue } from "../api/error_text.ts";
import { ArgumentError, ConfigurationError } from "../api/errors.ts";
import { DamagedFileError } from "../disk/files.ts";
import { formatCommand, shellWord } from "./format_command.ts";
import type { Jobs } from "./jobs/job.ts";

/** Storage shared by several machines: a database, immutable files, and a queue of jobs. */
export interface SharedStorage {
  /** Both addresses for display, without passwords. */
  readonly shown: { readonly database: string; readonly files: string };
}

/** Methods that open a shared storage, hidden from callers that pass one in. */
export interface SharedDrawers extends SharedStorage {
  /** Opens store and files. */
  open(): Promise<StorageHandle>;
  /** Opens the queue of jobs. */
  openJobs(): Promise<Jobs>;
  /**
   * Opens the queue for a caller that gives up when no worker is alive.
   *
   * @param signal Ends the wait
   * @param patience How long to wait while no worker is running, ms; the jobs stay in the queue
   */
  watchJobs(signal?: AbortSignal, patience?: number): Promise<WatchedJobs>;
}

/** A queue whose workers are watched. */
export interface WatchedJobs extends AsyncDisposable {
  /** The queue. */
  readonly jobs: Jobs;
  /** Aborts when no worker is running, or the caller's signal aborts. */
  readonly signal: AbortSignal;
}

/** Location of data: the path of a data directory, or a storage shared by several machines, with its addresses in `shown`. */
export type StorageAddress = string | SharedStorage;

/** Returns the methods that open a shared storage; every shared storage has them. */
export function drawersOf(storage: SharedStorage): SharedDrawers {
  return storage as SharedDrawers;
}

/**
 * Rejects an invalid address, because notebooks check no types.
 *
 * @param address The caller's argument
 * @throws {ArgumentError} If it is neither a path nor a shared storage
 */
export function checkStorageAddress(address: StorageAddress): void {
  if (typeof address === "string") return;
  if (typeof Object(address).open === "function") return;
  throw new ArgumentError(
    `Cannot open data: the location is ${
      describeValue(address)
    }. Give the path of a data directory`,
  );
}

/**
 * Formats the location of data for a message, without passwords.
 *
 * @param address Where they are kept
 */
export function formatStorage(address: StorageAddress): string {
  if (typeof address === "string") return address;
  return `${address.shown.database} and ${address.shown.files}`;
}

/**
 * Formats the command-line options for the location of data, without passwords.
 *
 * @param address Where they are kept
 */
export function formatStorageOptions(address: StorageAddress): string {
  if (typeof address === "string") return `--data ${shellWord(address)}`;
  const { database, files } = address.shown;
  return `--database ${shellWord(database)} --files ${shellWord(files)}`;
}

/**
 * Formats a command on data for a message, as {@linkcode formatCommand} does.
 *
 * @param command The command with its other arguments, such as `import SITE.json`
 * @param address Where the data are kept
 */
export function formatStorageCommand(command: string, address: StorageAddress): string {
  const call = `${command} ${formatStorageOptions(address)}`;
  return typeof address === "string"
    ? formatCommand(call)
    : `vindkit ${call} (in a checkout: deno task shared ${call})`;
}

export { SCHEMA_VERSION } from "./store/sqlite/open_sqlite_store.ts";

/** An open storage. */
export interface Storage {
  readonly store: Store;
  /** Immutable files, named by rows of the store. */
  readonly files: Files;
}

/** An open storage whose opener must close it. */
export interface StorageHandle extends Storage, AsyncDisposable {
  close(): Promise<void>;
}

interface OpenStorageOptions {
  /** Creates a data directory if it is missing; a shared storage is never created. @default {false} */
  readonly create?: boolean;
  /** Where the figures of a new data directory come from. */
  readonly world?: World;
}

async function openDirectory(
  path: string,
  { create, world }: OpenStorageOptions,
): Promise<Storage> {
  try {
    if (create) createDataDirectory(path);
    const database = create ? `${path}/${DATABASE}` : findDatabase(path);
    return {
      store: await openSqliteStore(database, world),
      files: new FolderFiles(`${path}/${FILES_FOLDER}`),
    };
  } catch (error) {
    throw explainDenial(error, `open ${path}`, () => adviseGrant(path, "read", "write"));
  }
}

/**
 * Adds methods that close a storage.
 *
 * @throws {ConfigurationError} If its database is damaged or does not belong to its files; the storage is closed then
 */
export async function toHandle<S extends Storage>(storage: S): Promise<S & StorageHandle> {
  const { store, files } = storage;
  const close = async () => {
    files.close();
    await store.close();
  };
  try {
    await checkPair(store, files);
  } catch (error) {
    await close();
    if (!(error instanceof DamagedFileError)) throw error;
    throw new ConfigurationError(`Cannot open ${error.path}: ${error.problem}`, { cause: error });
  }
  return { ...storage, close, [Symbol.asyncDispose]: close };
}

/**
 * Opens a storage.
 *
 * @param options Whether to create a data directory, and where its figures come from
 * @throws {ArgumentError} If the address is not valid
 * @throws {ConfigurationError} If it is missing (unless `create` is set) or unreadable, or its database and files do
 * not belong together
 */
export async function openStorage(
  address: StorageAddress,
  options: OpenStorageOptions = {},
): Promise<StorageHandle> {
  checkStorageAddress(address);
  return typeof address === "string"
    ? await toHandle(await openDirectory(address, options))
    : await drawersOf(address).open();
}
