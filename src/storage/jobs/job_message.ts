import type { JsonValue } from "@std/jsonc";
import { ArgumentError, type ErrorFacts, VindkitError } from "../../api/errors.ts";
import { DamagedFileError } from "../../disk/files.ts";
import { Refusal } from "./refusal.ts";
import { isPassing } from "../failures/is_passing.ts";
import { type Job, JobError } from "./job.ts";
import type { Attempt } from "./job_worker.ts";

/** How a job ended, as a line of JSON between processes. */
export type JobResult =
  | { readonly done: true; readonly answer?: unknown }
  | Omit<ErrorFacts, "cause"> & { readonly argument: string }
  | {
    readonly refusal: Pick<Refusal, "meaning" | "message"> & {
      readonly retryAfter?: number;
      readonly status?: number;
    };
  }
  | { readonly damaged: Pick<DamagedFileError, "path" | "problem"> }
  | {
    readonly failure: Omit<ErrorFacts, "cause"> & {
      readonly message: string;
      readonly final?: boolean;
      readonly passes: boolean;
      readonly cause: string;
    };
  };

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
  if (error instanceof DamagedFileError) {
    return { damaged: { path: error.path, problem: error.problem } };
  }
  const facts: Omit<ErrorFacts, "cause"> = error instanceof VindkitError ? { ...error } : {};
  if (error instanceof ArgumentError) return { ...facts, argument: error.message };
  if (error instanceof Refusal) {
    const { meaning, message, retryAfter, status } = error;
    return { refusal: { meaning, message, retryAfter, status } };
  }
  const own = error instanceof JobError ? error : undefined;
  return {
    failure: {
      ...facts,
      message: error instanceof Error ? error.message : String(error),
      final: own?.final,
      passes: isPassing(error),
      cause: own?.cause ? `${own.cause}` : Deno.inspect(error),
    },
  };
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
  if ("refusal" in result) {
    const { meaning, message, ...options } = result.refusal;
    throw new Refusal(meaning, message, options);
  }
  if ("damaged" in result) throw new DamagedFileError(result.damaged.path, result.damaged.problem);
  if ("argument" in result) throw new ArgumentError(result.argument, result);
  if ("failure" in result) throw new JobError(result.failure.message, result.failure);
  return result.answer;
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
