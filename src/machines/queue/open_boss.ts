import type { PgBoss } from "pg-boss";
import { ConfigurationError } from "../../api/errors.ts";
import { formatCommand } from "../../storage/format_command.ts";
import { isPassing } from "../../storage/failures/is_passing.ts";
import type { PoolConfig } from "../postgres/pg.ts";
import { parsePostgresAddress } from "../postgres/postgres_address.ts";
import { MAX_LOST_WORKERS } from "../../storage/jobs/job_pool.ts";

/** Suffix that pg-boss appends to problems of its loops, with a number for each. */
const WORKER = / \(Queue: .*\)$/;

/**
 * Creates the logger of a queue's problems. It logs a problem once until a different one occurs: while the database is
 * unreachable, every try of every loop has the same problem.
 *
 * @param safeAddress Address of the database without its password
 * @returns The logger
 */
export function createQueueReporter(safeAddress: string): (problem: { message: string }) => void {
  let last = "";
  return (problem) => {
    const message = problem.message.replace(WORKER, "");
    if (message === last) return;
    last = message;
    console.error(`the queue of ${safeAddress}: ${message}`);
  };
}

/** Schema of pg-boss in the database. */
export const SCHEMA = "vindkit_jobs";

/** The queue of all jobs; their priorities decide which is next. */
export const QUEUE = "jobs";

/** Most connections of a process to the queue, without the listening one. */
const MAX_CONNECTIONS = 3;

/** How long to wait for an answer of the database, ms. */
const ANSWER_TIMEOUT = 30_000;

/** How long to wait for an answer while the queue is created or migrated, ms. */
const MIGRATION_TIMEOUT = 600_000;

/** Pause after which an idle connection is probed, ms. */
const KEEP_ALIVE = 10_000;

/** Table of the reports of running jobs; a crash of the database may lose them. */
const PROGRESS = `CREATE SCHEMA IF NOT EXISTS vindkit;
  CREATE UNLOGGED TABLE IF NOT EXISTS vindkit.progress (
    job uuid PRIMARY KEY, begun integer NOT NULL, progress json NOT NULL
  )`;

const QUEUE_OPTIONS = {
  notify: true,
  retryLimit: MAX_LOST_WORKERS - 1,
  retryDelay: 1, // s; it doubles
  retryBackoff: true,
  retryDelayMax: 60, // s
  heartbeatSeconds: 10, // the minimum of pg-boss: a worker silent for longer counts as dead
  expireInSeconds: 86_000, // nearly the maximum of pg-boss: the job's process ends a silent job earlier
  retentionSeconds: 30 * 86_400, // of a job that never begins
  deleteAfterSeconds: 7 * 86_400, // of an ended job, even if it failed
};

interface BossOptions {
  /** Whether it works: it listens for jobs, and checks every second for dead workers. */
  readonly works?: boolean;
  /** Whether it creates or migrates the schema of the queue. */
  readonly migrates?: boolean;
  /** How long to wait for an answer of the database, whose machine may be gone, ms. */
  readonly answerTimeout?: number;
}

/**
 * Opens the queue in a database. pg-boss is loaded only here.
 *
 * @param address `postgres://…`
 * @throws {ConfigurationError} If the address is wrong, or the queue is missing there or of another version
 */
export async function openBoss(
  address: string,
  { works = false, migrates = false, answerTimeout = ANSWER_TIMEOUT }: BossOptions = {},
): Promise<PgBoss> {
  const { safeAddress, settings } = parsePostgresAddress(address);
  const pool: PoolConfig = {
    ...settings,
    query_timeout: answerTimeout,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE,
  };
  const { PgBoss } = await import("pg-boss");
  const boss = new PgBoss({
    ...pool as Record<string, never>, // pg-boss passes on to pg more options than its type names
    schema: SCHEMA,
    application_name: "vindkit",
    max: MAX_CONNECTIONS,
    migrate: migrates,
    schedule: false,
    registerInstance: false,
    supervise: works,
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
    useListenNotify: works,
  });
  const report = createQueueReporter(safeAddress);
  boss.on("error", report);
  boss.on("warning", report);
  try {
    return await boss.start();
  } catch (cause) {
    await boss.stop({ graceful: false });
    const { message } = cause as Error;
    if (isPassing(cause)) {
      throw new Error(
        `Cannot use the queue of ${safeAddress}: ${message}. Check that PostgreSQL runs at this address, then try again`,
        { cause },
      );
    }
    throw new ConfigurationError(
      `Cannot use the queue of ${safeAddress}: ${message}. If the queue is missing or outdated, create or update it with: ` +
        formatCommand("migrate --database ADDRESS"),
      { cause },
    );
  }
}

/**
 * Creates the queue in a database, or migrates it.
 *
 * @param address `postgres://…`
 * @throws {ConfigurationError} If the address is wrong, or its user may not do that
 */
export async function migrateQueue(address: string): Promise<void> {
  const boss = await openBoss(address, { migrates: true, answerTimeout: MIGRATION_TIMEOUT });
  try {
    // at most one of several equal jobs waits or runs
    await boss.createQueue(QUEUE, { policy: "exclusive", ...QUEUE_OPTIONS });
    await boss.updateQueue(QUEUE, QUEUE_OPTIONS);
    await boss.getDb().executeSql(PROGRESS);
  } finally {
    await boss.stop();
  }
}
