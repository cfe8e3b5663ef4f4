import type { DataFrame } from "nodejs-polars";
import { productionOf } from "../../frames/production.ts";
import { parseSiteFile } from "./site_file.ts";
import { formatOfProduction } from "./read_production.ts";
import { SourceFiles } from "./source_files.ts";

/** Production of a turbine as its site file declares it, by one unit. */
export interface SiteProduction {
  /** Identifier of the turbine. */
  readonly turbineId: string;
  /** Frame of `time` and `power` (kW), or of `month` or `year` and `energy` (MWh). */
  readonly frame: DataFrame;
}

/**
 * Reads the production that a site file names, and nothing else of it.
 *
 * @param path Path of the site file
 * @throws {ArgumentError} If it is no site file, or a file it names is missing
 * @throws {DataFormatError} If a file is not as declared; the message names file, line and column
 */
export async function readSiteProduction(path: string): Promise<SiteProduction[]> {
  const declared = parseSiteFile(await Deno.readTextFile(path), path);
  const files = new SourceFiles(path);
  const read: SiteProduction[] = [];
  for (const { id, units, production } of declared.turbines) {
    for (const entry of production) {
      const frame = productionOf(
        await files.read(entry.file),
        entry.file,
        formatOfProduction(entry),
      );
      const [time, value] = frame.columns;
      const perUnit = frame.withColumn(frame.getColumn(value).divideBy(units).rename(value));
      read.push({ turbineId: id, frame: perUnit.select(time, value) });
    }
  }
  return read;
}
