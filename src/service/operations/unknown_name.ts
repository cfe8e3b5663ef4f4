import { suggestName } from "../../api/suggest.ts";

/** Names that a message lists; where there are more, none is. */
const MAX_NAMES = 10;

/**
 * Says that a name is unknown, and which one may be meant.
 *
 * @param what What it names
 * @param name The name as it was given
 * @param known The names that whoever asks may know of
 */
export function describeUnknownName(what: string, name: string, known: readonly string[]): string {
  const near = suggestName(name, known);
  if (near !== undefined) return `there is no ${what} "${name}". Did you mean "${near}"?`;
  const among = known.length > 0 && known.length <= MAX_NAMES ? ` among ${known.join(", ")}` : "";
  return `there is no ${what} "${name}"${among}`;
}
