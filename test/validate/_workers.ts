import { startProgress } from "../../src/show/progress.ts";
import type { TaskName, tasks } from "./_tasks.ts";

/** Number of workers: the cores of our machine. */
const WORKERS = 2;

/** Result of a task. */
type Result<Name extends TaskName> = Awaited<ReturnType<typeof tasks[Name]>>;

/** Workers that run tasks in parallel and start them in order. */
export class Workers {
  readonly #all = Array.from(
    { length: WORKERS },
    () => new Worker(new URL("_worker.ts", import.meta.url), { type: "module" }),
  );
  readonly #free = [...this.#all];
  readonly #waiting: ((worker: Worker) => void)[] = [];
  readonly #progress = startProgress("Validation", { unit: "parts" });

  /**
   * Runs a task in the next free worker.
   *
   * @param name The task
   * @param argument Its argument
   */
  async run<Name extends TaskName>(
    name: Name,
    argument: Parameters<typeof tasks[Name]>[0],
  ): Promise<Result<Name>> {
    const worker = this.#free.pop() ??
      await new Promise<Worker>((resolve) => this.#waiting.push(resolve));
    try {
      return await new Promise<Result<Name>>((resolve, reject) => {
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = reject;
        worker.postMessage([name, argument]);
      });
    } finally {
      this.#progress.advance();
      const next = this.#waiting.shift();
      if (next) next(worker);
      else this.#free.push(worker);
    }
  }

  /** Ends the workers. */
  [Symbol.dispose](): void {
    this.#progress.end();
    for (const worker of this.#all) worker.terminate();
  }
}
