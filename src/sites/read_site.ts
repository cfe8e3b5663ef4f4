import { ArgumentError } from "../api/errors.ts";
import type { ClimatePoint } from "../windindex/climate/climate.ts";
import { type FetchEra5, fetchReanalyses } from "./fetch_reanalyses.ts";
import { readClimate } from "./read_climate.ts";
import { readTurbineProduction } from "./read_production.ts";
import { readTurbine } from "./read_turbine.ts";
import type { Reanalysis, SiteData } from "./site_data.ts";
import { partsOf, type Site } from "./declaration/site.ts";
import type { SiteReanalysis } from "./declaration/site_reanalysis.ts";
import { SourceFiles } from "./source_files.ts";

async function readReanalysis(
  { dataset, climate: sources, source, shear }: SiteReanalysis,
  files: SourceFiles,
  label: string,
): Promise<Reanalysis> {
  const climate: ClimatePoint[] = [];
  for (const source of sources) climate.push(...await readClimate(source, files));
  const places = climate.map(({ latitude, longitude }) => `${latitude}, ${longitude}`);
  const twice = places.find((place, i) => places.indexOf(place) !== i);
  if (twice !== undefined) {
    throw new ArgumentError(
      `Cannot import ${label}: the climate point ${twice} is duplicated. Name all its files in one source`,
    );
  }
  return {
    dataset: {
      serviceId: dataset.service_id,
      group: "reanalysis",
      type: "time series",
      shortDescription: dataset.short_description,
      longDescription: dataset.long_description,
      url: dataset.url,
      attribution: dataset.attribution,
    },
    climate,
    ...(source?.points === 1 ? { nearest: true } : {}),
    ...(shear ? { shear } : {}),
  };
}

interface ReadSiteOptions {
  /** Called before each of its files, with its path as the site has it. */
  readonly onFile?: (name: string) => void;
  readonly era5?: FetchEra5 | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads everything that a site names; nothing is stored. Climate that has to be fetched is so when all else is read: what
 * is wrong with a file is found before a source is asked, which may take hours.
 *
 * @throws {ArgumentError} If a file is missing, or does not fit the declaration; the message names the place
 * @throws {DataFormatError} If a file is not as declared; the message names file, line and column
 * @throws {VindkitError} As `era5()` does
 */
export async function readSite(
  site: Site,
  { onFile, era5, signal }: ReadSiteOptions = {},
): Promise<SiteData> {
  const { declared, text, label, path, ...where } = partsOf(site, "import a site");
  const files = new SourceFiles(where, onFile);
  const turbines: SiteData["turbines"][number][] = [];
  for (const entry of declared.turbines) {
    const turbine = await readTurbine(entry, files);
    const production = await readTurbineProduction(entry.production, turbine, files);
    turbines.push({ turbine, ...production, exclusions: entry.exclude });
  }
  const fetched = await fetchReanalyses({ declared, label }, era5, signal);
  files.add(fetched.frames);
  const reanalyses: Reanalysis[] = [];
  for (const one of fetched.reanalyses) reanalyses.push(await readReanalysis(one, files, label));
  return {
    site: declared.site,
    fingerprint: files.fingerprint(text),
    siteFile: path,
    world: files.world,
    sourceNotes: fetched.notes,
    reanalyses,
    turbines,
  };
}
