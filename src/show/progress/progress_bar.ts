import type { ProgressTarget } from "./progress_targets.ts";
import { cleanText } from "./progress_text.ts";

const QUIET = 1000; // ms
const PAUSE = 100; // ms

/** What a bar is made of. */
interface BarOptions {
  /** How much there is, if that is known. */
  readonly total: number | undefined;
  /** What is counted. */
  readonly unit: string | undefined;
  /** Where it is shown; nowhere if not given. */
  readonly to: ProgressTarget | undefined;
  /** Milliseconds of a clock that never goes back. */
  readonly clock: () => number;
}

/** A bar that shows itself when {@linkcode tick} is called and it is time. */
export class ProgressBar {
  readonly #label: string;
  readonly #unit: string | undefined;
  readonly #clock: () => number;
  readonly #began: number;
  #to: ProgressTarget | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #done = 0;
  #total: number | undefined;
  #note = "";
  #shownAt: number | undefined;

  /** Begins now. */
  constructor(label: string, { total, unit, to, clock }: BarOptions) {
    this.#label = cleanText(label);
    this.#unit = unit === undefined ? undefined : cleanText(unit);
    this.#to = to;
    this.#clock = clock;
    this.#began = clock();
    if (total !== undefined) this.total(total);
  }

  /** Lets a timer tick; it does not keep the process alive. */
  start(): void {
    if (!this.#to) return;
    this.#timer = setInterval(() => this.tick(), PAUSE);
    Deno.unrefTimer(this.#timer as unknown as number);
  }

  /** Shows the state, unless it is too early. Work that never waits leaves no time to a timer: each step ticks too. */
  tick(): void {
    if (!this.#to) return;
    const now = this.#clock();
    if (now - this.#began < QUIET) return;
    if (this.#shownAt !== undefined && now - this.#shownAt < PAUSE) return;
    this.#shownAt = now;
    const seconds = Math.floor((now - this.#began) / 1000);
    this.#attempt((to) =>
      to.show({
        label: this.#label,
        unit: this.#unit,
        done: this.#done,
        total: this.#total,
        seconds,
        note: this.#note,
      })
    );
  }

  /** More is done; less where a part is begun again. */
  advance(by = 1): void {
    if (Number.isFinite(by)) this.#done = Math.max(0, this.#done + by);
    this.tick();
  }

  /** Sets the note. */
  say(note: string): void {
    this.#note = cleanText(note);
    this.tick();
  }

  /** Sets how much there is; what is no such number stands for not known. */
  total(n: number): void {
    this.#total = Number.isFinite(n) && n > 0 ? n : undefined;
    this.tick();
  }

  /** Takes the bar away. */
  end(): void {
    clearInterval(this.#timer);
    if (this.#shownAt !== undefined) this.#attempt((to) => to.clear());
    this.#to = undefined;
  }

  /** Ends it with `using`. */
  [Symbol.dispose](): void {
    this.end();
  }

  /** A terminal that is gone is no reason for the work to fail. */
  #attempt(act: (to: ProgressTarget) => void): void {
    try {
      if (this.#to) act(this.#to);
    } catch {
      this.#to = undefined;
    }
  }
}
