/**
 * Asks for many things at once: calls that come while a query runs are answered together by the next one, which begins after
 * all of them, so that each answer is as fresh as that of a query of its own.
 */
export class SharedQuery<T> {
  readonly #ask: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>;
  readonly #keys = new Set<string>();
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<ReadonlyMap<string, T>> | undefined;

  /** @param ask Runs one query for some keys; leaves out those of which there is nothing */
  constructor(ask: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>) {
    this.#ask = ask;
  }

  /** What there is of a key. */
  async get(key: string): Promise<T | undefined> {
    this.#keys.add(key);
    this.#next ??= this.#begin();
    return (await this.#next).get(key);
  }

  async #begin(): Promise<ReadonlyMap<string, T>> {
    await this.#running.catch(() => {}); // who asked for that has been told
    const keys = [...this.#keys];
    this.#keys.clear();
    this.#next = undefined;
    const answer = this.#ask(keys);
    this.#running = answer;
    return await answer;
  }
}
