/** Items that wait in one turn: urgent ones first. */
interface Queue<T> {
  readonly urgent: T[];
  readonly others: T[];
}

/** A round-robin queue: each turn is served once before any is served again. */
export class Turns<T> {
  /** Queues by turn, the next one first. */
  readonly #queues = new Map<string, Queue<T>>();

  get isEmpty(): boolean {
    return this.#queues.size === 0;
  }

  /**
   * Adds an item at the end of a turn's queue.
   *
   * @param turn Customer, or other party, that waits for it
   * @param urgent Whether it goes before items of the same turn that are not urgent
   */
  add(item: T, turn: string, urgent: boolean): void {
    let queue = this.#queues.get(turn);
    if (!queue) this.#queues.set(turn, queue = { urgent: [], others: [] });
    (urgent ? queue.urgent : queue.others).push(item);
  }

  /** Takes the first item of the next turn; `undefined` if the queue is empty. */
  next(): T | undefined {
    for (const [turn, queue] of this.#queues) {
      this.#queues.delete(turn);
      const item = queue.urgent.shift() ?? queue.others.shift();
      if (queue.urgent.length + queue.others.length > 0) this.#queues.set(turn, queue);
      return item;
    }
  }
}
