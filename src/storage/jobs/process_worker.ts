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

/** Longest time that a job may take without a report, ms; its worker is killed then. */
const JOB_TIMEOUT = 600_000;

/** Longest time that a job may take once its worker is to end, ms: less than a supervisor waits. */
export const END_TIMEOUT = 15_000;

/** Variables with which Deno starts no process unless it may start all; one that is empty is none. */
const LOADER = [
  "LD_LIBRARY_PATH",
  "LD_PRELOAD",
  "DYLD_LIBRARY_PATH",
  "DYLD_FALLBACK_LIBRARY_PATH",
  "DYLD_INSERT_LIBRARIES",
];

/**
 * Builds the command line of a process that does jobs.
 *
 * @param program Address of what it runs
 * @param access What it may reach: folders to write in, the network
 * @param rest What it is given: never a secret, as all users of a machine see it
 */
export function buildProcessArgs(
  program: string,
  access: readonly string[],
  ...rest: readonly string[]
): string[] {
  return [
    "run",
    "--quiet",
    "--no-prompt",
    "--v8-flags=--single-threaded-gc", // niceness is a thread's: those of the collector would go beside what answers
    "--allow-ffi",
    "--allow-read",
    ...access,
    "--allow-env",
    "--allow-sys=cpus,hostname,networkInterfaces,setPriority",
    program,
    ...rest,
  ];
}

interface ProcessWorkerOptions {
  /** Longest time that a job may take without a report, ms. @default {600_000} */
  readonly jobTimeout?: number;
  /** Longest time that a job may take once its worker is to end, ms. @default {15_000} */
  readonly endTimeout?: number;
  /** Variables that it gets beside those of this process: secrets, which must not be in its command line. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * A worker that is a process: a crash in native code, a lack of memory or a kill ends it alone, and it can be ended in the
 * middle of native code. It reads jobs from its standard input, a line of JSON each, and writes how they ended to its
 * standard output, after a first line once it has started; it ends where its input does, so also where this process is
 * killed.
 */
export class ProcessWorker implements JobWorker {
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #results: ReadableStreamDefaultReader<string>;
  /** Number of the job under way: what its result must have. */
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
        POLARS_MAX_THREADS: "1", // a worker is one core: the others answer
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
    this.#underWay = done.catch(() => {}); // its caller has the error
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
    if (value !== undefined) this.#kill(); // which line is whose result is not known any more
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
