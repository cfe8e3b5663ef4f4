import { explainDenial } from "../storage/explain_denial.ts";
import {
  formatStorage,
  type SharedDrawers,
  type StorageHandle,
  toHandle,
} from "../storage/storage.ts";
import { parsePostgresAddress } from "./postgres/postgres_address.ts";
import { openPostgresStore } from "./postgres/postgres_store.ts";
import type { Store } from "../storage/store/store.ts";
import { QueuedJobs } from "./queue/queued_jobs.ts";
import { openWatchedJobs } from "./queue/watched_jobs.ts";
import type { Files } from "../storage/files/files.ts";
import { FolderFiles } from "../storage/files/folder/folder_files.ts";
import type { S3Environment } from "./s3/s3_variables.ts";

/**
 * Opens files where they are; what speaks to an object store is loaded only for one.
 *
 * @param address Path of a folder, or address such as `s3://bucket/prefix`
 * @param variables Reads the variables that say where an object store is, and its credentials
 * @throws {ConfigurationError} If an object store cannot be opened
 */
export async function openFiles(
  address: string,
  variables: S3Environment = (name) => Deno.env.get(name),
): Promise<Files> {
  if (!address.startsWith("s3:")) return new FolderFiles(address);
  const [{ openBucket }, { S3Files }] = await Promise.all([
    import("./s3/open_bucket.ts"),
    import("./s3/s3_files.ts"),
  ]);
  return new S3Files(await openBucket(address, variables));
}

/** What machines share, open. */
export interface SharedHandle extends StorageHandle {
  readonly store: Store;
}

/** What machines share, by its addresses. */
export interface Machines extends SharedDrawers {
  /** PostgreSQL database: `postgres://user@host/name`, with the password or without it (`PGPASSWORD`). */
  readonly database: string;
  /** Its files: `s3://bucket/prefix`, or the path of a folder that all machines share. */
  readonly files: string;
  /**
   * Opens store and files.
   *
   * @throws {ConfigurationError} If an address is wrong, this program may not reach it, or the database has another schema
   * @throws {Error} If it cannot be reached
   */
  open(): Promise<SharedHandle>;
}

async function openShared(database: string, address: string): Promise<SharedHandle> {
  await using undo = new AsyncDisposableStack();
  const store = undo.adopt(await openPostgresStore(database), (it) => it.close());
  const files = await openFiles(address);
  undo.move();
  return toHandle({ store, files });
}

/**
 * Names a storage that machines share: store and queue in PostgreSQL, files in an object store or a folder. Nothing is
 * opened yet.
 *
 * @param database `postgres://user@host/name`, with the password or without it (`PGPASSWORD`)
 * @param files `s3://bucket/prefix`, or the path of a folder that all machines share
 * @throws {ConfigurationError} If the address of the database cannot be read; the message does not show it
 */
export function shareStorage(
  { database, files }: Pick<Machines, "database" | "files">,
): Machines {
  const machines: Machines = {
    database,
    files,
    shown: {
      database: parsePostgresAddress(database).shown,
      files: files.replace(/^(s3:\/\/)[^]*@/, "$1"), // keys have no place there, but somebody may try
    },
    open: () =>
      openShared(database, files).catch((error) => {
        throw explainDenial(error, formatStorage(machines));
      }),
    openJobs: () => QueuedJobs.open(database),
    watchJobs: (signal, patience) => openWatchedJobs(machines, signal, patience),
  };
  return machines;
}
