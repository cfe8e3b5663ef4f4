import type { PgBoss } from "pg-boss";
import { openBoss, QUEUE } from "./open_boss.ts";
import { type QueueRow, readQueue } from "./queue_row.ts";

/** Longest list of jobs. */
const MAX_JOBS = 1000;

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

  /** Jobs that run, that wait in their order, and that are dead, the last ones first; a thousand at most. */
  list(): Promise<QueueRow[]> {
    return readQueue(
      this.#boss,
      `state IN ('created', 'retry', 'active', 'failed')
       ORDER BY state = 'failed', state <> 'active', completed_on DESC, priority DESC, created_on
       LIMIT ${MAX_JOBS}`,
    );
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

  /** Gives a dead job one more try. */
  async retry({ id }: QueueRow): Promise<void> {
    await this.#boss.retry(QUEUE, id);
  }

  /** Closes the connections. */
  async close(): Promise<void> {
    await this.#boss.stop({ graceful: false });
  }
}
