import { basename } from "node:path";
import type { RunProgress } from "./run_notebook.ts";
import { type Progress, startProgress } from "../../show/progress.ts";

/** Time between lines of a log, ms. */
const LOG_PAUSE = 30_000;

const encoder = new TextEncoder();

/** A notebook that is running. */
interface RunState {
  readonly begun: number;
  /** The cell that runs, from 1. */
  readonly position: number;
  /** How many cells it has. */
  readonly of: number;
}

/**
 * Shows the progress of runs of notebooks on standard error: on the last line of a terminal; elsewhere as lines of a log,
 * one for each notebook as it begins, and every half minute one for each that is running.
 */
export class RunsDisplay implements Disposable {
  readonly #bar: Progress;
  readonly #terminal: boolean = Deno.stderr.isTerminal();
  readonly #running = new Map<string, RunState>();
  readonly #timer: ReturnType<typeof setInterval> | undefined;

  /**
   * Begins to show progress.
   *
   * @param cells Number of cells of all notebooks together
   */
  constructor(cells: number) {
    this.#bar = startProgress("Notebooks", { total: cells, unit: "cells" });
    if (this.#terminal) return;
    this.#timer = setInterval(() => this.#log(), LOG_PAUSE);
    Deno.unrefTimer(this.#timer as unknown as number);
  }

  /**
   * Updates the progress of a notebook.
   *
   * @param path The notebook
   * @param progress As `onCell` gives it
   */
  cell(path: string, { position, of, done }: RunProgress): void {
    if (done) return;
    const before = this.#running.get(path);
    if (!before) this.#line(`begins ${path}, ${of} cells`);
    this.#running.set(path, { begun: before?.begun ?? performance.now(), position, of });
    this.#bar.say(
      [...this.#running].map(([path, { position, of }]) =>
        `${basename(path, ".ipynb")} ${position}/${of}`
      )
        .join(", "),
    );
    this.#bar.advance(position - (before?.position ?? 1));
  }

  /**
   * Removes a notebook whose run has ended.
   *
   * @param path The notebook
   */
  end(path: string): void {
    const { position, of } = this.#running.get(path) ?? { position: 1, of: 0 };
    this.#running.delete(path);
    this.#bar.advance(of - position + 1);
  }

  /** Prints a text to standard output, above the progress line. */
  print(text: string): void {
    if (this.#terminal) Deno.stderr.writeSync(encoder.encode("\r\x1b[K"));
    console.log(text);
  }

  #log(): void {
    for (const [path, { begun, position, of }] of this.#running) {
      const seconds = Math.round((performance.now() - begun) / 1000);
      this.#line(`runs   ${path}, cell ${position} of ${of}, ${seconds} s`);
    }
  }

  #line(text: string): void {
    if (!this.#terminal) console.error(text);
  }

  /** Removes the progress line. */
  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#bar.end();
  }
}
