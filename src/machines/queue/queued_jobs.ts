import { delay } from "@std/async";
import type { PgBoss } from "pg-boss";
import type { JsonValue } from "@std/jsonc";
import { sha256 } from "../../disk/hashes.ts";
import { formatCommand } from "../../storage/format_command.ts";
import {
  type Job,
  type JobAnswer,
  JobError,
  type JobKind,
  type JobOf,
  type Jobs,
  keyOf,
  type RunOptions,
} from "../../storage/jobs/job.ts";
import { readAnswer } from "../../storage/jobs/job_result.ts";
import { openBoss, QUEUE, SCHEMA } from "./open_boss.ts";
import { type QueueState, readEnd, readQueue, readStates } from "./queue_row.ts";

/** Subtracted from the priority of the service's internal jobs, so they come after the jobs of all licences. */
const BEHIND = 1_000_000_000;

/**
 * Names the line of a job: each licence has one for jobs that a request waits for, and one for the others.
 */
function lineOf({ turn, urgent }: Job): string {
  return `${urgent ? "urgent" : "usual"} ${turn}`;
}

/**
 * Computes the priority of a new job so that lines take turns. The round of a job follows the round of its line's last
 * job, or is the workers' present round. Lower rounds go first, and within a round the jobs that a request waits for.
 *
 * @param boss The queue
 */
async function computePriority(boss: PgBoss, job: Job): Promise<number> {
  const base = job.turn === "" && !job.urgent ? -BEHIND : 0;
  const { rows: [{ round }] } = await boss.getDb().executeSql(
    `SELECT GREATEST(
       coalesce(max(round) FILTER (WHERE state = 'active'), min(round)),
       max(round) FILTER (WHERE line = $2) + 1, 0
     ) AS round
     FROM (
       SELECT ($3 - priority) / 2 AS round, group_id AS line, state FROM ${SCHEMA}.job
       WHERE name = $1 AND state IN ('created', 'active')
         AND priority <= $3 AND priority > $3 - ${BEHIND}
     ) AS live`,
    [QUEUE, lineOf(job), base],
  );
  return base - 2 * round - (job.urgent ? 0 : 1);
}

/** Pause between two checks of awaited jobs, ms: while a request waits for one of them, and otherwise. */
const URGENT_PAUSE = 50;
const PAUSE = 250;

/** Pause between two checks while the database cannot be reached, ms. */
const AWAY_PAUSE = 1000;

/**
 * Longest time that a request waits for a job, ms: there may be no worker. The job stays in the queue. The timeout of the
 * request itself is longer, so its client learns why.
 */
export const URGENT_TIMEOUT = 100_000;

/**
 * Finds a job that proves that a worker is active: one in progress with a live worker, or one that just ended.
 */
const WORKED = `(state = 'active' AND heartbeat_on > now() - interval '30 seconds'
  OR completed_on > now() - interval '30 seconds') LIMIT 1`;

interface Waiting {
  readonly job: Job;
  readonly done: PromiseWithResolvers<unknown>;
  readonly listeners: NonNullable<RunOptions["onProgress"]>[];
  /** When the wait ends, on the clock of `performance.now()`. */
  readonly until: number;
  /** Its last report, as JSON. */
  reported: string;
}

/** Jobs in a queue in PostgreSQL, for worker processes on any machine. */
export class QueuedJobs implements Jobs {
  readonly #boss: PgBoss;
  readonly #waiting = new Map<string, Waiting>();
  readonly #closing = new AbortController();
  #placed: Promise<unknown> = Promise.resolve();
  #watching: Promise<void> | undefined;

  private constructor(boss: PgBoss) {
    this.#boss = boss;
  }

  /**
   * Opens the queue of a database.
   *
   * @param address `postgres://…`
   * @throws {ConfigurationError} If the address is wrong, or the queue is missing there or of another version
   */
  static async open(address: string): Promise<QueuedJobs> {
    return new QueuedJobs(await openBoss(address));
  }

  async run<K extends JobKind>(
    of: JobOf<K>,
    { onProgress }: RunOptions = {},
  ): Promise<JobAnswer<K>> {
    const job = of as Job;
    if (this.#closing.signal.aborted) throw buildClosed(job);
    // one after the other, because the round of a job depends on its line
    const placed = this.#placed.then(() => this.#place(job));
    this.#placed = placed.catch(() => {}); // its caller has the error
    const id = await placed;
    if (this.#closing.signal.aborted) throw buildClosed(job);
    let waiting = this.#waiting.get(id);
    if (!waiting) {
      const done = Promise.withResolvers<unknown>();
      const until = job.urgent ? performance.now() + URGENT_TIMEOUT : Infinity;
      waiting = { job, done, listeners: [], until, reported: "" };
      this.#waiting.set(id, waiting);
      this.#watching ??= this.#watch();
    }
    if (onProgress) waiting.listeners.push(onProgress);
    return await waiting.done.promise as JobAnswer<K>;
  }

  /** Whether callers wait for jobs while no worker is active. */
  async isIdle(): Promise<boolean> {
    return this.#waiting.size > 0 && (await readQueue(this.#boss, WORKED)).length === 0;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#placed;
    await this.#watching;
    await this.#boss.stop({ graceful: false });
  }

  /** Places a job, unless an equal one waits or runs; returns the identifier of the one in the queue. */
  async #place(job: Job): Promise<string> {
    const key = sha256(keyOf(job));
    while (true) {
      const id = await this.#boss.send(QUEUE, job, {
        singletonKey: key,
        priority: await computePriority(this.#boss, job),
        group: { id: lineOf(job) },
      });
      if (id !== null) {
        // replaces an equal dead job
        const [dead] = await readQueue(this.#boss, "singleton_key = $1 AND state = 'failed'", key);
        if (dead) await this.#boss.deleteJob(QUEUE, dead.id);
        return id;
      }
      const [equal] = await readQueue(this.#boss, "singleton_key = $1 AND state <= 'active'", key);
      if (equal) return equal.id; // otherwise it has ended meanwhile
    }
  }

  /** Checks the awaited jobs, as long as there are any; once more when closing. */
  async #watch(): Promise<void> {
    const { signal } = this.#closing;
    let isAway = false;
    while (this.#waiting.size > 0) {
      const last = signal.aborted;
      try {
        await this.#look();
        isAway = false;
      } catch (error) {
        if (!isAway) console.error("the queue cannot be read:", (error as Error).message);
        isAway = true; // the database may be restarting
      }
      if (last) break;
      const isUrgent = this.#waiting.values().some(({ job }) => job.urgent);
      const pause = isAway ? AWAY_PAUSE : isUrgent ? URGENT_PAUSE : PAUSE;
      await delay(pause, { signal }).catch(() => {}); // it is closing
    }
    for (const { job, done } of this.#waiting.values()) done.reject(buildClosed(job));
    this.#watching = undefined;
  }

  async #look(): Promise<void> {
    const missing = new Set(this.#waiting.keys());
    for (const row of await readStates(this.#boss, [...missing])) {
      missing.delete(row.id);
      this.#settle(row.id, row);
    }
    for (const id of missing) this.#settle(id, undefined);
  }

  #settle(id: string, row: QueueState | undefined): void {
    const waiting = this.#waiting.get(id)!;
    const { job, done, until } = waiting;
    const end = readEnd(job, row);
    if (!end && performance.now() < until) {
      if (row?.state === "active") report(waiting, row.progress);
      return;
    }
    this.#waiting.delete(id);
    try {
      if (!end) throw buildLate(job);
      done.resolve(readAnswer(end));
    } catch (error) {
      done.reject(error);
    }
  }
}

/** Passes on new reports of a job. */
function report(waiting: Waiting, progress: JsonValue): void {
  const reported = JSON.stringify(progress);
  if (progress === null || reported === waiting.reported) return;
  waiting.reported = reported;
  for (const listen of waiting.listeners) listen(progress);
}

function buildClosed({ kind }: Job): JobError {
  return new JobError(
    `Cannot wait for ${kind}: the service is stopping. The queue keeps the job. To get its result, make the request again after the next start`,
  );
}

function buildLate({ kind }: Job): JobError {
  return new JobError(
    `Cannot run ${kind}: no worker finished the job within ${URGENT_TIMEOUT / 1000} s. ` +
      `Check whether workers run: ${formatCommand("jobs list")}`,
    { passes: true },
  );
}
