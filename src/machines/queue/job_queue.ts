import type { PgBoss } from "pg-boss";
import { openBoss, QUEUE, SCHEMA } from "./open_boss.ts";
import { type QueueRow, readQueue } from "./queue_row.ts";

/** Most jobs that are listed of each kind, running, waiting or dead, so no kind hides another. */
const MAX_LISTED = 1000;

/** Order of those of one kind: what waits goes by its turn, what is dead by its end. */
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

/** How many jobs there are. */
export interface JobCounts {
  readonly active: number;
  /** Those that wait, also for another try. */
  readonly waiting: number;
  /** Those that have failed for good. */
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

  /** Jobs that run, that wait in their order, and that are dead, the last ones first: a thousand of each at most. */
  list(): Promise<QueueRow[]> {
    return readQueue(this.#boss, LISTED);
  }

  /** Counts the jobs that run, that wait and that are dead: all of them. */
  async count(): Promise<JobCounts> {
    return (await this.#boss.getDb().executeSql(COUNT)).rows[0];
  }

  /**
   * Finds a job, also one that is done.
   *
   * @param start The first characters of its identifier
   * @returns Those that begin so
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
