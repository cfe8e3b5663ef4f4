import type { PgBoss } from "pg-boss";
import type { PostgresQueries } from "../../store/postgres/postgres_queries.ts";
import { JobLostError } from "../job.ts";
import type { Attempt } from "../job_worker.ts";
import { QUEUE, SCHEMA } from "./open_boss.ts";

/**
 * Ends a job of the queue as a part of the transaction that changes the store, so that both are done or neither. A worker
 * that was thought dead cannot: the queue has counted another begin meanwhile.
 *
 * @param boss The queue, in the same database
 * @param attempt Which begin of the job this is
 * @param answer What the job answers
 * @param queries The transaction
 * @throws {JobLostError} If the job is another worker's: the transaction must not be committed
 */
export async function commitJob(
  boss: PgBoss,
  attempt: Attempt,
  answer: unknown,
  queries: PostgresQueries,
): Promise<void> {
  const db = {
    executeSql: async (sql: string, values: unknown[] = []) => ({
      rows: await queries.all(sql, ...values),
    }),
  };
  const own = await queries.get(
    `SELECT id FROM ${SCHEMA}.job
     WHERE name = $1 AND id = $2 AND retry_count = $3 AND state = 'active' FOR UPDATE`,
    ...[QUEUE, attempt.id, attempt.retryCount],
  );
  if (!own) {
    throw new JobLostError(
      `Nothing of job ${attempt.id} is stored: its worker was thought dead, and another one has it`,
    );
  }
  await boss.complete(QUEUE, attempt, { done: true, answer }, { db });
}
