/** Results in the order of the items; at most `width` are under way at the same time. */
export async function* runInOrder<T, R>(
  items: AsyncIterable<T> | Iterable<T>,
  width: number,
  act: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const underWay: Promise<R>[] = [];
  for await (const item of items) {
    const result = act(item);
    result.catch(() => {}); // thrown when its turn comes
    underWay.push(result);
    if (underWay.length >= width) yield await underWay.shift()!;
  }
  while (underWay.length > 0) yield await underWay.shift()!;
}
