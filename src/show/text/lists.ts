/** Lists what there is: leaves out what is false, null, undefined, or an empty text. */
export function listGiven<T>(...items: readonly (T | false | null | undefined | "")[]): T[] {
  return items.filter(Boolean) as T[];
}
