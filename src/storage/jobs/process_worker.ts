import { findDeno } from "../../disk/home.ts";
import type { Job } from "./job.ts";
import {
  formatLine,
  type JobProgress,
  type JobResult,
  parseResult,
  readAnswer,
  readLines,
} from "./job_result.ts";
import { type DoOptions, type JobWorker, WorkerLostError } from "./job_worker.ts";

/** Longest time without progress of a job before its worker is killed, ms. */
const JOB_TIMEOUT = 600_000;

/** Longest time for the last job of a worker that must end, ms: shorter than a supervisor waits. */
export const END_TIMEOUT = 15_000;

/** Variables with which Deno refuses to start a process unless it may start any; empty ones do not count. */
const LOADER = [
  "LD_LIBRARY_PATH",
  "LD_PRELOAD",
  "DYLD_LIBRARY_PATH",
  "DYLD_FALLBACK_LIBRARY_PATH",
  "DYLD_INSERT_LIBRARIES",
];

/**
 * Builds the command line of a worker process.
 *
 * @param program Address of the program
 * @param access Permissions: folders to write, network
 * @param programArgs Arguments: never a secret, because all users of the machine can see them
 */
export function buildProcessArgs(
  program: string,
  access: readonly string[],
  ...programArgs: readonly string[]
): string[] {
  return [
    "run",
    "--quiet",
    "--no-prompt",
    "--v8-flags=--single-threaded-gc", // niceness is per thread: GC threads would compete with the server
    "--allow-ffi",
    "--allow-read",
    ...access,
    "--allow-env",
    "--allow-sys=cpus,hostname,networkInterfaces,setPriority",
    program,
    ...programArgs,
  ];
}

interface ProcessWorkerOptions {
  /** Longest time without progress of a job, ms. @default {600_000} */
  readonly jobTimeout?: number;
  /** Longest time for the last job of a worker that must end, ms. @default {15_000} */
  readonly endTimeout?: number;
  /** Additional environment variables, such as secrets, which must not be in the command line. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * A worker in its own process: a crash in native code, a lack of memory or a kill ends only this process, and it can be
 * killed in the middle of native code. It reads jobs from standard input, one JSON line each. It writes a line to
 * standard output once it has started, then the outcome of each job. It ends when its input ends, so also if this
 * process is killed.
 */
export class ProcessWorker implements JobWorker {
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #results: ReadableStreamDefaultReader<string>;
  /** Number of the running job, which its outcome must repeat. */
  #number = 0;
  #ready = false;
  #overdue = false;
  #underWay: Promise<unknown> = Promise.resolve();
  readonly #jobTimeout: number;
  readonly #endTimeout: number;

  /** @param args Command line of Deno: permissions, program, its arguments */
  constructor(args: readonly string[], options: ProcessWorkerOptions = {}) {
    const { jobTimeout = JOB_TIMEOUT, endTimeout = END_TIMEOUT, env = {} } = options;
    this.#jobTimeout = jobTimeout;
    this.#endTimeout = endTimeout;
    this.#child = new Deno.Command(findDeno(), {
      args: [...args],
      env: {
        ...env,
        ...Object.fromEntries(LOADER.map((name) => [name, ""])),
        POLARS_MAX_THREADS: "1", // one core per worker: the others answer requests
      },
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    this.#input = this.#child.stdin.getWriter();
    this.#results = readLines(this.#child.stdout).getReader();
  }

  get pid(): number {
    return this.#child.pid;
  }

  do(job: Job, options: DoOptions = {}): Promise<unknown> {
    const done = this.#do(job, options);
    this.#underWay = done.catch(() => {}); // the caller gets the error
    return done;
  }

  async #do(job: Job, { attempt, onProgress }: DoOptions): Promise<unknown> {
    let timer = this.#startTimer();
    try {
      if (!this.#ready) {
        await this.#readResult();
        this.#ready = true;
      }
      await this.#input.write(
        new TextEncoder().encode(formatLine({ ...job, attempt, number: ++this.#number })),
      ).catch(() => {}); // it has ended
      while (true) {
        const result = await this.#readResult();
        if (!("progress" in result)) return readAnswer(result);
        clearTimeout(timer);
        timer = this.#startTimer();
        onProgress?.(result.progress);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  #startTimer(): ReturnType<typeof setTimeout> {
    return setTimeout(() => {
      this.#overdue = true;
      this.#kill();
    }, this.#jobTimeout);
  }

  async #readResult(): Promise<JobProgress | JobResult> {
    const { value } = await this.#results.read();
    const result = value === undefined ? undefined : parseResult(value, this.#number);
    if (result) return result;
    if (value !== undefined) this.#kill(); // lines can no longer be matched to jobs
    const end = await this.#describeEnd();
    await this.#results.cancel();
    throw new WorkerLostError(
      value === undefined
        ? end
        : `it wrote ${JSON.stringify(value.slice(0, 200))}, which is not a result`,
      { begun: this.#ready, overdue: this.#overdue },
    );
  }

  async end(): Promise<void> {
    const timer = setTimeout(() => this.#kill(), this.#endTimeout);
    await this.#underWay;
    await this.#input.close().catch(() => {}); // it has ended
    await this.#child.status;
    clearTimeout(timer);
    await this.#results.cancel();
  }

  #kill(): void {
    try {
      this.#child.kill("SIGKILL");
    } catch {
      // It has ended.
    }
  }

  async #describeEnd(): Promise<string> {
    await this.#input.close().catch(() => {});
    const { signal, code } = await this.#child.status;
    return signal ? `it was ended by ${signal}` : `it ended with code ${code}`;
  }
}
