import { suggestName } from "../../show/options/suggest.ts";

/** Largest number of names that a message lists; of more it lists none. */
const MAX_NAMES = 10;

/**
 * Describes that a name is unknown, and which one may be meant.
 *
 * @param what Kind of thing, such as "turbine"
 * @param known The names that the licence covers
 */
export function describeUnknownName(what: string, name: string, known: readonly string[]): string {
  const near = suggestName(name, known);
  if (near !== undefined) return `there is no ${what} "${name}". Did you mean "${near}"?`;
  const among = known.length > 0 && known.length <= MAX_NAMES ? ` among ${known.join(", ")}` : "";
  return `there is no ${what} "${name}"${among}`;
}
