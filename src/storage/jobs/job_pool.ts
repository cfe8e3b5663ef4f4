import {
  type Job,
  type JobAnswer,
  JobError,
  type JobKind,
  type JobOf,
  type Jobs,
  keyOf,
  type RunOptions,
} from "./job.ts";
import { buildGivenUp, type JobWorker, WorkerLostError } from "./job_worker.ts";
import { Turns } from "./turns.ts";

/** Workers that a job may crash before it is given up; the job of an order is tried again later. */
export const MAX_LOST_WORKERS = 3;

/** A job that waits or runs. */
interface Entry {
  readonly key: string;
  readonly job: Job;
  readonly listeners: NonNullable<RunOptions["onProgress"]>[];
  readonly done: PromiseWithResolvers<unknown>;
  /** Number of workers lost during the job, and of those killed because it exceeded its deadline. */
  readonly lost: { all: number; overdue: number };
}

/** A slot for a worker, which starts with the first job. */
interface Place {
  worker: JobWorker | undefined;
}

/** Runs jobs in turns on a fixed number of workers; replaces a lost worker and retries its job. */
export class JobPool implements Jobs {
  readonly #startWorker: () => JobWorker;
  readonly #places: readonly Place[];
  readonly #free: Place[];
  readonly #turns = new Turns<Entry>();
  readonly #entries = new Map<string, Entry>();
  readonly #running = new Set<Promise<void>>();
  #closed = false;

  /** @param width Largest number of workers */
  constructor(startWorker: () => JobWorker, width: number) {
    this.#startWorker = startWorker;
    this.#places = Array.from({ length: width }, () => ({ worker: undefined }));
    this.#free = [...this.#places];
  }

  async run<K extends JobKind>(
    request: JobOf<K>,
    { onProgress }: RunOptions = {},
  ): Promise<JobAnswer<K>> {
    const job = request as Job;
    if (this.#closed) throw buildClosed(job);
    const key = keyOf(job);
    const known = this.#entries.get(key);
    const done = Promise.withResolvers<unknown>();
    const entry = known ?? { key, job, listeners: [], done, lost: { all: 0, overdue: 0 } };
    if (onProgress) entry.listeners.push(onProgress);
    if (!known) {
      this.#entries.set(key, entry);
      this.#turns.add(entry, job.turn, job.urgent);
      this.#begin();
    }
    return await entry.done.promise as JobAnswer<K>;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (let entry; (entry = this.#turns.next());) this.#fail(entry, buildClosed(entry.job));
    await Promise.all(this.#places.map(({ worker }) => worker?.end()));
    await Promise.all(this.#running);
  }

  #begin(): void {
    while (this.#free.length > 0) {
      const entry = this.#turns.next();
      if (!entry) return;
      const place = this.#free.shift()!;
      const running = this.#work(place, entry).finally(() => {
        this.#running.delete(running);
        this.#free.unshift(place); // first in line, because its worker is already running
        this.#begin();
      });
      this.#running.add(running);
    }
  }

  async #work(place: Place, entry: Entry): Promise<void> {
    try {
      place.worker ??= this.#startWorker();
      const answer = await place.worker.do(entry.job, {
        onProgress: (progress) => entry.listeners.forEach((listen) => listen(progress)),
      });
      this.#entries.delete(entry.key);
      entry.done.resolve(answer);
    } catch (error) {
      if (!(error instanceof WorkerLostError)) return this.#fail(entry, error);
      place.worker = undefined;
      const { job, lost } = entry;
      if (this.#closed) return this.#fail(entry, buildClosed(job));
      if (!error.begun) return this.#fail(entry, buildGivenUp(job, error, lost));
      lost.all++;
      if (error.overdue) lost.overdue++;
      const times = `${lost.all} of ${MAX_LOST_WORKERS}`;
      console.error(`lost a worker during ${job.kind} (${times}): ${error.message}`);
      if (lost.all < MAX_LOST_WORKERS) this.#turns.add(entry, job.turn, job.urgent);
      else this.#fail(entry, buildGivenUp(job, error, lost));
    }
  }

  #fail(entry: Entry, error: unknown): void {
    this.#entries.delete(entry.key);
    entry.done.reject(error);
  }
}

function buildClosed({ kind }: Job): JobError {
  return new JobError(
    `Cannot run ${kind}: the service is stopping. The job will run after the next start`,
  );
}
