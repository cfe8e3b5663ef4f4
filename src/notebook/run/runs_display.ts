import { basename } from "node:path";
import type { RunProgress } from "./run_notebook.ts";
import { type Progress, startProgress } from "../../show/progress.ts";

const encoder = new TextEncoder();

/**
 * Shows the progress of notebook runs on standard error: on the last line of a terminal, otherwise as a line for each
 * notebook that starts.
 */
export class RunsDisplay implements Disposable {
  readonly #bar: Progress;
  readonly #terminal: boolean = Deno.stderr.isTerminal();
  readonly #running = new Map<string, RunProgress>();

  /**
   * Starts to show progress.
   *
   * @param cells Number of cells of all notebooks together
   */
  constructor(cells: number) {
    this.#bar = startProgress("Notebooks", { total: cells, unit: "cells" });
  }

  /**
   * Updates the progress of a notebook.
   *
   * @param path The notebook
   * @param progress Progress from `onCell`
   */
  cell(path: string, progress: RunProgress): void {
    if (progress.done) return;
    const before = this.#running.get(path);
    if (!before && !this.#terminal) console.error(`starting ${path}, ${progress.of} cells`);
    this.#running.set(path, progress);
    const places = [...this.#running].map(([path, { position, of }]) =>
      `${basename(path, ".ipynb")} ${position}/${of}`
    );
    this.#bar.say(places.join(", "));
    this.#bar.advance(progress.position - (before?.position ?? 1));
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

  /** Removes the progress line. */
  [Symbol.dispose](): void {
    this.#bar.end();
  }
}
