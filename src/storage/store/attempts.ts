// deno-lint-ignore-file require-await -- memory answers at once, a store later

/** How long an attempt counts, ms. */
export const ATTEMPT_PERIOD = 60_000;

/** What became of an attempt. */
export interface CountedAttempt {
  /** Time until the next one may be made, ms; 0 where this one is counted. */
  readonly pause: number;
  /** Takes it back, where it did not fail. */
  takeBack(): Promise<void>;
}

/** Counts attempts by name over the last {@linkcode ATTEMPT_PERIOD}, at every moment. */
export interface Attempts {
  /**
   * Counts an attempt, in one step, unless its name has too many; so a pause always ends.
   *
   * @param name Whose attempt it is
   * @param limit How many a name may have, at least 1
   */
  count(name: string, limit: number): Promise<CountedAttempt>;
}

/** Largest number of names that are stored; beyond it the one longest without an attempt is removed. */
const CAPACITY = 10_000;

interface MemoryAttemptsOptions {
  /** Largest number of names that are stored. @default {10_000} */
  capacity?: number;
  /** A clock that never goes back, ms. @default {performance.now} */
  now?: () => number;
}

/** Attempts of one process, in memory: names in the order of their latest one. */
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
