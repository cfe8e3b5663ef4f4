import type { JsonValue } from "@std/jsonc";
import { type ErrorFacts, VindkitError } from "../../api/errors.ts";
import type { Order } from "../store/orders.ts";
import type { Store } from "../store/store.ts";

/** Kinds of jobs and their parameters: JSON, so that another process or machine can do the job. */
export interface JobParameters {
  /** Builds the file of an approved order. */
  readonly build_order: { readonly id: string };
  /** Builds the file of a finished order again, or ends its address. */
  readonly rebuild_order: { readonly id: string };
  /** Builds the file of a direct download; parameters as an order has them. */
  readonly build_download: Order["parameters"];
  readonly render_model_csv: { readonly model: string; readonly timeZone: string };
  readonly gzip_file: { readonly name: string };
  readonly remove_orphans: Readonly<Record<never, never>>;
  /** Computes the turbines of a part of a site, which is a file. */
  readonly compute_chunk: { readonly input: string };
  /** Writes some turbines of an exported table to an object store. */
  readonly export_group: {
    readonly to: string;
    readonly what: string;
    /** Hash of what the export's program writes of it: a worker of another version refuses it. */
    readonly layout: string;
    /** Identifiers of the turbines, in the order of the rows. */
    readonly ids: readonly string[];
    /** Hash of what the store has of them: another one is another job. */
    readonly fingerprint: string;
  };
}

/** Answers of those kinds of jobs whose results no row of the store names, as JSON. */
interface JobAnswers {
  readonly compute_chunk: { readonly result: string };
  /** What the manifest says of the files. */
  readonly export_group: JsonValue;
}

/** What a job of a kind answers. */
export type JobAnswer<K extends JobKind> = K extends keyof JobAnswers ? JobAnswers[K] : void;

/** Kind of a job. */
export type JobKind = keyof JobParameters;

/** What to do, of one kind. */
export interface JobOf<K extends JobKind> {
  readonly kind: K;
  /** Its parameters; with the kind they are its key: of two equal jobs under way only one is done. */
  readonly parameters: JobParameters[K];
  /** Whose turn it takes: a serial number, or "" for the service itself. */
  readonly turn: string;
  /** Whether a request waits for it: it goes before the others of the same turn. */
  readonly urgent: boolean;
}

/**
 * A piece of work as data. It can be done twice without harm. Its results are in the store and in files, where whoever
 * needs them finds them, some by the name in its answer.
 */
export type Job = { [K in JobKind]: JobOf<K> }[JobKind];

/** What a handler gets beside the parameters of its job. */
export interface JobTask {
  /**
   * Changes the store, as the end of the job: all changes of the body are made together, or none.
   *
   * @param body What changes it; it returns what the job answers
   * @throws {JobLostError} If the job was given to another worker meanwhile: nothing is changed
   */
  commit<T>(body: (store: Store) => Promise<T>): Promise<T>;
  /** Reports to those who wait for the job how far it is. */
  report(progress: JsonValue): void;
}

/** Does jobs, by kind. */
export type JobHandlers = {
  readonly [K in JobKind]: (parameters: JobParameters[K], task: JobTask) => Promise<JobAnswer<K>>;
};

/** How to wait for a job. */
export interface RunOptions {
  /** Called with what the job reports. */
  readonly onProgress?: (progress: JsonValue) => void;
}

/** Work off the thread that answers: in turns between licences, with a bound on what runs at once. */
export interface Jobs {
  /**
   * Waits until a job is done; an equal one that waits or runs is joined.
   *
   * @returns What it answers
   * @throws {ArgumentError} If what it was given is not valid
   * @throws {Refusal} If the job itself was refused
   * @throws {JobError} If it failed, or was not begun before the jobs were closed
   */
  run<K extends JobKind>(job: JobOf<K>, options?: RunOptions): Promise<JobAnswer<K>>;
  /** Begins no further job, and waits for those under way, up to a deadline. */
  close(): Promise<void>;
}

/** Why a job was not done. */
export class JobError extends VindkitError {
  readonly final: boolean;
  readonly passes: boolean;

  /**
   * @param message What was tried, what was found and what to do next
   * @param options `final`: whether it is hopeless to try again; `passes`: whether its cause may pass by itself; `cause`:
   * what a worker threw, as a text for the log, beside its facts
   */
  constructor(message: string, options: ErrorFacts & { final?: boolean; passes?: boolean } = {}) {
    super(message, options);
    this.final = options.final ?? false;
    this.passes = options.passes ?? false;
  }
}

/** A worker was thought dead, and its job was given to another one: what it was about to store is not stored. */
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

/** A promise that only rejects: when a signal is aborted, or at once where it is already. */
export function waitForAbort(signal: AbortSignal | undefined): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  if (signal?.aborted) reject(signal.reason);
  signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  return promise;
}
