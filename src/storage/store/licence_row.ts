import type { Licence, NewKey, StoredKey } from "./licence.ts";
import type { StoredRow } from "./stored_row.ts";

/** The row of a licence. Its lists are JSON: they are only read as a whole. */
export function formatLicence({ serialNumber, email, expires, turbines, datasets }: Licence) {
  const format = (list: readonly string[] | null) => list && JSON.stringify(list);
  return {
    serial_number: serialNumber,
    email,
    expires,
    turbines: format(turbines),
    datasets: format(datasets),
  };
}

/** The row of a key. */
export function formatKey({ hash, serialNumber, expires, issued = null, way = null }: NewKey) {
  return { hash, serial_number: serialNumber, expires, issued, way };
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
    issued: row.issued as number | null,
    way: row.way as StoredKey["way"],
  };
}
