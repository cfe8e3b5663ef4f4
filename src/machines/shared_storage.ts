import { explainDenial } from "../disk/denial.ts";
import {
  formatStorage,
  formatStorageOptions,
  type SharedDrawers,
  type SharedStorage,
  type StorageHandle,
  toHandle,
  type WatchedJobs,
} from "../storage/storage.ts";
import { parsePostgresAddress } from "./postgres/postgres_address.ts";
import { openPostgresStore } from "./postgres/postgres_store.ts";
import type { Store } from "../storage/store/store.ts";
import { QueuedJobs } from "./queue/queued_jobs.ts";
import type { Files } from "../storage/files/files.ts";
import { FolderFiles } from "../storage/files/folder/folder_files.ts";
import { formatCommand } from "../storage/format_command.ts";
import { PassingError } from "../storage/failures/is_passing.ts";
import type { S3Environment } from "./s3/open_bucket.ts";

/** How long to wait for jobs while no worker is active, ms. */
const PATIENCE = 300_000;

/** Checks for workers in that time; warns after two misses. */
const WORKER_CHECKS = 10;

/**
 * Opens the queue of a shared storage for a caller that gives up when no worker is active.
 *
 * @param signal Ends the wait
 * @param patience How long to wait while no worker is active, ms; the jobs stay in the queue
 * @throws {ConfigurationError} If the address is wrong, or the queue is missing there or of another version
 */
async function openWatchedJobs(
  storage: SharedStorage & { readonly database: string },
  signal?: AbortSignal,
  patience: number = PATIENCE,
): Promise<WatchedJobs> {
  const jobs = await QueuedJobs.open(storage.database);
  const idle = new AbortController();
  const remedy = `Check whether workers run (${formatCommand("jobs list")}), or start one: ` +
    formatCommand(`work ${formatStorageOptions(storage)}`);
  let misses = 0;
  const checkWorkers = async () => {
    misses = await jobs.isIdle() ? misses + 1 : 0;
    if (misses === 2) console.error(`No worker runs the waiting jobs. ${remedy}`);
    const problem = `No worker has been active for ${patience / 1000} s; the queue keeps the jobs`;
    if (misses === WORKER_CHECKS) idle.abort(new PassingError(`${problem}. ${remedy}`));
  };
  // An unreachable database cuts off the workers, too, so it is not their miss.
  const timer = setInterval(() => checkWorkers().catch(() => misses = 0), patience / WORKER_CHECKS);
  return {
    jobs,
    signal: AbortSignal.any([idle.signal, ...(signal ? [signal] : [])]),
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await jobs.close();
    },
  };
}

/**
 * Opens the files. The client of object stores is loaded only for one.
 *
 * @param address Path of a folder, or address such as `s3://bucket/prefix`
 * @param variables Reads the variables with an object store's address and credentials
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

/** An open shared storage. */
export interface SharedHandle extends StorageHandle {
  readonly store: Store;
}

/** A shared storage by its addresses. */
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
  return await toHandle({ store, files });
}

/**
 * Names a storage that several machines share: store and queue in PostgreSQL, files in an object store or a folder. It
 * opens nothing yet.
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
      database: parsePostgresAddress(database).safeAddress,
      files: files.replace(/^(s3:\/\/)[^]*@/, "$1"), // removes keys that a user put there by mistake
    },
    open: () =>
      openShared(database, files).catch((error) => {
        throw explainDenial(error, `open ${formatStorage(machines)}`);
      }),
    openJobs: () => QueuedJobs.open(database),
    watchJobs: (signal, patience) => openWatchedJobs(machines, signal, patience),
  };
  return machines;
}
