import type { PgBoss } from "pg-boss";
import type { JsonValue } from "@std/jsonc";
import type { Job } from "../../storage/jobs/job.ts";
import type { Attempt } from "../../storage/jobs/job_worker.ts";
import type { JobResult } from "../../storage/jobs/job_result.ts";
import { QUEUE, SCHEMA } from "./open_boss.ts";

/** A job in the queue. */
export interface QueueRow {
  readonly id: string;
  readonly job: Job;
  /** `created` and `retry` wait, the latter after a failed attempt; `failed` is dead until it is retried. */
  readonly state: "created" | "retry" | "active" | "completed" | "cancelled" | "failed";
  /** Its result, a `JobResult`, or pg-boss's note about a lost job. */
  readonly output: unknown;
  /** Last report of a running job; `null` if there is none. */
  readonly progress: JsonValue;
  /** Number of its attempts. */
  readonly begun: number;
  readonly created: Date;
  /** When its last attempt began; `null` if there was none. */
  readonly started: Date | null;
  /** When it ended; `null` if it has not. */
  readonly ended: Date | null;
}

/** Progress of a job, without its parameters, which may be long. */
export type QueueState = Omit<QueueRow, "job">;

/** Notes the report of an attempt; ignores reports of an earlier attempt that counts as dead. */
export async function noteProgress(
  boss: PgBoss,
  { id, retryCount }: Attempt,
  progress: JsonValue,
): Promise<void> {
  const sql = `INSERT INTO vindkit.progress VALUES ($1, $2, $3) ON CONFLICT (job)
    DO UPDATE SET begun = excluded.begun, progress = excluded.progress WHERE progress.begun <= excluded.begun`;
  await boss.getDb().executeSql(sql, [id, retryCount + 1, JSON.stringify(progress)]);
}

/** Removes the reports of an ended job. */
export async function forgetProgress(boss: PgBoss, id: string): Promise<void> {
  await boss.getDb().executeSql("DELETE FROM vindkit.progress WHERE job = $1", [id]);
}

const BEGUN = "retry_count + (started_on IS NOT NULL)::int";

const STATE = `id, state, output, (
    SELECT progress FROM vindkit.progress WHERE job = id AND progress.begun = ${BEGUN} AND state = 'active'
  ) AS progress, created_on AS created, started_on AS started,
  completed_on AS ended, ${BEGUN} AS begun`;

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

/** Reads the progress of jobs by their identifiers: ended jobs first, in the order of their end. */
export async function readStates(boss: PgBoss, ids: readonly string[]): Promise<QueueState[]> {
  const sql = `SELECT ${STATE} ${FROM} id = ANY ($1::uuid[]) ORDER BY completed_on`;
  return (await boss.getDb().executeSql(sql, [ids])).rows;
}

function buildFailure(message: string): JobResult {
  return { error: { name: "JobError", message, passes: true, cause: message } };
}

/**
 * Reads how a job of the queue ended.
 *
 * @param row Its row; `undefined` if it was removed
 * @returns `undefined` while it waits or runs
 */
export function readEnd({ kind }: Job, row: QueueState | undefined): JobResult | undefined {
  switch (row?.state) {
    case "created":
    case "retry":
    case "active":
      return undefined;
    case "completed":
      return row.output as JobResult;
    case "failed":
      return readFailure(kind, row);
    default:
      return buildFailure(
        `Cannot run ${kind}: the queue no longer has the job. Request it again`,
      );
  }
}

/** Describes the failure of a last attempt; if it never ended, pg-boss may have its own note or none. */
function readFailure(kind: string, { output, begun }: QueueState): JobResult {
  const result = (output ?? {}) as JobResult | { readonly value?: { readonly message?: string } };
  if ("error" in result || "done" in result) return result;
  const cause = result.value?.message ?? "the reason is unknown";
  return buildFailure(
    `Cannot run ${kind}: workers started the job ${begun} times, and the last run did not end (${cause}). ` +
      "Look for memory problems and crashes in the logs of the workers' machines",
  );
}
