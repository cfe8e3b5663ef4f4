/** Items that are fetched before their turn comes. */
const AHEAD = 16;

/**
 * Results in the order of the items, some of them fetched ahead.
 *
 * @param items The items
 * @param fetch Fetches what belongs to one
 */
export async function* fetchAhead<T, R>(
  items: readonly T[],
  fetch: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const underWay: Promise<R>[] = [];
  for (const item of items) {
    const result = fetch(item);
    result.catch(() => {}); // thrown when its turn comes
    underWay.push(result);
    if (underWay.length >= AHEAD) yield await underWay.shift()!;
  }
  while (underWay.length > 0) yield await underWay.shift()!;
}
