import { formatGrid } from "../../show/text/grid.ts";
import type { LicenceEntry } from "../../storage/store/licence.ts";

const HEADER = ["serial number", "e-mail", "expires", "turbines", "datasets", "keys"];

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
