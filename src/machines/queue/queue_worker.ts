import type { JobWithMetadata, PgBoss } from "pg-boss";
import type { JsonValue } from "@std/jsonc";
import type { Job } from "../../storage/jobs/job.ts";
import { describeFailure, type JobResult } from "../../storage/jobs/job_message.ts";
import { JobPool } from "../../storage/jobs/job_pool.ts";
import type { Attempt, JobWorker } from "../../storage/jobs/job_worker.ts";
import { END_TIMEOUT } from "../../storage/jobs/process_worker.ts";
import { openBoss, QUEUE, SCHEMA } from "./open_boss.ts";

/** Pause between two looks for jobs that nobody announces, s: those that are tried again. */
const POLLING = 1;

/** Whether it ended for good: what was refused or is not valid is so too where it is tried again. */
function isFinal(result: JobResult): boolean {
  return "refusal" in result || "argument" in result;
}

/** Does the jobs of a queue until it is closed. Of a job that its worker does not survive the queue counts the begins. */
export class QueueWorker {
  readonly #boss: PgBoss;
  readonly #pool: JobPool;
  #closing = false;

  private constructor(boss: PgBoss, pool: JobPool) {
    this.#boss = boss;
    this.#pool = pool;
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
    startWorker: () => JobWorker,
    width: number,
  ): Promise<QueueWorker> {
    const boss = await openBoss(address, { works: true });
    const worker = new QueueWorker(boss, new JobPool(startWorker, width, 1));
    for (let i = 0; i < width; i++) await worker.#begin();
    return worker;
  }

  /** Begins no further job, and ends those under way or gives them back, within seconds. */
  async close(): Promise<void> {
    this.#closing = true;
    const stopped = this.#boss.stop({ timeout: END_TIMEOUT + 5000 });
    await Promise.all([this.#pool.close(), stopped]);
  }

  async #begin(): Promise<void> {
    const options = {
      includeMetadata: true,
      perJobResults: true,
      pollingIntervalSeconds: POLLING,
      notifyPollingIntervalSeconds: POLLING,
    } as const;
    const id = await this.#boss.work<Job, JobResult, typeof options>(
      QUEUE,
      options,
      async ([row]) => {
        this.#boss.notifyWorker(id); // else it would pause before the next one
        return [{ id: row.id, ...await this.#do(row) }];
      },
    );
  }

  /** Does a job; only a failure is tried again, not a refusal. */
  async #do(row: JobWithMetadata<Job>): Promise<{
    status: "completed" | "failed";
    output: JobResult;
  }> {
    const attempt: Attempt = { id: row.id, retryCount: row.retryCount };
    let reported: Promise<unknown> = Promise.resolve();
    const onProgress = (progress: JsonValue) => {
      reported = reported.then(() => this.#report(attempt, progress));
    };
    try {
      const answer = await this.#pool.run(row.data, { attempt, onProgress });
      return { status: "completed", output: { done: true, answer } };
    } catch (error) {
      const output = describeFailure(error);
      if (this.#closing) await this.#giveBack(attempt, output);
      return { status: isFinal(output) ? "completed" : "failed", output };
    } finally {
      await reported;
    }
  }

  /** Notes in the queue how far a job is. */
  async #report({ id, retryCount }: Attempt, progress: JsonValue): Promise<void> {
    try {
      await this.#boss.getDb().executeSql(
        `UPDATE ${SCHEMA}.job SET output = $4
         WHERE name = $1 AND id = $2 AND state = 'active' AND retry_count = $3`,
        [QUEUE, id, retryCount, { progress }],
      );
    } catch (error) {
      console.error("the progress of a job is not noted:", (error as Error).message);
    }
  }

  /** A job that this worker cannot end is not dead, also where it was its last try. */
  async #giveBack(attempt: Attempt, output: JobResult): Promise<void> {
    if (isFinal(output)) return;
    await this.#boss.fail(QUEUE, attempt, output);
    await this.#boss.retry(QUEUE, attempt.id);
  }
}
