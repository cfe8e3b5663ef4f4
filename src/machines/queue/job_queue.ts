import type { PgBoss } from "pg-boss";
import { openBoss, QUEUE, SCHEMA } from "./open_boss.ts";
import { type QueueRow, readQueue } from "./queue_row.ts";

/** Most listed jobs of each kind (running, waiting, dead), so no kind hides another. */
const MAX_LISTED = 1000;

/** Order within a kind: waiting jobs by their turn, dead jobs by their end. */
const ORDER = "completed_on DESC, priority DESC, created_on";

const LISTED = `id IN (
    SELECT id FROM (
      SELECT id, row_number() OVER (
        PARTITION BY state = 'failed', state = 'active' ORDER BY ${ORDER}
      ) AS place
      FROM ${SCHEMA}.job
      WHERE name = '${QUEUE}' AND state IN ('created', 'retry', 'active', 'failed')
    ) AS placed WHERE place <= ${MAX_LISTED}
  ) ORDER BY state = 'failed', state <> 'active', ${ORDER}`;

const COUNT = `SELECT
    count(*) FILTER (WHERE state = 'active')::int AS active,
    count(*) FILTER (WHERE state IN ('created', 'retry'))::int AS waiting,
    count(*) FILTER (WHERE state = 'failed')::int AS dead
  FROM ${SCHEMA}.job WHERE name = '${QUEUE}'`;

/** Numbers of jobs. */
export interface JobCounts {
  readonly active: number;
  /** Waiting jobs, including retries. */
  readonly waiting: number;
  /** Jobs that failed for good. */
  readonly dead: number;
}

/** The queue as its operator sees it. */
export class JobQueue {
  readonly #boss: PgBoss;

  private constructor(boss: PgBoss) {
    this.#boss = boss;
  }

  /**
   * Opens the queue of a database.
   *
   * @param address `postgres://…`
   * @throws {ConfigurationError} If the address is wrong, or the queue is missing there or of another version
   */
  static async open(address: string): Promise<JobQueue> {
    return new JobQueue(await openBoss(address));
  }

  /** Running jobs, waiting jobs in their order, and dead jobs, the latest first: at most a thousand of each. */
  list(): Promise<QueueRow[]> {
    return readQueue(this.#boss, LISTED);
  }

  /** Counts all running, waiting and dead jobs. */
  async count(): Promise<JobCounts> {
    return (await this.#boss.getDb().executeSql(COUNT)).rows[0];
  }

  /**
   * Finds a job, even if it is done.
   *
   * @param start The first characters of its identifier
   * @returns The matching jobs
   */
  find(start: string): Promise<QueueRow[]> {
    return readQueue(this.#boss, "starts_with(id::text, $1) LIMIT 2", start);
  }

  async retry({ id }: QueueRow): Promise<void> {
    await this.#boss.retry(QUEUE, id);
  }

  async close(): Promise<void> {
    await this.#boss.stop({ graceful: false });
  }
}
