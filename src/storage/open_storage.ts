import type { World } from "../api/world.ts";
import { createDataDirectory, DATABASE, FILES_FOLDER, findDatabase } from "./data_directory.ts";
import { explainDenial } from "./explain_denial.ts";
import type { Files } from "./files/files.ts";
import { FolderFiles } from "./files/folder/folder_files.ts";
import { openFiles } from "./files/open_files.ts";
import { SqliteStore } from "./store/sqlite/sqlite_store.ts";
import type { PostgresStore } from "../machines/postgres/postgres_store.ts";
import type { Store } from "./store/store.ts";
import {
  checkStorageAddress,
  formatStorage,
  type SharedStorage,
  type StorageAddress,
} from "./storage_address.ts";

export { SCHEMA_VERSION } from "./store/sqlite/schema.ts";

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

/** What machines share, open. */
export interface SharedHandle extends StorageHandle {
  readonly store: PostgresStore;
}

interface OpenStorageOptions {
  /** Creates a data directory where it is missing; what machines share is never created. @default {false} */
  readonly create?: boolean;
  /** Where the figures of a new data directory come from. */
  readonly world?: World;
}

function openDirectory(path: string, { create, world }: OpenStorageOptions): Storage {
  if (create) createDataDirectory(path);
  const database = create ? `${path}/${DATABASE}` : findDatabase(path);
  return {
    store: new SqliteStore(database, world),
    files: new FolderFiles(`${path}/${FILES_FOLDER}`),
  };
}

/** Adds what closes it. */
function toHandle<S extends Storage>(storage: S): S & StorageHandle {
  const { store, files } = storage;
  const close = async () => {
    files.close();
    await store.close();
  };
  return { ...storage, close, [Symbol.asyncDispose]: close };
}

/**
 * Opens what machines share.
 *
 * @throws {ConfigurationError} If an address is wrong, this program may not reach it, or the database has another schema
 * @throws {Error} If it cannot be reached
 */
export async function openShared(address: SharedStorage): Promise<SharedHandle> {
  try {
    const { PostgresStore } = await import("../machines/postgres/postgres_store.ts");
    await using undo = new AsyncDisposableStack();
    const store = undo.adopt(await PostgresStore.open(address.database), (it) => it.close());
    const files = await openFiles(address.files);
    undo.move();
    return toHandle({ store, files });
  } catch (error) {
    throw explainDenial(error, formatStorage(address));
  }
}

/**
 * Opens where data are kept.
 *
 * @param options Whether a data directory is created, and where its figures come from
 * @throws {ArgumentError} If it is no address
 * @throws {ConfigurationError} If it is missing or cannot be read, and is not to be created
 */
export async function openStorage(
  address: StorageAddress,
  options: OpenStorageOptions = {},
): Promise<StorageHandle> {
  checkStorageAddress(address);
  return typeof address === "string"
    ? toHandle(openDirectory(address, options))
    : await openShared(address);
}
