import type { Licence, StoredKey } from "./licence.ts";
import type { StoredRow } from "./stored_row.ts";

/** Formats a list as JSON: it is only read as a whole. */
export function formatNames(list: readonly string[] | null): string | null {
  return list && JSON.stringify(list);
}

/** A licence from its row. */
export function toLicence(row: StoredRow): Licence {
  const list = (value: unknown) => value === null ? null : JSON.parse(value as string);
  return {
    serialNumber: row.serial_number as string,
    email: row.email as string,
    expires: row.expires as string | null,
    turbines: list(row.turbines),
    datasets: list(row.datasets),
  };
}

/** A key from its row. */
export function toKey(row: StoredRow): StoredKey {
  return {
    hash: row.hash as string,
    serialNumber: row.serial_number as string,
    expires: row.expires as string | null,
  };
}
