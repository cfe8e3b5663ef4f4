/** A row of a table of a store. */
export type StoredRow = Readonly<Record<string, unknown>>;
