import pl, { type DataFrame } from "nodejs-polars";
import { ArgumentError, DataFormatError } from "../../api/errors.ts";
import { eachContent } from "../../frames/presets/named_files.ts";
import { findChanges, planReading, wantedFiles } from "../../frames/presets/preset_format.ts";
import { ProductionReader } from "../../frames/presets/production_reader.ts";
import type { ProductionFormat } from "../../frames/production/production_format.ts";
import { OPERATION } from "../../frames/production/production.ts";
import { listTexts } from "../../frames/production/filter_rows.ts";
import {
  columnsByTurbine,
  namesByTurbine,
  selectTurbine,
} from "../../frames/production/production_series.ts";
import { type ProductionEntry, toProductionFormat } from "./declaration/production_entry.ts";
import type { SourceFiles } from "./source_files.ts";

/**
 * Reads a production file of a site file for one turbine, as `readProduction()` does.
 *
 * @param entry How the file is declared; of one that turbines share, what is of this turbine is read
 * @param turbineId The turbine
 * @param files Reads the files
 * @throws {DataFormatError} If the file is not as declared, or has no rows; the message names file, line and column
 * @throws {ArgumentError} If the file is missing, or the entry or the file does not name the turbine
 */
export async function readProductionEntry(
  entry: ProductionEntry,
  turbineId: string,
  files: SourceFiles,
): Promise<DataFrame> {
  const { file } = entry;
  const all = toProductionFormat(entry);
  const shared = all.turbines !== undefined && !Array.isArray(all.turbines);
  const named = columnsByTurbine(all) ?? (shared ? namesByTurbine(all) : undefined);
  if (named && !Object.hasOwn(named, turbineId)) {
    throw new ArgumentError(
      `Cannot read ${file}: it is declared for ${listTexts(Object.keys(named))}, and not for ` +
        `"${turbineId}". Name the column or the rows of "${turbineId}"`,
    );
  }
  const frame = shared
    ? (await files.share(entry, () => readFrame(entry, all, files)))
      .filter(pl.col("turbine_id").eq(pl.lit(turbineId)))
    : await readFrame(entry, selectTurbine(all, turbineId)!, files);
  if (frame.height === 0) throw new DataFormatError(`Cannot read ${file}: it has no rows`);
  return dropTurbine(frame, file, turbineId);
}

/** Reads the file of an entry. */
async function readFrame(
  { file, preset }: ProductionEntry,
  how: ProductionFormat,
  files: SourceFiles,
): Promise<DataFrame> {
  const plan = planReading(
    file,
    preset === undefined ? how : { preset, ...findChanges(how, preset) },
  );
  const reader = new ProductionReader(plan, file);
  const bytes = await files.read(file);
  const origin = await files.origin(file, bytes);
  const choice = { wanted: wantedFiles(plan), operation: OPERATION };
  await eachContent({ name: file, bytes, origin }, choice, (one) => reader.add(one));
  return reader.end();
}

/** Drops the column that names the turbine of a row: in a site file the entry belongs to one. */
function dropTurbine(frame: DataFrame, file: string, turbineId: string): DataFrame {
  if (!frame.columns.includes("turbine_id")) return frame;
  const ids = frame.getColumn("turbine_id").unique().sort().toArray() as string[];
  if (ids.length === 1) return frame.drop("turbine_id");
  throw new ArgumentError(
    `Cannot read ${file}: its rows are of several turbines, ${
      listTexts(ids)
    }. Name that which is "${turbineId}": ` +
      `"turbines": [${JSON.stringify(ids[0])}]`,
  );
}
