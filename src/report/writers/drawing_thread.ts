import type { Chart } from "../../plots/drawing/chart.ts";
import type { DrawingResult, DrawingTask } from "./drawing_worker.ts";

/** Charts that are drawn in the calling thread first: for fewer, a second thread takes longer to start than it saves. */
const OWN_CHARTS = 40;

interface Waiting extends PromiseWithResolvers<string> {
  readonly chart: Chart;
}

/** Draws the charts of a long report in a second thread, or where none can be started, in the calling one. */
export class DrawingThread implements Disposable {
  readonly #own: number;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null | undefined;
  #count = 0;

  /** @param own Number of charts drawn in the calling thread first */
  constructor(own = navigator.hardwareConcurrency > 1 ? OWN_CHARTS : Infinity) {
    this.#own = own;
  }

  /** Whether there is a second thread by now. */
  get isRunning(): boolean {
    return !!this.#worker;
  }

  /** A chart as {@linkcode Chart.svg} gives it. */
  svg(chart: Chart): Promise<string> {
    const id = this.#count++;
    if (id >= this.#own && this.#worker === undefined) this.#start();
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

  /** Ends the thread; what it has not drawn is never ready. */
  [Symbol.dispose](): void {
    this.#worker?.terminate();
    this.#worker = null;
  }
}
