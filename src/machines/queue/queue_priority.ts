import type { PgBoss } from "pg-boss";
import type { Job } from "../../storage/jobs/job.ts";
import { QUEUE, SCHEMA } from "./open_boss.ts";

/** Subtracted from the priority of what the service itself wants, so that it is behind all that a licence wants. */
const BEHIND = 1_000_000_000;

/** Whose jobs a job is in line with: a licence has a line for those that a request waits for, and one for the others. */
export function lineOf({ turn, urgent }: Job): string {
  return `${urgent ? "urgent" : "usual"} ${turn}`;
}

/**
 * Computes the priority of a new job, so that lines take turns: each job has a round, the one after the last of its line, or
 * the one that the workers are in; lower rounds go first, and in a round what a request waits for.
 *
 * @param boss The queue
 */
export async function computePriority(boss: PgBoss, job: Job): Promise<number> {
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
