/**
 * Does the same with several things, some at a time; the first that fails ends the taking of further ones.
 *
 * @param things The things
 * @param atATime How many are under way at once, at least 1
 * @param act What is done with each
 * @returns What came of each, in their order
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
  const ends = await Promise.allSettled(workers); // nothing goes on behind the caller's back
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  return results;
}
