/** A JSON value with the keys of all its objects in order, as Jupyter writes them: the same value is the same text. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1)
      .map(([key, entry]) => [key, sortKeys(entry)]),
  );
}
