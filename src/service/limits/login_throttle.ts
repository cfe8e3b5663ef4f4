import { STATUS_CODE } from "@std/http/status";
import { Refusal } from "../responses/refusal.ts";

/** Failed attempts within a minute after which more are refused. */
export const FAILED_ATTEMPTS = 10;

/** How long a failed attempt counts, ms. */
const PERIOD = 60_000;

/** Largest number of names that are stored; beyond it the one longest without an attempt is removed. */
const CAPACITY = 10_000;

/** How {@linkcode LoginThrottle} counts. */
interface LoginThrottleOptions {
  /** Failed attempts within a minute, at least 1; `Infinity` for no limit. @default {10} */
  limit?: number;
  /** Largest number of names that are stored. @default {10_000} */
  capacity?: number;
  /** A clock that never goes back, ms. @default {performance.now} */
  now?: () => number;
}

/** Takes an attempt back that did not fail. */
type TakeBack = () => void;

/** Attempts of one client to get access. */
export interface ClientLogins {
  /**
   * Counts a key that is not known.
   *
   * @throws {Refusal} If there were too many
   */
  countUnknownKey(): void;
  /**
   * Counts an attempt to get a key, before it is known whether it fails, so that concurrent attempts count too.
   *
   * @throws {Refusal} If too many failed, of this client or for this serial number
   */
  countCustomer(serialNumber: string): TakeBack;
}

/** What is known of the client of a request: what `Deno.serve` reports of it, and where it was received. */
export interface ClientInfo {
  /** Where the request comes from. */
  readonly remoteAddr?: Deno.Addr;
  /** Settles when the answer is sent, or cannot be. */
  readonly completed?: Promise<void>;
  /** Address that the service listens on; without it every host is answered. */
  readonly listensOn?: string;
}

/**
 * Counts failed attempts to get access, in memory: by client and by serial number, in the order of the latest attempt.
 * Refused attempts are not counted, so that a pause always ends.
 */
export class LoginThrottle {
  readonly #limit: number;
  readonly #capacity: number;
  readonly #now: () => number;
  readonly #instants = new Map<string, number[]>();

  /** @param options How to count */
  constructor(options: LoginThrottleOptions = {}) {
    const { limit = FAILED_ATTEMPTS, capacity = CAPACITY, now = () => performance.now() } = options;
    this.#limit = limit;
    this.#capacity = capacity;
    this.#now = now;
  }

  /** Number of names that are stored. */
  get size(): number {
    return this.#instants.size;
  }

  /** Attempts of a client; its address is read only where an attempt fails. */
  forClient(address: () => string): ClientLogins {
    return {
      countUnknownKey: () => void this.count(`key from ${address()}`),
      countCustomer: (serialNumber) =>
        this.count(`customer from ${address()}`, `serial number ${serialNumber}`),
    };
  }

  /**
   * Counts an attempt as failed under each of the names.
   *
   * @throws {Refusal} If one of them has too many; then it is not counted
   */
  count(...names: string[]): TakeBack {
    if (this.#limit === Infinity) return () => {};
    const now = this.#now();
    this.#forgetBefore(now - PERIOD);
    const pause = Math.max(...names.map((name) => this.#pauseOf(name, now)));
    if (pause > 0) {
      const retryAfter = Math.ceil(pause / 1000);
      throw new Refusal(
        "too_many_requests",
        `${this.#limit} attempts failed within a minute. Try again in ${retryAfter} s`,
        { retryAfter, status: STATUS_CODE.TooManyRequests },
      );
    }
    for (const name of names) {
      const instants = this.#recent(name, now);
      this.#instants.delete(name); // it becomes the latest
      this.#instants.set(name, [...instants, now]);
    }
    for (const name of this.#instants.keys()) {
      if (this.#instants.size <= this.#capacity) break;
      this.#instants.delete(name);
    }
    return () => names.forEach((name) => this.#takeBack(name, now));
  }

  #recent(name: string, now: number): number[] {
    return (this.#instants.get(name) ?? []).filter((instant) => instant > now - PERIOD);
  }

  /** Time until the next attempt may be made, ms. */
  #pauseOf(name: string, now: number): number {
    const first = this.#recent(name, now).at(-this.#limit);
    return first === undefined ? 0 : first + PERIOD - now;
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
