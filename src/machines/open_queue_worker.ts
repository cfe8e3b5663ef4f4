import type { JsonValue } from "@std/jsonc";
import type { JobWithMetadata, PgBoss } from "pg-boss";
import { ConfigurationError } from "../api/errors.ts";
import type { Job } from "../storage/jobs/job.ts";
import { describeFailure, isFinal, type JobResult } from "../storage/jobs/job_result.ts";
import {
  type Attempt,
  buildGivenUp,
  type JobWorker,
  WorkerLostError,
} from "../storage/jobs/job_worker.ts";
import { buildProcessArgs, END_TIMEOUT, ProcessWorker } from "../storage/jobs/process_worker.ts";
import { openBoss, QUEUE } from "./queue/open_boss.ts";
import { forgetProgress, noteProgress } from "./queue/queue_row.ts";
import type { Machines } from "./shared_storage.ts";

/** Pause between two checks for retried jobs, which no notification announces, s. */
const POLLING = 1;

type StartWorker = () => JobWorker | Promise<JobWorker>;

/** A slot for a worker, which starts with the first job and does one at a time. */
interface Place {
  worker: JobWorker | undefined;
}

/**
 * Does the jobs of a queue until it is closed. The queue counts the attempts at a job that its worker does not survive.
 */
export class QueueWorker {
  readonly #boss: PgBoss;
  readonly #startWorker: StartWorker;
  readonly #places: Place[] = [];
  readonly #refused = Promise.withResolvers<never>();
  #closing = false;

  private constructor(boss: PgBoss, startWorker: StartWorker) {
    this.#boss = boss;
    this.#startWorker = startWorker;
    this.#refused.promise.catch(() => {}); // callers may ignore it
  }

  /**
   * Begins to do the jobs of a queue.
   *
   * @param address `postgres://…`
   * @param width How many jobs are done at once
   * @throws {ConfigurationError} If the address is wrong, or the queue is missing there or of another version
   */
  static async open(
    address: string,
    startWorker: StartWorker,
    width: number,
  ): Promise<QueueWorker> {
    const boss = await openBoss(address, { works: true });
    const worker = new QueueWorker(boss, startWorker);
    for (let i = 0; i < width; i++) await worker.#begin();
    return worker;
  }

  /** Rejects when it can do no job, because its database and its files do not belong together. */
  get refused(): Promise<never> {
    return this.#refused.promise;
  }

  /** Begins no further job; within seconds it ends the jobs under way or returns them to the queue. */
  async close(): Promise<void> {
    this.#closing = true;
    const stopped = this.#boss.stop({ timeout: END_TIMEOUT + 5000 });
    await Promise.all([stopped, ...this.#places.map(({ worker }) => worker?.end())]);
  }

  async #begin(): Promise<void> {
    const options = {
      includeMetadata: true,
      perJobResults: true,
      pollingIntervalSeconds: POLLING,
      notifyPollingIntervalSeconds: POLLING,
    } as const;
    const place: Place = { worker: undefined };
    const id = await this.#boss.work<Job, JobResult, typeof options>(
      QUEUE,
      options,
      async ([row]) => {
        this.#boss.notifyWorker(id); // else it would pause before the next one
        return [{ id: row.id, ...await this.#do(row, place) }];
      },
    );
    this.#places.push(place);
  }

  /** Does a job; a failure is retried, a refusal is not. */
  async #do(row: JobWithMetadata<Job>, place: Place): Promise<{
    status: "completed" | "failed";
    output: JobResult;
  }> {
    const attempt: Attempt = { id: row.id, retryCount: row.retryCount };
    let noted: Promise<unknown> = Promise.resolve();
    const note = (act: () => Promise<unknown>) => noted = noted.then(act).catch(reportUnnoted);
    const onProgress = (progress: JsonValue) =>
      void note(() => noteProgress(this.#boss, attempt, progress));
    let output: JobResult;
    try {
      if (this.#closing) throw new WorkerLostError("the worker is stopping", { begun: false });
      place.worker ??= await this.#startWorker();
      output = { done: true, answer: await place.worker.do(row.data, { attempt, onProgress }) };
    } catch (error) {
      if (error instanceof ConfigurationError && error.code === "other_files") {
        this.#closing = true; // the job goes back to the queue, for a worker with the right files
        this.#refused.reject(error);
      }
      output = describeFailure(this.#judge(row.data, error, place));
      if (this.#closing && !isFinal(output)) {
        // a job that this worker cannot end is not dead, even after its last try
        await this.#boss.fail(QUEUE, attempt, output);
        await this.#boss.retry(QUEUE, attempt.id);
      }
    }
    await note(() => forgetProgress(this.#boss, attempt.id));
    return { status: isFinal(output) ? "completed" : "failed", output };
  }

  /** Describes why a job failed; the next job replaces a lost worker. */
  #judge(job: Job, error: unknown, place: Place): unknown {
    if (!(error instanceof WorkerLostError)) return error;
    place.worker = undefined;
    return buildGivenUp(job, error, { all: 1, overdue: Number(error.overdue) });
  }
}

function reportUnnoted(error: Error): void {
  console.error("the progress of a job could not be recorded:", error.message);
}

/**
 * Builds the command line of a worker of the queue: it needs the network, and writes pieces of exports, and files if they
 * are in a folder.
 *
 * @param files Address of the files; the worker gets addresses in its environment, because all users see command lines
 */
export function buildQueueArgs({ files }: Pick<Machines, "files">): string[] {
  const folders = [Deno.env.get("TMPDIR") ?? "/tmp"];
  if (!files.startsWith("s3:")) folders.push(files);
  const access = ["--allow-net", `--allow-write=${folders.join()}`];
  return buildProcessArgs(import.meta.resolve("./queue_process.ts"), access);
}

/**
 * Begins to do the jobs of the shared queue, each in its own process.
 *
 * @param width How many jobs are done at once
 * @throws {ConfigurationError} If the address is wrong, or the database or the queue has another schema
 */
export async function openQueueWorker(storage: Machines, width: number): Promise<QueueWorker> {
  const check = async () => await (await storage.open()).close();
  await check(); // fails before a job begins
  const { database, files } = storage;
  const env = { VINDKIT_DATABASE: database, VINDKIT_FILES: files };
  const startWorker = async () => {
    await check(); // the first import may have paired the database with other files meanwhile
    return new ProcessWorker(buildQueueArgs(storage), { env });
  };
  return await QueueWorker.open(database, startWorker, width);
}
