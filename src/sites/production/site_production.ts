import pl, { type DataFrame } from "nodejs-polars";
import { ArgumentError } from "../../api/errors.ts";
import type { Ownership } from "../../frames/ownership.ts";
import { isStep } from "../../frames/production/production_columns.ts";
import { toHours } from "../../frames/production/to_hours.ts";
import { toMonths } from "../../frames/production/to_months.ts";
import { withProvenance } from "../../frames/origin/provenance.ts";
import { partsOf, type Site } from "../declaration/site.ts";
import type { SiteTurbine } from "../declaration/site_file.ts";
import { readProductionEntry } from "./read_production.ts";
import { type Exclusion, toFailure, type TurbineFailure } from "../site_data.ts";
import { SourceFiles } from "../source_files.ts";

/** Production of a turbine as declared by its site, per unit. */
export interface SiteProduction {
  /** Identifier of the turbine. */
  readonly turbineId: string;
  /** Frame of `time` and `power` (kW), or of `month` or `year` and `energy` (MWh), with the other declared columns. */
  readonly frame: DataFrame;
  /** Days that the site excludes; they are still in the frame. */
  readonly exclusions: readonly Exclusion[];
}

/** Divides the production of a park by its units; status and availability stay those of the park. */
function divideByUnits(frame: DataFrame, units: number): DataFrame {
  if (units === 1) return frame;
  const values = frame.columns.filter((name, i) => i === 1 || name === "limit");
  return frame.withColumns(...values.map((name) => pl.col(name).div(pl.lit(units)).alias(name)));
}

/**
 * Reads the production of a site's turbines, and the days that the site excludes.
 *
 * @param site The site, of `defineSite()` or `readSiteFile()`
 * @throws {ArgumentError} If a file is missing
 * @throws {DataFormatError} If a file is not as declared; the message names file, line and column
 */
export async function readSiteProduction(site: Site): Promise<SiteProduction[]> {
  return await readEach(site, (_, error) => {
    throw error;
  });
}

/**
 * Reads the production of a site's turbines, and reports turbines that cannot be read.
 *
 * @param site The site, of `defineSite()` or `readSiteFile()`
 * @returns Production, and the failures of turbines that cannot be read
 */
export async function readFleetProduction(
  site: Site,
): Promise<{ production: SiteProduction[]; failures: TurbineFailure[] }> {
  const failures: TurbineFailure[] = [];
  const production = await readEach(site, (id, error) => failures.push(toFailure(id, error)));
  return { production, failures };
}

async function readEach(
  site: Site,
  onError: (id: string, error: unknown) => void,
): Promise<SiteProduction[]> {
  const { declared, ...where } = partsOf(site, "read the production of a site");
  const files = new SourceFiles(where);
  const read: SiteProduction[] = [];
  for (const turbine of declared.turbines) {
    try {
      const frame = await readTurbineFrame(turbine, files);
      if (frame) read.push({ turbineId: turbine.id, frame, exclusions: turbine.exclude });
    } catch (error) {
      onError(turbine.id, error);
    }
  }
  return read;
}

/** Reads the production of a turbine; `undefined` without any. */
async function readTurbineFrame(
  { id, units, production }: SiteTurbine,
  files: SourceFiles,
): Promise<DataFrame | undefined> {
  const frames: DataFrame[] = [];
  const resolutions = new Set(production.map(({ resolution }) => resolution));
  for (const entry of production) {
    const frame = divideByUnits(await readProductionEntry(entry, id, files), units);
    // Steps shorter than an hour, joined with others, would give a series with two time steps.
    const { resolution } = entry;
    const fine = isStep(resolution) && resolution !== "hour" && resolutions.size > 1;
    frames.push(fine ? toHours(frame) : resolution === "day" ? toMonths(frame) : frame);
  }
  if (frames.some((frame) => frame.columns[0] !== frames[0].columns[0])) {
    throw new ArgumentError(
      `Cannot compare the production of ${id}: its files have different resolutions. Name files of one resolution`,
    );
  }
  const [first, ...others] = frames;
  if (others.length === 0) return first;
  const all = pl.concat(frames, { how: "diagonal" }).sort(first.columns[0]);
  return withProvenance(all, first, ...others);
}

/**
 * Reads the owners of a site's turbines.
 *
 * @param site The site, of `defineSite()` or `readSiteFile()`
 * @returns Owners by turbine, for `share` of `makeFleetReport()` and `summarizeFleet()`
 *
 * @example
 * ```ts
 * import { exampleFile } from "@vindkit/vindkit";
 * import { readOwnership, readSiteFile } from "@vindkit/vindkit/sites";
 * import { assertEquals } from "@std/assert";
 *
 * const ownership = readOwnership(await readSiteFile(await exampleFile("site.json"))); assertEquals(ownership.size, 0);
 * // the sample names no owners
 * ```
 */
export function readOwnership(site: Site): Map<string, readonly Ownership[]> {
  const { turbines } = partsOf(site, "read the ownership of a site").declared;
  return new Map(turbines.flatMap(({ id, ownership }) => ownership ? [[id, ownership]] : []));
}

/** Reads the days that a site excludes, by turbine. */
export function readExclusions(site: Site): Map<string, readonly Exclusion[]> {
  const { turbines } = partsOf(site, "read the excluded days of a site").declared;
  return new Map(turbines.map(({ id, exclude }) => [id, exclude]));
}
