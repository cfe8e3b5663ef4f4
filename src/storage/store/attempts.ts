// deno-lint-ignore-file require-await -- memory answers at once, a store later

/** How long an attempt counts, ms. */
export const ATTEMPT_PERIOD = 60_000;

/** Outcome of counting an attempt. */
export interface CountedAttempt {
  /** Time until the next attempt may be made, ms; 0 if this one was counted. */
  readonly pause: number;
  /** Removes the attempt from the count, if it did not fail. */
  takeBack(): Promise<void>;
}

/** Counts attempts by name in a sliding window of {@linkcode ATTEMPT_PERIOD}. */
export interface Attempts {
  /**
   * Counts an attempt atomically, unless its name has too many. Rejected attempts are not counted, so a pause always
   * ends.
   *
   * @param name Source of the attempt
   * @param limit Most attempts of a name, at least 1
   */
  count(name: string, limit: number): Promise<CountedAttempt>;
}

/** Most names stored; beyond this, the name longest without an attempt is removed. */
const CAPACITY = 10_000;

interface MemoryAttemptsOptions {
  /** Most names stored. @default {10_000} */
  capacity?: number;
  /** A monotonic clock, ms. @default {performance.now} */
  now?: () => number;
}

/** Attempts of one process, in memory: names in the order of their latest attempt. */
export class MemoryAttempts implements Attempts {
  readonly #capacity: number;
  readonly #now: () => number;
  readonly #instants = new Map<string, number[]>();

  constructor({ capacity = CAPACITY, now = () => performance.now() }: MemoryAttemptsOptions = {}) {
    this.#capacity = capacity;
    this.#now = now;
  }

  get size(): number {
    return this.#instants.size;
  }

  async count(name: string, limit: number): Promise<CountedAttempt> {
    const now = this.#now();
    this.#forgetBefore(now - ATTEMPT_PERIOD);
    const recent = (this.#instants.get(name) ?? []).filter((it) => it > now - ATTEMPT_PERIOD);
    const first = recent.at(-limit);
    if (first !== undefined) {
      return { pause: first + ATTEMPT_PERIOD - now, takeBack: () => Promise.resolve() };
    }
    this.#instants.delete(name); // it becomes the latest
    this.#instants.set(name, [...recent, now]);
    if (this.size > this.#capacity) this.#instants.delete(this.#instants.keys().next().value!);
    return { pause: 0, takeBack: async () => this.#takeBack(name, now) };
  }

  #takeBack(name: string, instant: number): void {
    const instants = this.#instants.get(name);
    const i = instants?.indexOf(instant) ?? -1;
    if (i < 0) return;
    instants!.splice(i, 1);
    if (instants!.length === 0) this.#instants.delete(name);
  }

  /** Removes names whose attempts have all expired; they come first. */
  #forgetBefore(instant: number): void {
    for (const [name, instants] of this.#instants) {
      if (instants.at(-1)! > instant) break;
      this.#instants.delete(name);
    }
  }
}
