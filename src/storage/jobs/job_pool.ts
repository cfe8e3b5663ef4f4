import {
  type Job,
  type JobAnswer,
  JobError,
  type JobKind,
  type JobOf,
  type Jobs,
  keyOf,
} from "./job.ts";
import { type DoOptions, type JobWorker, WorkerLostError } from "./job_worker.ts";
import { Turns } from "./turns.ts";

/** Workers that a job may end before it is given up, an order's until its next try. */
export const MAX_LOST_WORKERS = 3;

/** A job that waits or runs. */
interface Entry {
  readonly key: string;
  readonly job: Job;
  readonly options: DoOptions;
  readonly listeners: NonNullable<DoOptions["onProgress"]>[];
  readonly done: PromiseWithResolvers<unknown>;
  /** Workers that ended before it. */
  lost: number;
  /** Those of them that were killed since it exceeded its deadline. */
  overdue: number;
}

/** A place for a worker, which is started with the first job. */
interface Place {
  worker: JobWorker | undefined;
}

/** Jobs in turns, on a fixed number of workers; a worker that ends is replaced, and its job is done again. */
export class JobPool implements Jobs {
  readonly #startWorker: () => JobWorker;
  readonly #maxLost: number;
  readonly #places: readonly Place[];
  readonly #free: Place[];
  readonly #turns = new Turns<Entry>();
  readonly #entries = new Map<string, Entry>();
  readonly #running = new Set<Promise<void>>();
  #closed = false;

  /**
   * @param width How many there are at most
   * @param maxLost Workers that a job may end before it is given up
   */
  constructor(startWorker: () => JobWorker, width: number, maxLost: number = MAX_LOST_WORKERS) {
    this.#startWorker = startWorker;
    this.#maxLost = maxLost;
    this.#places = Array.from({ length: width }, () => ({ worker: undefined }));
    this.#free = [...this.#places];
  }

  async run<K extends JobKind>(
    of: JobOf<K>,
    { attempt, onProgress }: DoOptions = {},
  ): Promise<JobAnswer<K>> {
    const job = of as Job;
    if (this.#closed) throw buildClosed(job);
    const key = attempt ? `${attempt.id} ${attempt.retryCount}` : keyOf(job);
    let entry = this.#entries.get(key);
    const known = entry !== undefined;
    entry ??= createEntry(key, job, attempt);
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
        this.#free.unshift(place); // the one that is started already
        this.#begin();
      });
      this.#running.add(running);
    }
  }

  async #work(place: Place, entry: Entry): Promise<void> {
    try {
      place.worker ??= this.#startWorker();
      const answer = await place.worker.do(entry.job, entry.options);
      this.#entries.delete(entry.key);
      entry.done.resolve(answer);
    } catch (error) {
      if (!(error instanceof WorkerLostError)) return this.#fail(entry, error);
      place.worker = undefined;
      if (this.#closed) return this.#fail(entry, buildClosed(entry.job));
      const { kind, turn, urgent } = entry.job;
      if (!error.begun) {
        return this.#fail(
          entry,
          new JobError(`Cannot do ${kind}: no worker starts, ${error.message}`, { passes: true }),
        );
      }
      entry.lost++;
      if (error.overdue) entry.overdue++;
      console.error(
        `a worker was lost in ${kind}, ${entry.lost} of ${this.#maxLost}: ${error.message}`,
      );
      if (entry.lost < this.#maxLost) this.#turns.add(entry, turn, urgent);
      else this.#fail(entry, buildGivenUp(entry, error));
    }
  }

  #fail(entry: Entry, error: unknown): void {
    this.#entries.delete(entry.key);
    entry.done.reject(error);
  }
}

function createEntry(key: string, job: Job, attempt: DoOptions["attempt"]): Entry {
  const listeners: Entry["listeners"] = [];
  const onProgress: DoOptions["onProgress"] = (progress) =>
    listeners.forEach((one) => one(progress));
  const options = { onProgress, ...(attempt ? { attempt } : {}) };
  const done = Promise.withResolvers<unknown>();
  return { key, job, options, listeners, done, lost: 0, overdue: 0 };
}

function buildClosed({ kind }: Job): JobError {
  return new JobError(
    `Cannot do ${kind}: the service is stopping. It is done after its next start`,
  );
}

/** Only a job that never ends is hopeless: what ended its workers otherwise, such as a lack of memory, may pass. */
function buildGivenUp({ job: { kind }, lost, overdue }: Entry, { message }: Error): JobError {
  const final = overdue === lost;
  return new JobError(
    `Cannot do ${kind}: ${lost === 1 ? "a worker" : `${lost} workers`} ended in it (${message}). ` +
      "Look for memory and crashes in the system's log",
    { final, passes: !final },
  );
}
