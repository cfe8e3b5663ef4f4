/** Lists the given items without false, null, undefined, and empty texts. */
export function listGiven<T>(...items: readonly (T | false | null | undefined | "")[]): T[] {
  return items.filter(Boolean) as T[];
}
