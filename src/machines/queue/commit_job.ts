import type { PgBoss } from "pg-boss";
import type { Store } from "../../storage/store/store.ts";
import type { StoredValue } from "../../storage/store/engine.ts";
import { JobLostError, type JobTask } from "../../storage/jobs/job.ts";
import type { Attempt } from "../../storage/jobs/job_worker.ts";
import { QUEUE } from "./open_boss.ts";

/**
 * Creates the function that ends a job of the queue within the transaction that changes the store, so either both
 * happen or neither. A worker that the queue considered dead cannot end its job: the queue has already ended this attempt.
 *
 * @param store The store, in the database of the queue
 * @param boss The queue
 * @param attempt The attempt at the job
 */
export function createCommit(
  store: Store,
  boss: PgBoss,
  attempt: Attempt,
): JobTask["commit"] {
  return (body) =>
    store.transaction(async (transaction) => {
      const answer = await body(transaction);
      const db = {
        executeSql: async (sql: string, values: unknown[] = []) => ({
          rows: await transaction.documents.engine.all(sql, ...values as StoredValue[]),
        }),
      };
      // last, so that pollers do not block on the row; the type of the result has no fields
      const end = await boss.complete(QUEUE, attempt, { done: true, answer }, { db });
      if ((end as { affected: number }).affected === 0) {
        throw new JobLostError(
          `The result of job ${attempt.id} was discarded: its worker seemed dead, so another worker took the job`,
        );
      }
      return answer;
    });
}
