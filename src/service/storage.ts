import { type DataDirectory, openDataDirectory } from "./data_directory.ts";
import { Files } from "./files/files.ts";
import { parsePostgresAddress } from "./store/postgres/postgres_address.ts";
import { PostgresStore } from "./store/postgres/postgres_store.ts";

/** Where machines that share their data keep it. */
export interface SharedStorage {
  /** Database of the store and of the queue, `postgres://…`. */
  readonly database: string;
  /** Folder of the files that all of them reach. */
  readonly files: string;
}

/** Where a service keeps its data: path of a data directory, or what machines share. */
export type StorageAddress = string | SharedStorage;

/** An address as a message shows it: without a password. */
export function showStorage(address: StorageAddress): string {
  return typeof address === "string" ? address : parsePostgresAddress(address.database).shown;
}

/** What machines share, open. */
export interface OpenStorage extends DataDirectory {
  readonly store: PostgresStore;
}

/**
 * Opens what machines share.
 *
 * @throws {ConfigurationError} If the address is wrong, or the database has another schema
 */
export async function openShared({ database, files }: SharedStorage): Promise<OpenStorage> {
  return { store: await PostgresStore.open(database), files: new Files(files) };
}

/**
 * Opens the data of a service.
 *
 * @param address Where they are
 * @throws {ConfigurationError} If they are missing, cannot be read, or have another schema
 */
export async function openStorage(address: StorageAddress): Promise<DataDirectory> {
  return typeof address === "string" ? openDataDirectory(address) : await openShared(address);
}
