import { type Progress, startProgress } from "../../show/progress/progress.ts";
import { stemOf } from "../kernel/file_url.ts";
import type { RunProgress } from "./run_notebook.ts";

/** How often a log is told what is under way, ms. */
const LOG_PAUSE = 30_000;

const encoder = new TextEncoder();

/** A notebook under way. */
interface UnderWay {
  readonly begun: number;
  /** The cell that runs, from 1. */
  readonly position: number;
  /** How many cells it has. */
  readonly of: number;
}

/**
 * Tells a person how far the runs of notebooks have come, on standard error: on the last line of a terminal; as lines of
 * a log elsewhere, one for each notebook as it begins, and every half minute one for each that is under way.
 */
export class RunsDisplay implements Disposable {
  readonly #bar: Progress;
  readonly #terminal: boolean = Deno.stderr.isTerminal();
  readonly #underWay = new Map<string, UnderWay>();
  readonly #timer: ReturnType<typeof setInterval> | undefined;

  /**
   * Begins.
   *
   * @param cells How many cells all notebooks have
   */
  constructor(cells: number) {
    this.#bar = startProgress("Notebooks", { total: cells, unit: "cells" });
    if (this.#terminal) return;
    this.#timer = setInterval(() => this.#log(), LOG_PAUSE);
    Deno.unrefTimer(this.#timer as unknown as number);
  }

  /**
   * Takes how far a run has come, as `onCell` gives it.
   *
   * @param path The notebook
   * @param progress How far it has come
   */
  cell(path: string, { position, of, done }: RunProgress): void {
    if (done) return;
    const before = this.#underWay.get(path);
    if (!before) this.#line(`begins ${path}, ${of} cells`);
    this.#underWay.set(path, { begun: before?.begun ?? performance.now(), position, of });
    this.#bar.say(
      [...this.#underWay].map(([path, { position, of }]) => `${stemOf(path)} ${position}/${of}`)
        .join(", "),
    );
    this.#bar.advance(position - (before?.position ?? 1));
  }

  /**
   * Takes that a run has ended.
   *
   * @param path The notebook
   */
  end(path: string): void {
    const { position, of } = this.#underWay.get(path) ?? { position: 1, of: 0 };
    this.#underWay.delete(path);
    this.#bar.advance(of - position + 1);
  }

  /** Prints a text above the line of the progress. */
  print(text: string): void {
    if (this.#terminal) Deno.stderr.writeSync(encoder.encode("\r\x1b[K"));
    console.log(text);
  }

  #log(): void {
    for (const [path, { begun, position, of }] of this.#underWay) {
      const seconds = Math.round((performance.now() - begun) / 1000);
      this.#line(`runs   ${path}, cell ${position} of ${of}, ${seconds} s`);
    }
  }

  #line(text: string): void {
    if (!this.#terminal) console.error(text);
  }

  /** Takes the line away. */
  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#bar.end();
  }
}
