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

/** Where several machines keep their data: the truth in a database, immutable files beside it, and a queue of jobs. */
export interface SharedStorage {
  /** Both addresses as they may be shown: without any password. */
  readonly shown: { readonly database: string; readonly files: string };
}

/** Methods that open a shared storage. Callers who pass a storage in do not see them. */
export interface SharedDrawers extends SharedStorage {
  /** Opens store and files. */
  open(): Promise<StorageHandle>;
  /** Opens the queue, whose workers do the jobs. */
  openJobs(): Promise<Jobs>;
  /**
   * Opens the queue for a caller that waits for its jobs as long as workers are running.
   *
   * @param signal Ends the wait
   * @param patience How long to wait while no worker works, ms; the jobs stay in the queue
   */
  watchJobs(signal?: AbortSignal, patience?: number): Promise<WatchedJobs>;
}

/** A queue that is watched. */
export interface WatchedJobs extends AsyncDisposable {
  /** The queue. */
  readonly jobs: Jobs;
  /** Ends the wait for its jobs. */
  readonly signal: AbortSignal;
}

/** Where data are kept: the path of a data directory, or what several machines share, which says where it is (`shown`). */
export type StorageAddress = string | SharedStorage;

/** The methods that open a shared storage: every shared storage has them. */
export function drawersOf(storage: SharedStorage): SharedDrawers {
  return storage as SharedDrawers;
}

/**
 * Refuses what is no address: nobody checks types in a notebook.
 *
 * @param given What a caller gave
 * @throws {ArgumentError} If it is neither a path nor a storage that machines share
 */
export function checkStorageAddress(given: StorageAddress): void {
  if (typeof given === "string") return;
  if (typeof Object(given).open === "function") return;
  throw new ArgumentError(
    `Cannot open data: the location is ${describeValue(given)}. Give the path of a data directory`,
  );
}

/**
 * Formats where data are kept, for a message: without any password.
 *
 * @param address Where they are kept
 */
export function formatStorage(address: StorageAddress): string {
  if (typeof address === "string") return address;
  return `${address.shown.database} and ${address.shown.files}`;
}

/**
 * Formats the options of a command that name where data are kept: without any password.
 *
 * @param address Where they are kept
 */
export function formatStorageOptions(address: StorageAddress): string {
  if (typeof address === "string") return `--data ${shellWord(address)}`;
  const { database, files } = address.shown;
  return `--database ${shellWord(database)} --files ${shellWord(files)}`;
}

/**
 * Formats a command on data for a message, in both ways of starting it: {@linkcode formatCommand}.
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

/** Where data are kept, open. */
export interface Storage {
  readonly store: Store;
  /** Immutable files, which rows of the store name. */
  readonly files: Files;
}

/** Storage for the one who opened it, to be closed. */
export interface StorageHandle extends Storage, AsyncDisposable {
  close(): Promise<void>;
}

interface OpenStorageOptions {
  /** Creates a data directory where it is missing; what machines share is never created. @default {false} */
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
 * Adds what closes a storage.
 *
 * @throws {ConfigurationError} If its database is damaged, or does not belong to its files; they are closed then
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
 * Opens where data are kept.
 *
 * @param options Whether a data directory is created, and where its figures come from
 * @throws {ArgumentError} If it is no address
 * @throws {ConfigurationError} If it is missing or cannot be read, and is not to be created, or its database and its files
 * do not belong together
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
