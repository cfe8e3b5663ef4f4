import type { ProgressTarget } from "./progress_targets.ts";
import { cleanText } from "./progress_text.ts";

const DELAY = 1000; // ms before it is first shown
const PAUSE = 100; // ms between updates

interface BarOptions {
  /** Amount of work; `undefined` if it is not known. */
  readonly total: number | undefined;
  /** Unit of the amount. */
  readonly unit: string | undefined;
  /** Where it is shown; nowhere if `undefined`. */
  readonly to: ProgressTarget | undefined;
  /** Milliseconds of a clock that never goes back. */
  readonly clock: () => number;
}

/** A bar that {@linkcode tick} updates, unless the last update is too recent. */
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

  /** The time of the work begins here. */
  constructor(label: string, { total, unit, to, clock }: BarOptions) {
    this.#label = cleanText(label);
    this.#unit = unit === undefined ? undefined : cleanText(unit);
    this.#to = to;
    this.#clock = clock;
    this.#began = clock();
    if (total !== undefined) this.total(total);
  }

  /** Starts a timer that ticks; it does not keep the process alive. */
  start(): void {
    if (!this.#to) return;
    this.#timer = setInterval(() => this.tick(), PAUSE);
    Deno.unrefTimer(this.#timer as unknown as number);
  }

  /** Shows the state, unless it is too early. Every change ticks too: work that never waits leaves no time for a timer. */
  tick(): void {
    if (!this.#to) return;
    const now = this.#clock();
    if (now - this.#began < DELAY) return;
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

  /** Adds to the amount that is done; negative if a part is begun again. */
  advance(by = 1): void {
    if (Number.isFinite(by)) this.#done = Math.max(0, this.#done + by);
    this.tick();
  }

  /** Sets the note, on one line and without control characters. */
  say(note: string): void {
    this.#note = cleanText(note);
    this.tick();
  }

  /** Sets the amount of work; a number that is not positive and finite means that it is not known. */
  total(n: number): void {
    this.#total = Number.isFinite(n) && n > 0 ? n : undefined;
    this.tick();
  }

  /** Removes the bar; later changes are not shown. */
  end(): void {
    clearInterval(this.#timer);
    if (this.#shownAt !== undefined) this.#attempt((to) => to.clear());
    this.#to = undefined;
  }

  /** Removes the bar at the end of `using`. */
  [Symbol.dispose](): void {
    this.end();
  }

  /** The work must not fail because its terminal was closed. */
  #attempt(act: (to: ProgressTarget) => void): void {
    try {
      if (this.#to) act(this.#to);
    } catch {
      this.#to = undefined;
    }
  }
}
