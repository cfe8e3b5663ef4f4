import type { Chart } from "../../plots/drawing/chart.ts";
import type { DrawingResult, DrawingTask } from "./drawing_worker.ts";

/** Number of charts drawn in the calling thread first: for fewer, starting a second thread takes longer than it saves. */
const CALLER_CHARTS = 40;

interface Waiting extends PromiseWithResolvers<string> {
  readonly chart: Chart;
}

/** Draws the charts of a long report in a second thread, or in the calling one if no thread can be started. */
export class DrawingThread implements Disposable {
  readonly #callerCharts: number;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null | undefined;
  #count = 0;

  /** @param own Number of charts drawn in the calling thread first */
  constructor(callerCharts = navigator.hardwareConcurrency > 1 ? CALLER_CHARTS : Infinity) {
    this.#callerCharts = callerCharts;
  }

  /** Whether the second thread has started. */
  get isRunning(): boolean {
    return !!this.#worker;
  }

  /** Draws a chart as {@linkcode Chart.svg} does. */
  svg(chart: Chart): Promise<string> {
    const id = this.#count++;
    if (id >= this.#callerCharts && this.#worker === undefined) this.#start();
    if (!this.#worker) return chart.svg();
    const waiting = { chart, ...Promise.withResolvers<string>() };
    this.#waiting.set(id, waiting);
    const { spec, altText, theme } = chart;
    this.#worker.postMessage({ id, spec, altText, theme } satisfies DrawingTask);
    return waiting.promise;
  }

  #start(): void {
    const worker = new Worker(new URL("./drawing_worker.ts", import.meta.url), { type: "module" });
    this.#worker = worker;
    worker.onmessage = ({ data }: MessageEvent<DrawingResult>) => {
      const { resolve, reject } = this.#waiting.get(data.id)!;
      this.#waiting.delete(data.id);
      if ("svg" in data) resolve(data.svg);
      else reject(new Error(data.problem));
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this[Symbol.dispose]();
      for (const { chart, resolve } of this.#waiting.values()) resolve(chart.svg());
    };
  }

  /** Ends the thread; pending drawings never settle. */
  [Symbol.dispose](): void {
    this.#worker?.terminate();
    this.#worker = null;
  }
}
