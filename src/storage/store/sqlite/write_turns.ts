/** The transactions of several steps that this process runs, by the real path of the database. */
const running = new Map<string, Promise<void>>();

/**
 * Runs a body that writes, once this process runs no transaction of several steps on the database: a statement that SQLite
 * lets wait for that would hold up the thread that has to end it.
 *
 * @param path Path of the database
 * @param body Called at once where nothing is to be waited for
 */
export async function inTurn<T>(path: string, body: () => T): Promise<Awaited<T>> {
  // Nothing can begin between the last look and the body.
  while (running.size > 0) {
    const other = running.get(Deno.realPathSync(path));
    if (!other) break;
    await other;
  }
  return await body();
}

/**
 * Runs a transaction of several steps: nothing else of this process writes to its database meanwhile.
 *
 * @param path Path of the database
 * @param steps Begins the transaction and ends it
 */
export async function takeTurn<T>(path: string, steps: () => Promise<T>): Promise<T> {
  return await inTurn(path, async () => {
    const name = Deno.realPathSync(path);
    const { promise, resolve } = Promise.withResolvers<void>();
    running.set(name, promise);
    try {
      return await steps();
    } finally {
      running.delete(name);
      resolve();
    }
  });
}
