import { renderSvg } from "./render.ts";
import type { Chart } from "./chart.ts";
import type { DrawingResult, DrawingTask } from "./drawing_worker.ts";

/** Charts drawn in this thread before workers are started: for fewer, starting workers would take longer. */
const INLINE_CHARTS = 40;

/** Workers of a pool: each takes about 200 MB. */
const MAX_WORKERS = 3;

/** Charts sent to a worker at a time; if all workers have as many, this thread draws too. */
const MAX_QUEUE = 3;

/** Options of a {@linkcode DrawingPool}. */
interface DrawingPoolOptions {
  /** Workers that draw beside this thread; with 0, this thread draws everything. @default one per further core, at most three */
  readonly workers?: number;
  /** Charts drawn in this thread before workers are started. @default {40} */
  readonly inlineCharts?: number;
}

interface PendingTask {
  readonly task: DrawingTask;
  readonly resolve: (svg: string) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Draws charts, many of them on all cores. The result is that of {@linkcode Chart.svg}; if no worker can be started,
 * this thread draws everything.
 */
export class DrawingPool {
  readonly #maxWorkers: number;
  readonly #inlineCharts: number;
  readonly #pending = new Map<number, PendingTask>();
  #workers: { readonly worker: Worker; readonly ids: Set<number> }[] | undefined;
  #taskCount = 0;

  /** @param options When to use workers, and how many */
  constructor(options: DrawingPoolOptions = {}) {
    this.#maxWorkers = options.workers ?? Math.min(MAX_WORKERS, navigator.hardwareConcurrency - 1);
    this.#inlineCharts = options.inlineCharts ?? INLINE_CHARTS;
  }

  /** Number of charts to draw at the same time. */
  get width(): number {
    return 1 + 2 * this.#maxWorkers;
  }

  /** A chart as an SVG document. */
  svg({ spec, altText, theme }: Chart): Promise<string> {
    const chart = { spec, altText, theme };
    const id = this.#taskCount++;
    if (this.#maxWorkers === 0 || id < this.#inlineCharts) return renderSvg(chart);
    this.#workers ??= this.#startWorkers();
    const [least] = this.#workers.toSorted((a, b) => a.ids.size - b.ids.size);
    if (!least || least.ids.size >= MAX_QUEUE) return renderSvg(chart);
    const { worker, ids } = least;
    const task = { id, ...chart };
    ids.add(id);
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { task, resolve, reject });
      worker.postMessage(task);
    });
  }

  /** Ends the workers; the promises of charts that are still being drawn never settle. */
  [Symbol.dispose](): void {
    for (const { worker } of this.#workers ?? []) worker.terminate();
    this.#workers = [];
  }

  #startWorkers() {
    return Array.from({ length: this.#maxWorkers }, () => {
      const worker = new Worker(new URL("./drawing_worker.ts", import.meta.url), {
        type: "module",
      });
      const entry = { worker, ids: new Set<number>() };
      worker.onmessage = ({ data }: MessageEvent<DrawingResult>) => {
        const waiting = this.#pending.get(data.id);
        this.#pending.delete(data.id);
        entry.ids.delete(data.id);
        if ("svg" in data) waiting?.resolve(data.svg);
        else waiting?.reject(new Error(data.problem));
      };
      worker.onerror = (event) => {
        event.preventDefault(); // the worker could not be started: this thread draws its charts
        worker.terminate();
        this.#workers = this.#workers?.filter((other) => other !== entry) ?? [];
        for (const id of entry.ids) {
          const { task, resolve, reject } = this.#pending.get(id)!;
          this.#pending.delete(id);
          renderSvg(task).then(resolve, reject);
        }
      };
      return entry;
    });
  }
}
