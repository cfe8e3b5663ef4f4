import { formatGrid } from "../../show/text/plain_text.ts";
import type { LicenceEntry, StoredKey } from "../../storage/store/licences.ts";

const HEADER = ["serial number", "e-mail", "expires", "turbines", "datasets", "keys"];

/** Characters of a hash that name a key among many. */
const NAME_LENGTH = 12;

function formatNames(list: readonly string[] | null): string {
  if (list === null) return "all";
  return list.length === 0 ? "none" : list.join(", ");
}

/**
 * Licences as a table in plain text, for a terminal.
 *
 * @param entries The licences
 */
export function licenceTable(entries: readonly LicenceEntry[]): string {
  const rows = entries.map(({ licence, keys }) => [
    licence.serialNumber,
    licence.email || "-",
    licence.expires ?? "never",
    formatNames(licence.turbines),
    formatNames(licence.datasets),
    String(keys),
  ]);
  return formatGrid([HEADER, ...rows]);
}

/** Keys as a table in plain text, for a terminal; each is named by the beginning of its hash. */
export function keyTable(keys: readonly StoredKey[]): string {
  const rows = keys.map(({ hash, issued, expires, way }) => [
    hash.slice(0, NAME_LENGTH),
    issued === null ? "-" : new Date(issued).toISOString().slice(0, 19) + "Z",
    expires ?? "with licence",
    way ?? "-",
  ]);
  return formatGrid([["key", "issued", "ends", "by"], ...rows]);
}
