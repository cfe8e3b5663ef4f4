import type { JsonValue } from "@std/jsonc";
import { type ErrorFacts, VindkitError } from "../../api/errors.ts";
import type { Order } from "../store/orders.ts";
import type { Store } from "../store/store.ts";

/** Kinds of jobs and their parameters, as JSON, so another process or machine can do the job. */
export interface JobParameters {
  /** Builds the file of an approved order. */
  readonly build_order: { readonly id: string };
  /** Rebuilds the file of a finished order, or expires its address. */
  readonly rebuild_order: { readonly id: string };
  /** Builds the file of a direct download, with the parameters of an order. */
  readonly build_download: Order["parameters"];
  readonly render_model_csv: { readonly model: string; readonly timeZone: string };
  readonly gzip_file: { readonly name: string };
  readonly remove_orphans: Readonly<Record<never, never>>;
  /** Computes the turbines of a chunk of a site, stored in a file. */
  readonly compute_chunk: { readonly input: string };
  /** Writes some turbines of an exported table to an object store. */
  readonly export_group: {
    readonly to: string;
    readonly what: string;
    /** Hash of the output layout of the export's program: a worker with another layout rejects the job. */
    readonly layout: string;
    /** Identifiers of the turbines, in the order of the rows. */
    readonly ids: readonly string[];
    /** Hash of the stored data of the turbines: changed data make another job. */
    readonly fingerprint: string;
  };
}

/** Answers of jobs whose results no row of the store names, as JSON. */
interface JobAnswers {
  readonly compute_chunk: { readonly result: string };
  /** Entries of the files for the manifest. */
  readonly export_group: JsonValue;
}

/** Answer of a job of a kind. */
export type JobAnswer<K extends JobKind> = K extends keyof JobAnswers ? JobAnswers[K] : void;

/** Kind of a job. */
export type JobKind = keyof JobParameters;

/** A job of one kind. */
export interface JobOf<K extends JobKind> {
  readonly kind: K;
  /** Parameters. Kind and parameters are the key: of two equal jobs in progress only one is done. */
  readonly parameters: JobParameters[K];
  /** Turn that it takes: a customer's serial number, or "" for the service itself. */
  readonly turn: string;
  /** Whether a request waits for it, so it goes before others of the same turn. */
  readonly urgent: boolean;
}

/**
 * A piece of work as data. It can be done twice without harm. Its results go to the store and to files; some answers
 * name their file.
 */
export type Job = { [K in JobKind]: JobOf<K> }[JobKind];

/** Interface from a job's handler to the queue. */
export interface JobTask {
  /**
   * Changes the store at the end of the job: commits all changes of the body or none.
   *
   * @param body Changes the store, and returns the answer of the job
   * @throws {JobLostError} If another worker has taken over the job: nothing is changed
   */
  commit<T>(body: (store: Store) => Promise<T>): Promise<T>;
  /** Reports progress to callers that wait for the job. */
  report(progress: JsonValue): void;
}

/** Handlers of jobs, by kind. */
export type JobHandlers = {
  readonly [K in JobKind]: (parameters: JobParameters[K], task: JobTask) => Promise<JobAnswer<K>>;
};

/** Options for waiting for a job. */
export interface RunOptions {
  /** Called with the progress that the job reports. */
  readonly onProgress?: (progress: JsonValue) => void;
}

/** Runs work off the thread that answers requests, in turns between licences, with limited concurrency. */
export interface Jobs {
  /**
   * Runs a job to its end; joins an equal one that is waiting or running.
   *
   * @returns Its answer
   * @throws {ArgumentError} If its parameters are not valid
   * @throws {Refusal} If the job itself was refused
   * @throws {JobError} If it failed, or had not begun when the jobs were closed
   */
  run<K extends JobKind>(job: JobOf<K>, options?: RunOptions): Promise<JobAnswer<K>>;
  /** Starts no further job, and waits for running ones up to a deadline. */
  close(): Promise<void>;
}

/** Why a job was not done. */
export class JobError extends VindkitError {
  readonly final: boolean;
  readonly passes: boolean;

  /**
   * @param message The attempt, the problem and the remedy
   * @param options `final`: whether a retry is hopeless; `passes`: whether its cause may pass by itself; `cause`: the
   * worker's error as text, for the log; and the facts of an error
   */
  constructor(message: string, options: ErrorFacts & { final?: boolean; passes?: boolean } = {}) {
    super(message, options);
    this.final = options.final ?? false;
    this.passes = options.passes ?? false;
  }
}

/** The worker was presumed dead and its job given to another one, so its result is not stored. */
export class JobLostError extends Error {
  override readonly name = "JobLostError";
}

/** Key of a job: equal jobs have the same. */
export function keyOf({ kind, parameters }: Job): string {
  return `${kind} ${JSON.stringify(parameters)}`;
}

/** Does a job with the handler of its kind. */
export async function doJob<K extends JobKind>(
  handlers: Partial<JobHandlers>,
  { kind, parameters }: JobOf<K>,
  task: JobTask,
): Promise<JobAnswer<K>> {
  const handle = handlers[kind];
  if (!handle) throw new Error(`Cannot run ${kind}: only a queue worker may run it`);
  return await handle(parameters, task);
}

/** Returns a promise that only rejects: when a signal aborts, or at once if it already has. */
export function waitForAbort(signal: AbortSignal | undefined): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  if (signal?.aborted) reject(signal.reason);
  signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  return promise;
}
