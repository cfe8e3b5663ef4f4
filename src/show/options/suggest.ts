/** Largest distance of a suggestion, as a share of the length of the given name. */
const MAX_DISTANCE_SHARE = 1 / 3;

/** Shortest prefix that suggests a name, characters. */
const MIN_PREFIX = 3;

/**
 * Finds the known name that a misspelt one probably means, for messages.
 *
 * @param given The misspelt name; case is ignored
 * @param known The valid names
 * @returns The nearest name by insertions, deletions, replacements and swaps of neighbours, or one with the same prefix;
 * `undefined` if no name is near
 */
export function suggestName(given: string, known: readonly string[]): string | undefined {
  const lower = given.toLowerCase();
  let nearest = lower.length < MIN_PREFIX
    ? undefined
    : known.find((name) => name.toLowerCase().startsWith(lower));
  let least = Math.max(1, Math.floor(given.length * MAX_DISTANCE_SHARE)) + 1;
  for (const name of known) {
    const edits = editDistance(lower, name.toLowerCase());
    if (edits < least) [nearest, least] = [name, edits];
  }
  return nearest;
}

/** Edits from one text to the other, by the restricted distance of Damerau and Levenshtein. */
function editDistance(from: string, to: string): number {
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, j) => j);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1];
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1));
      if (j > 1 && i > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) {
        row[j] = Math.min(row[j], before[j - 2] + 1);
      }
    }
    [before, last] = [last, row];
  }
  return last[to.length];
}
