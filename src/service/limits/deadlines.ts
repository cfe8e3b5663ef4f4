interface Deadline {
  /** Instant at which it is over, `performance.now`. */
  readonly instant: number;
  readonly giveUp: () => void;
}

/** Deadlines of the same length. They share one timer, since a timer for each costs as much as a small answer. */
export class Deadlines {
  readonly #length: number;
  /** In the order of their instants. */
  readonly #open = new Set<Deadline>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param length How long each is, ms */
  constructor(length: number) {
    this.#length = length;
  }

  begin(giveUp: () => void): Deadline {
    const deadline = { instant: performance.now() + this.#length, giveUp };
    this.#open.add(deadline);
    this.#timer ??= setTimeout(() => this.#check(), this.#length);
    return deadline;
  }

  end(deadline: Deadline): void {
    this.#open.delete(deadline);
  }

  /** Ends all deadlines without calling `giveUp`. */
  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#open.clear();
  }

  #check(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (const deadline of this.#open) {
      if (deadline.instant > now) {
        this.#timer = setTimeout(() => this.#check(), deadline.instant - now);
        return;
      }
      this.#open.delete(deadline);
      deadline.giveUp();
    }
  }
}
