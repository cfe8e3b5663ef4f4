/**
 * Runs an action for several things, a few at a time. After the first failure no further ones are begun.
 *
 * @param things The things
 * @param atATime How many actions run at once, at least 1
 * @param act The action
 * @returns The results, in the order of the things
 */
export async function sideBySide<T, R>(
  things: readonly T[],
  atATime: number,
  act: (thing: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const rest = things.entries();
  let failed = false;
  const work = async () => {
    for (const [i, thing] of rest) {
      if (failed) return;
      try {
        results[i] = await act(thing);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const workers = Array.from({ length: Math.min(atATime, things.length) }, work);
  const ends = await Promise.allSettled(workers); // nothing is still running when this returns
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  return results;
}
