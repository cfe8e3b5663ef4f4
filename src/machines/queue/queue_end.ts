import type { Job } from "../../storage/jobs/job.ts";
import type { JobResult } from "../../storage/jobs/job_message.ts";
import type { QueueState } from "./queue_row.ts";

function buildFailure(message: string): JobResult {
  return { failure: { message, passes: true, cause: message } };
}

/**
 * Reads how a job of the queue ended.
 *
 * @param row Its row; `undefined` where it was removed
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
      return buildFailure(`Cannot do ${kind}: it was removed from the queue. Ask for it again`);
  }
}

/** How a begin of a job failed. */
type Failed = Extract<JobResult, { readonly failure: unknown } | { readonly damaged: unknown }>;

/** The last begin may have failed, or it had no end, which pg-boss notes in its own way or not at all. */
function readFailure(kind: string, { output, begun }: QueueState): JobResult {
  const result = (output ?? {}) as Failed | { readonly value?: { readonly message?: string } };
  if ("failure" in result || "damaged" in result) return result;
  const cause = result.value?.message ?? "no reason is known";
  return buildFailure(
    `Cannot do ${kind}: it was begun ${begun} times, the last time without an end (${cause}). ` +
      "Look for memory and crashes in the logs of the workers' machines",
  );
}
