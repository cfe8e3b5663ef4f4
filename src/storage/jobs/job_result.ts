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
  /** A refusal and an argument that is not valid are the same at each try. */
  readonly name: "Refusal" | "ArgumentError" | "DamagedFileError" | "JobError";
  readonly meaning?: Refusal["meaning"];
  readonly retryAfter?: number | undefined;
  readonly path?: string;
  readonly problem?: string;
  readonly final?: boolean;
  readonly passes?: boolean;
  readonly cause?: string;
};

/** How a job ended: as a line of JSON between processes, and in the queue. */
export type JobResult =
  | { readonly done: true; readonly answer?: unknown }
  | { readonly error: JobFailure };

/** A job for another process. */
export type JobRequest = Job & { readonly attempt?: Attempt };

/** What a job reports before it ends. */
export interface JobProgress {
  readonly progress: JsonValue;
}

/**
 * A message between processes: a job, or how far the one of the same number is, or how it ended; 0 is the start of the
 * worker.
 */
export type Numbered<M extends JobRequest | JobProgress | JobResult> = M & {
  readonly number: number;
};

/** Formats a message as a line. */
export function formatLine(message: Numbered<JobRequest | JobProgress | JobResult>): string {
  return JSON.stringify(message) + "\n";
}

/** Describes how a job ended with an error. */
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
  const own = error instanceof JobError ? error : undefined;
  const cause = own?.cause ? `${own.cause}` : Deno.inspect(error);
  const passes = isPassing(error);
  return {
    error: { ...facts, name: "JobError", message, final: own?.final ?? false, passes, cause },
  };
}

/** Whether a job ended for good: a refusal or an invalid argument stays so however often the job is tried. */
export function isFinal(result: JobResult): boolean {
  return "done" in result || ["Refusal", "ArgumentError"].includes(result.error.name);
}

/** Reads what a job reports or how it ended; `undefined` where the line is another, such as what a library prints. */
export function parseResult(line: string, number: number): JobProgress | JobResult | undefined {
  try {
    const message = JSON.parse(line);
    return message?.number === number ? message : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads what a job answers.
 *
 * @param result How it ended
 * @returns As JSON; `undefined` where it answers nothing
 * @throws {Refusal | ArgumentError | DamagedFileError | JobError} If the job was refused, or failed
 */
export function readAnswer(result: JobResult): unknown {
  if ("done" in result) return result.answer;
  const { name, message, ...facts } = result.error;
  if (name === "Refusal") throw new Refusal(facts.meaning!, message, facts as { status?: number });
  if (name === "DamagedFileError") throw new DamagedFileError(facts.path!, facts.problem!);
  throw name === "ArgumentError" ? new ArgumentError(message, facts) : new JobError(message, facts);
}

/** Reads lines of a stream, without their ends. */
export function readLines(stream: ReadableStream<Uint8Array<ArrayBuffer>>): ReadableStream<string> {
  let rest = "";
  return stream.pipeThrough(new TextDecoderStream()).pipeThrough(
    new TransformStream({
      transform(text, controller) {
        const lines = (rest + text).split("\n");
        rest = lines.pop()!;
        for (const line of lines) controller.enqueue(line);
      },
    }),
  );
}
