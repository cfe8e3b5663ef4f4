/** What waits in one turn: urgent things before the others. */
interface Queue<T> {
  readonly urgent: T[];
  readonly others: T[];
}

/** A queue in turns: each of those who wait is served once before anybody is served again. */
export class Turns<T> {
  /** In the order of their turns. */
  readonly #queues = new Map<string, Queue<T>>();

  get isEmpty(): boolean {
    return this.#queues.size === 0;
  }

  /**
   * Adds something at the end of a turn's queue.
   *
   * @param turn Who waits for it
   * @param urgent Whether it goes before what is not urgent in the same turn
   */
  add(item: T, turn: string, urgent: boolean): void {
    let queue = this.#queues.get(turn);
    if (!queue) this.#queues.set(turn, queue = { urgent: [], others: [] });
    (urgent ? queue.urgent : queue.others).push(item);
  }

  /** Takes the first of the next turn; `undefined` where nothing waits. */
  next(): T | undefined {
    for (const [turn, queue] of this.#queues) {
      this.#queues.delete(turn);
      const item = queue.urgent.shift() ?? queue.others.shift();
      if (queue.urgent.length + queue.others.length > 0) this.#queues.set(turn, queue);
      return item;
    }
  }
}
