import pl, { type DataFrame } from "nodejs-polars";
import { ArgumentError } from "../api/errors.ts";
import { refuseFile } from "../frames/files/read_file.ts";
import { findChanges, planReading, wantedFiles } from "../frames/presets/preset_format.ts";
import { openProduction } from "../frames/presets/read_production.ts";
import {
  columnsByTurbine,
  namesByTurbine,
  type ProductionFormat,
} from "../frames/production/production_format.ts";
import { listTexts } from "../frames/production/filter_rows.ts";
import {
  nameFiles,
  type ProductionEntry,
  toProductionFormat,
} from "./declaration/production_entry.ts";
import type { SourceFiles } from "./source_files.ts";

/**
 * Reads a production entry of a site file for one turbine, as `readProduction()` does.
 *
 * @param entry The files and how they are declared; those that turbines share are read for the first of them
 * @throws {DataFormatError} If a file is not as declared, or has no rows; the message names file, line and column
 * @throws {ArgumentError} If a file is missing, or the entry or the files do not name the turbine
 */
export async function readProductionEntry(
  entry: ProductionEntry,
  turbineId: string,
  files: SourceFiles,
): Promise<DataFrame> {
  const file = nameFiles(entry);
  const how = toProductionFormat(entry);
  const named = columnsByTurbine(how) ??
    (Array.isArray(how.turbines) ? undefined : namesByTurbine(how));
  if (named && !Object.hasOwn(named, turbineId)) {
    throw new ArgumentError(
      `Cannot read ${file}: it is declared for ${listTexts(Object.keys(named))}, and not for ` +
        `"${turbineId}". Name the column or the rows of "${turbineId}"`,
    );
  }
  const frame = named
    ? (await files.share(entry, () => readFrame(entry, how, files)))
      .filter(pl.col("turbine_id").eq(pl.lit(turbineId)))
    : await readFrame(entry, how, files);
  if (frame.height === 0) refuseFile(file, "it has no rows");
  return dropTurbine(frame, file, turbineId);
}

async function readFrame(
  entry: ProductionEntry,
  how: ProductionFormat,
  files: SourceFiles,
): Promise<DataFrame> {
  const { file, preset } = entry;
  const name = nameFiles(entry);
  const plan = planReading(
    name,
    preset === undefined ? how : { preset, ...findChanges(how, preset) },
  );
  const reader = openProduction(plan, name);
  await files.eachProduction(file, wantedFiles(plan), (one) => reader.add(one));
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
