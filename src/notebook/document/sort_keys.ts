/** Sorts the keys of all objects in a JSON value, as Jupyter does: equal values give equal texts. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1)
      .map(([key, entry]) => [key, sortKeys(entry)]),
  );
}
