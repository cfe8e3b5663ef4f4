import type { PgBoss } from "pg-boss";
import type { Job } from "../../storage/jobs/job.ts";
import { QUEUE, SCHEMA } from "./open_boss.ts";

/** A job in the queue. */
export interface QueueRow {
  readonly id: string;
  readonly job: Job;
  /** `created` and `retry` wait, the latter after a begin that failed; `failed` is dead until it is retried. */
  readonly state: "created" | "retry" | "active" | "completed" | "cancelled" | "failed";
  /** How it ended, a `JobResult`; of one that is active what it has reported; what pg-boss says of a lost one. */
  readonly output: unknown;
  /** How often it has been begun. */
  readonly begun: number;
  readonly created: Date;
  /** When it was begun last; `null` where it was not. */
  readonly started: Date | null;
  /** When it ended; `null` where it has not. */
  readonly ended: Date | null;
}

/** How far a job is, for whoever knows the job, which may be long. */
export type QueueState = Omit<QueueRow, "job">;

const STATE = `id, state, output, created_on AS created, started_on AS started,
  completed_on AS ended, retry_count + (started_on IS NOT NULL)::int AS begun`;

const FROM = `FROM ${SCHEMA}.job WHERE name = '${QUEUE}' AND`;

/** Reads jobs of the queue that a condition selects. */
export async function readQueue(
  boss: PgBoss,
  condition: string,
  ...values: unknown[]
): Promise<QueueRow[]> {
  const sql = `SELECT ${STATE}, data AS job ${FROM} ${condition}`;
  return (await boss.getDb().executeSql(sql, values)).rows;
}

/** Reads how far jobs of the queue are, by their identifiers: those that have ended first, in the order in which they did. */
export async function readStates(boss: PgBoss, ids: readonly string[]): Promise<QueueState[]> {
  const sql = `SELECT ${STATE} ${FROM} id = ANY ($1::uuid[]) ORDER BY completed_on`;
  return (await boss.getDb().executeSql(sql, [ids])).rows;
}
