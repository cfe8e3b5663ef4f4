import type { DataFrame } from "nodejs-polars";
import { ArgumentError, DataFormatError } from "../../api/errors.ts";
import { parseProductionFile } from "../../frames/production/production.ts";
import { columnsByTurbine, selectTurbine } from "../../frames/production/production_series.ts";
import { type ProductionEntry, toProductionFormat } from "./declaration/production_entry.ts";
import type { SourceFiles } from "./source_files.ts";

/**
 * Reads a production file of a site file for one turbine, as `readProduction()` does.
 *
 * @param entry How the file is declared; where it has a column for each turbine, that of the turbine is read
 * @param turbineId The turbine
 * @param files Reads the files
 * @throws {DataFormatError} If the file is not as declared, or has no rows; the message names file, line and column
 * @throws {ArgumentError} If the file is missing, or has no column for the turbine
 */
export async function readProductionEntry(
  entry: ProductionEntry,
  turbineId: string,
  files: SourceFiles,
): Promise<DataFrame> {
  const { file } = entry;
  const all = toProductionFormat(entry);
  const how = selectTurbine(all, turbineId);
  if (!how) {
    const named = Object.keys(columnsByTurbine(all) ?? {}).map((id) => `"${id}"`).join(", ");
    throw new ArgumentError(
      `Cannot read ${file}: its columns are of ${named}; a column of "${turbineId}" is missing. Name its column`,
    );
  }
  const bytes = await files.read(file);
  const frame = await parseProductionFile(bytes, file, how, await files.origin(file, bytes));
  if (frame.height === 0) throw new DataFormatError(`Cannot read ${file}: it has no rows`);
  return frame;
}
