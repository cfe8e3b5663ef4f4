/**
 * A store and a queue in a new database, for tests of workers.
 *
 * @module
 */
import { migrateQueue, openBoss, QUEUE } from "../../../src/machines/queue/open_boss.ts";
import { type SharedHandle, shareStorage } from "../../../src/machines/shared_storage.ts";
import { migratePostgres } from "../../../src/machines/postgres/postgres_schema.ts";
import type { Postgres } from "../../_postgres.ts";

/** Folder of the files in a test's folder. */
export const filesOf = (folder: string) => `${folder}/files`;

/** Makes an empty store and an empty queue; returns their address. */
export async function makeQueue(server: Postgres): Promise<string> {
  const address = await server.createDatabase();
  await migratePostgres(address, "sample");
  await migrateQueue(address);
  return address;
}

/** Makes a queue retry failed jobs immediately, so no test waits for the second and third try. */
export async function retryAtOnce(address: string): Promise<void> {
  const boss = await openBoss(address);
  await boss.updateQueue(QUEUE, { retryDelay: 0, retryBackoff: false });
  await boss.stop();
}

/** Opens the store, with files in a folder of the test. */
export async function openQueueStorage(address: string, folder: string): Promise<SharedHandle> {
  return await shareStorage({ database: address, files: filesOf(folder) }).open();
}
