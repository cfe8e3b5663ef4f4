import type { JsonValue } from "@std/jsonc";
import { ArgumentError, type ErrorFacts, VindkitError } from "../../api/errors.ts";
import { DamagedFileError } from "../../disk/files.ts";
import { Refusal } from "./refusal.ts";
import { isPassing } from "../failures/is_passing.ts";
import { type Job, JobError } from "./job.ts";
import type { Attempt } from "./job_worker.ts";

/** Why a job failed. */
type JobFailure = Omit<ErrorFacts, "cause"> & {
  readonly message: string;
  /** Class of the error; a refusal or an invalid argument recurs at each try. */
  readonly name: "Refusal" | "ArgumentError" | "DamagedFileError" | "JobError";
  readonly meaning?: Refusal["meaning"];
  readonly retryAfter?: number | undefined;
  readonly path?: string;
  readonly problem?: string;
  readonly final?: boolean;
  readonly passes?: boolean;
  readonly cause?: string;
};

/** Outcome of a job: a line of JSON between processes and in the queue. */
export type JobResult =
  | { readonly done: true; readonly answer?: unknown }
  | { readonly error: JobFailure };

/** A job for another process. */
export type JobRequest = Job & { readonly attempt?: Attempt };

/** Progress of a running job. */
export interface JobProgress {
  readonly progress: JsonValue;
}

/**
 * A message between processes: a job, or the progress or outcome of the job with the same number; 0 is the start of the
 * worker.
 */
export type Numbered<M extends JobRequest | JobProgress | JobResult> = M & {
  readonly number: number;
};

/** Formats a message as a line. */
export function formatLine(message: Numbered<JobRequest | JobProgress | JobResult>): string {
  return JSON.stringify(message) + "\n";
}

/** Builds the outcome of a job that failed with an error. */
export function describeFailure(error: unknown): JobResult {
  const facts: Omit<ErrorFacts, "cause"> = error instanceof VindkitError ? { ...error } : {};
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ArgumentError) {
    return { error: { ...facts, name: "ArgumentError", message } };
  }
  if (error instanceof DamagedFileError) {
    const { path, problem } = error;
    return { error: { name: "DamagedFileError", message, path, problem } };
  }
  if (error instanceof Refusal) {
    const { meaning, retryAfter, status } = error;
    return { error: { name: "Refusal", message, meaning, retryAfter, status: status! } };
  }
  const jobError = error instanceof JobError ? error : undefined;
  const cause = jobError?.cause ? `${jobError.cause}` : Deno.inspect(error);
  const passes = isPassing(error);
  return {
    error: { ...facts, name: "JobError", message, final: jobError?.final ?? false, passes, cause },
  };
}

/** Whether an outcome is final: a refusal or an invalid argument recurs however often the job is tried. */
export function isFinal(result: JobResult): boolean {
  return "done" in result || ["Refusal", "ArgumentError"].includes(result.error.name);
}

/** Parses the progress or outcome of a job; `undefined` for any other line, such as output of a library. */
export function parseResult(line: string, number: number): JobProgress | JobResult | undefined {
  try {
    const message = JSON.parse(line);
    return message?.number === number ? message : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads the answer of a job.
 *
 * @param result Its outcome
 * @returns As JSON; `undefined` without an answer
 * @throws {Refusal | ArgumentError | DamagedFileError | JobError} If the job was refused, or failed
 */
export function readAnswer(result: JobResult): unknown {
  if ("done" in result) return result.answer;
  const { name, message, ...facts } = result.error;
  if (name === "Refusal") throw new Refusal(facts.meaning!, message, facts as { status?: number });
  if (name === "DamagedFileError") throw new DamagedFileError(facts.path!, facts.problem!);
  throw name === "ArgumentError" ? new ArgumentError(message, facts) : new JobError(message, facts);
}

/** Splits a stream into lines, without line breaks. */
export function readLines(stream: ReadableStream<Uint8Array<ArrayBuffer>>): ReadableStream<string> {
  let remainder = "";
  return stream.pipeThrough(new TextDecoderStream()).pipeThrough(
    new TransformStream({
      transform(text, controller) {
        const lines = (remainder + text).split("\n");
        remainder = lines.pop()!;
        for (const line of lines) controller.enqueue(line);
      },
    }),
  );
}
