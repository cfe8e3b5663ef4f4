import type { DataFrame } from "nodejs-polars";
import { ArgumentError, DataFormatError } from "../../api/errors.ts";
import { eachContent } from "../../frames/presets/named_files.ts";
import { planReading, presetFields, wantedFiles } from "../../frames/presets/preset_format.ts";
import { ProductionReader } from "../../frames/presets/production_reader.ts";
import type { PresetName } from "../../frames/presets/presets.ts";
import type { ProductionFormat } from "../../frames/production/production_format.ts";
import { OPERATION } from "../../frames/production/production.ts";
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
  const { preset } = entry;
  const plan = planReading(
    file,
    preset === undefined ? how : { preset, ...findChanges(how, preset) },
  );
  const reader = new ProductionReader(plan);
  const bytes = await files.read(file);
  const origin = await files.origin(file, bytes);
  const choice = { wanted: wantedFiles(plan), operation: OPERATION };
  await eachContent({ name: file, bytes, origin }, choice, (one) => reader.add(one));
  const frame = reader.end();
  if (frame.height === 0) throw new DataFormatError(`Cannot read ${file}: it has no rows`);
  return dropTurbine(frame, file, turbineId);
}

/** The fields of an entry that differ from its preset. */
function findChanges(how: ProductionFormat, preset: PresetName): Partial<ProductionFormat> {
  const known = presetFields(preset) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(Object.entries(how).filter(([field, value]) => known[field] !== value));
}

/** Drops the column that names the turbine of a row: in a site file the entry belongs to one. */
function dropTurbine(frame: DataFrame, file: string, turbineId: string): DataFrame {
  if (!frame.columns.includes("turbine_id")) return frame;
  const ids = frame.getColumn("turbine_id").unique().sort().toArray() as string[];
  if (ids.length === 1) return frame.drop("turbine_id");
  const found = ids.slice(0, 20).map((id) => JSON.stringify(id)).join(", ");
  throw new ArgumentError(
    `Cannot read ${file}: its rows are of several turbines, ${found}. Name that which is "${turbineId}": ` +
      `"turbines": [${JSON.stringify(ids[0])}]`,
  );
}
