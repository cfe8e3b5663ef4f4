import type { ExportName, ExportTable } from "./export_table.ts";
import { hoursTable } from "./hours_table.ts";
import { indicesTable } from "./indices_table.ts";

/** The tables that can be exported, by their names. */
export const exportTables: Readonly<Record<ExportName, ExportTable>> = {
  indices: indicesTable,
  hours: hoursTable,
};

/** Names of the tables that can be exported. */
export const EXPORT_NAMES: readonly string[] = Object.keys(exportTables);

/** Whether a word names a table. */
export function isExportName(word: unknown): word is ExportName {
  return EXPORT_NAMES.includes(word as string);
}
