import type { PgBoss } from "pg-boss";
import type { Job } from "../job.ts";
import { QUEUE, SCHEMA } from "./open_boss.ts";

/** A job in the queue. */
export interface QueueRow {
  /** Its identifier. */
  readonly id: string;
  /** The job. */
  readonly job: Job;
  /** `created` and `retry` wait, the latter after a begin that failed; `failed` is dead until it is retried. */
  readonly state: "created" | "retry" | "active" | "completed" | "cancelled" | "failed";
  /** How it ended, a `JobResult`; of one that is active what it has reported; what pg-boss says of a lost one. */
  readonly output: unknown;
  /** How often it has been begun. */
  readonly begun: number;
  /** When it was placed. */
  readonly created: Date;
  /** When it was begun last; `null` where it was not. */
  readonly started: Date | null;
  /** When it ended; `null` where it has not. */
  readonly ended: Date | null;
}

const COLUMNS = `id, data AS job, state, output, created_on AS created, started_on AS started,
  completed_on AS ended, retry_count + (started_on IS NOT NULL)::int AS begun`;

/** Reads jobs of the queue that a condition selects. */
export async function readQueue(
  boss: PgBoss,
  condition: string,
  ...values: unknown[]
): Promise<QueueRow[]> {
  const sql = `SELECT ${COLUMNS} FROM ${SCHEMA}.job WHERE name = '${QUEUE}' AND ${condition}`;
  return (await boss.getDb().executeSql(sql, values)).rows;
}
