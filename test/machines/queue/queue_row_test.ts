import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { JobOf } from "../../../src/storage/jobs/job.ts";
import { type QueueState, readEnd } from "../../../src/machines/queue/queue_row.ts";

const job: JobOf<"gzip_file"> = {
  kind: "gzip_file",
  parameters: { name: "0a.csv" },
  turn: "",
  urgent: false,
};

const failed = (output: unknown): QueueState => ({
  id: "one",
  state: "failed",
  output,
  progress: null,
  begun: 3,
  created: new Date(0),
  started: new Date(0),
  ended: new Date(0),
});

/** The message of a failed job, by the queue's note. */
function messageOf(output: unknown): string {
  const end = readEnd(job, failed(output));
  return end && "error" in end ? end.error.message : "";
}

describe("readEnd()", () => {
  it("reports the attempts of a job that never ended, and the reason if pg-boss noted one", () => {
    for (
      const [output, cause] of [
        [{ value: { message: "job timed out" } }, "(job timed out)"],
        [{ value: {} }, "(the reason is unknown)"],
        [null, "(the reason is unknown)"],
      ] as const
    ) {
      assertStringIncludes(
        messageOf(output),
        `Cannot run gzip_file: workers started the job 3 times`,
      );
      assertStringIncludes(messageOf(output), cause);
    }
  });

  it("reports the worker's message about a failed job", () => {
    const error = { name: "JobError", message: "the disk is full", passes: true, cause: "" };
    assertEquals(messageOf({ error }), "the disk is full");
  });
});
