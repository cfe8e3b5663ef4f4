import { buildProcessArgs, ProcessWorker } from "../storage/jobs/process_worker.ts";
import type { Machines } from "./shared_storage.ts";
import { QueueWorker } from "./queue/queue_worker.ts";

/**
 * Builds the command line of a worker of the queue: it needs the network, and writes pieces of exports, and files where they
 * are in a folder.
 *
 * @param files Where the files are; the addresses are in its environment, as all users of a machine see a command line
 */
export function buildQueueArgs({ files }: Pick<Machines, "files">): string[] {
  const folders = [Deno.env.get("TMPDIR") ?? "/tmp"];
  if (!files.startsWith("s3:")) folders.push(files);
  const access = ["--allow-net", `--allow-write=${folders.join()}`];
  return buildProcessArgs(import.meta.resolve("./queue_process.ts"), access);
}

/**
 * Begins to do the jobs of the queue that machines share, each in a process of its own.
 *
 * @param width How many jobs are done at once
 * @throws {ConfigurationError} If the address is wrong, or the database or the queue has another schema
 */
export async function openQueueWorker(storage: Machines, width: number): Promise<QueueWorker> {
  await (await storage.open()).close(); // says what is wrong before a job is begun
  const { database, files } = storage;
  const env = { VINDKIT_DATABASE: database, VINDKIT_FILES: files };
  const startWorker = () => new ProcessWorker(buildQueueArgs(storage), { env });
  return await QueueWorker.open(database, startWorker, width);
}
