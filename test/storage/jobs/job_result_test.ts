import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError, DataFormatError } from "../../../src/api/errors.ts";
import { JobError } from "../../../src/storage/jobs/job.ts";
import {
  describeFailure,
  formatLine,
  type JobResult,
  parseResult,
  readAnswer,
} from "../../../src/storage/jobs/job_result.ts";

/** Converts an error to the outcome of a job, as read in another process. */
function send(error: unknown): JobResult {
  const line = formatLine({ ...describeFailure(error), number: 7 });
  return parseResult(line, 7) as JobResult;
}

describe("a job that failed in another process", () => {
  const facts = { code: "place", field: "latitude", row: 3, column: "lat", value: 99 } as const;

  it("N1: keeps code and facts of an ArgumentError", () => {
    const error = new ArgumentError("Cannot place it", { ...facts, hint: "Look at it" });
    const read = assertThrows(() => readAnswer(send(error)), ArgumentError);
    assertEquals(read.message, "Cannot place it. Look at it");
    assertEquals({ ...read }, { ...error });
  });

  it("N1: keeps code and facts of any other error", () => {
    const error = new DataFormatError("Cannot read it", facts);
    const read = assertThrows(() => readAnswer(send(error)), JobError, "Cannot read it");
    assertEquals({ ...read }, { ...facts, name: "JobError", final: false, passes: false });
    const repeated = assertThrows(() => readAnswer(send(read)), JobError, "Cannot read it");
    assertEquals([{ ...repeated }, repeated.cause], [{ ...read }, read.cause]);
    const plain = assertThrows(() => readAnswer(send(new Error("Cannot"))), JobError);
    assertEquals(plain.code, "job");
  });
});
