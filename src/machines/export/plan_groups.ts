/**
 * Groups the turbines of an export in the order of their identifiers. The bounds between the groups of an earlier export
 * stay, so that a new turbine changes its own group alone; a group that has grown too large is divided evenly.
 *
 * @param firsts First identifier of each group of the earlier export, in order; empty without one
 * @param size Largest number of turbines in a group
 */
export function planGroups(
  ids: readonly string[],
  firsts: readonly string[],
  size: number,
): string[][] {
  const sorted = ids.toSorted(); // by code, whatever the order of the store
  const bounds = firsts.slice(1).map((first) => {
    const position = sorted.findIndex((id) => id >= first);
    return position === -1 ? sorted.length : position;
  });
  return [0, ...bounds].flatMap((begin, i) =>
    divideEvenly(sorted.slice(begin, bounds[i] ?? sorted.length), size)
  );
}

/** Divides a list into as few parts as its size needs, of nearly equal length; none if it is empty. */
function divideEvenly(list: readonly string[], size: number): string[][] {
  const parts = Math.ceil(list.length / size);
  const bound = (part: number) => Math.round(part * list.length / parts);
  return Array.from({ length: parts }, (_, part) => list.slice(bound(part), bound(part + 1)));
}
