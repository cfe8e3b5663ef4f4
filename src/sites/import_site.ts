import { describeValue } from "../api/error_text.ts";
import { ArgumentError } from "../api/errors.ts";
import { SYNTHETIC } from "../api/world.ts";
import { exists } from "../disk/files.ts";
import { declareOptions, readOptions } from "../show/options/read_options.ts";
import { startProgress } from "../show/progress.ts";
import { DATABASE } from "../storage/data_directory.ts";
import { drawersOf, openStorage, type StorageAddress } from "../storage/storage.ts";
import type { ClimatePoint } from "../windindex/climate/climate.ts";
import { partsOf, type Site } from "./declaration/site.ts";
import type { SiteReanalysis } from "./declaration/site_file.ts";
import { type FetchEra5, fetchReanalyses } from "./climate/fetch_reanalyses.ts";
import { formatImport, formatSummary } from "./fleet/format_import.ts";
import { retryChanged } from "./keep/put_site.ts";
import { sitesOf } from "./keep/sites.ts";
import { readClimate } from "./climate/read_climate.ts";
import { readTurbineProduction } from "./production/read_production.ts";
import { readTurbine } from "./power_curves/read_turbine.ts";
import {
  type Reanalysis,
  refuseAll,
  type SiteData,
  toFailure,
  type TurbineFailure,
} from "./site_data.ts";
import { SourceFiles } from "./source_files.ts";
import { storeSite } from "./fleet/store_site.ts";

async function readReanalysis(
  { dataset, climate: sources, source, shear }: SiteReanalysis,
  files: SourceFiles,
  label: string,
  notes: string[],
): Promise<Reanalysis> {
  const climate: ClimatePoint[] = [];
  for (const source of sources) climate.push(...await readClimate(source, files, notes));
  const places = climate.map(({ latitude, longitude }) => `${latitude}, ${longitude}`);
  const twice = places.find((place, i) => places.indexOf(place) !== i);
  if (twice !== undefined) {
    throw new ArgumentError(
      `Cannot import ${label}: the climate point ${twice} is duplicated. Name all files of this point in one source`,
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
    nearest: source?.points === 1,
    shear,
  };
}

interface ReadSiteOptions {
  /** Called before each of its files, with its path as the site has it. */
  readonly onFile?: (name: string) => void;
  readonly era5?: FetchEra5 | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whether the site is read without the turbines whose data cannot be used, as long as one can. @default {false} */
  readonly partial?: boolean;
}

/**
 * Reads everything that a site names; nothing is stored. Climate is fetched last, since that may take hours: a fault in
 * a file is found first.
 *
 * @throws {ArgumentError} If a file is missing, or does not fit the declaration; the message names the place
 * @throws {DataFormatError} If a file is not as declared; the message names file, line and column
 * @throws {VindkitError} As `era5()` does
 */
export async function readSite(
  site: Site,
  { onFile, era5, signal, partial = false }: ReadSiteOptions = {},
): Promise<SiteData> {
  const { declared, text, label, path, ...where } = partsOf(site, "import a site");
  const files = new SourceFiles(where, onFile);
  const turbines: SiteData["turbines"][number][] = [];
  const failures: NonNullable<SiteData["failures"]>[number][] = [];
  for (const entry of declared.turbines) {
    try {
      const turbine = await readTurbine(entry, files);
      const production = await readTurbineProduction(entry.production, turbine, files);
      const located = entry.location_index ? { locationIndex: true } : {};
      turbines.push({ turbine, ...production, exclusions: entry.exclude, ...located });
    } catch (error) {
      if (!partial || declared.turbines.length === 1) throw error;
      const { latitude, longitude } = entry;
      failures.push({ ...toFailure(entry.id, error), latitude, longitude });
    }
  }
  if (turbines.length === 0) refuseAll(declared.site, failures);
  const fetched = await fetchReanalyses({ declared, label }, era5, signal);
  files.add(fetched.frames);
  const reanalyses: Reanalysis[] = [];
  const notes = [...fetched.notes];
  for (const one of fetched.reanalyses) {
    reanalyses.push(await readReanalysis(one, files, label, notes));
  }
  return {
    site: declared.site,
    fingerprint: files.fingerprint(text),
    siteFile: path,
    world: files.world,
    sourceNotes: notes,
    reanalyses,
    turbines,
    failures,
  };
}

/** Options of {@linkcode importSite}. */
export interface ImportSiteOptions {
  /** The data directory, created where it is missing, or what machines share. */
  data: StorageAddress;
  /** Calibrates with all production and chooses the reference period again, also where nothing changed: all months get a revision. @default {false} */
  recalibrate?: boolean;
  /** Gets the climate of a site that names its source: `era5` of the main module, or a function that calls it with a connection of your own. */
  era5?: FetchEra5;
  /** Stops the import before its next file or turbine, or while workers compute; nothing is stored then. */
  signal?: AbortSignal;
  /** How long it waits for the jobs of a shared storage while no worker works, ms: they stay in the queue, and the next import waits for the same. @default five minutes */
  patience?: number;
}

/** Result of an import. */
export interface ImportAccount {
  /** Name of the site. */
  readonly site: string;
  /** Whether the same declaration and sources were imported before: then nothing was done. */
  readonly unchanged: boolean;
  /** Turbines that were not imported, each with what to do; empty if the import is complete. */
  readonly failures: readonly TurbineFailure[];
  /** The import in lines for a person: what a source of climate says; whether turbines are missing; how each turbine was calibrated; then the summary. */
  readonly text: string;
  /** The end of the text: turbines that were not imported, a line for each other one, and what must be looked at. */
  readonly summary: string;
  /** What the sources of its climate say, and what of it was left out, in sentences; the text has them too. */
  readonly notes: readonly string[];
}

/** First line of an import of the sample's own files. */
const SYNTHETIC_IMPORT =
  `${SYNTHETIC}: files of this site have invented figures, so the service marks all figures of ` +
  "this data directory as SYNTHETIC";

const OPTIONS = declareOptions<ImportSiteOptions>()("data! era5 signal patience", {
  recalibrate: false,
});

/** Reads the site, with progress; that of `era5()` takes the place of ours. */
async function readWithProgress(
  site: Site,
  { era5, signal }: Pick<ImportSiteOptions, "era5" | "signal">,
): Promise<SiteData> {
  using progress = startProgress("Reading files");
  const fetch: FetchEra5 = async (options) => {
    progress.end();
    return await era5!(options);
  };
  return await readSite(site, {
    onFile: (name) => {
      signal?.throwIfAborted();
      progress.say(name);
    },
    era5: era5 && fetch,
    signal,
    partial: true,
  });
}

/** How often a site was stored; a data directory need not be there yet. */
async function readEdition(data: StorageAddress, site: string): Promise<number> {
  if (typeof data === "string" && !await exists(`${data}/${DATABASE}`)) return 0;
  await using storage = await openStorage(data);
  return await sitesOf(storage.store).edition(site);
}

/**
 * Imports a site into a data directory: reads and checks everything, computes calibrations and indices, and stores them
 * in one transaction. If the data of some turbines cannot be used, the others are imported and `failures` has the
 * rest, which stay as they were stored before. Anything else that fails leaves all as it was. If another import stores
 * the same site meanwhile, it begins anew: each sees what the one before it has stored.
 *
 * @param site The site, of `defineSite()` or `readSiteFile()`
 * @param options The data directory, whether to calibrate again, what gets climate from its source, and signal
 * @throws {ArgumentError} If climate and declaration do not fit, or no turbine can be imported; the message names the place and what to do
 * @throws {DataFormatError} If a file of the climate, or of the only turbine, is not as declared; the message names file, line and column
 * @throws {VindkitError} As `era5()` does, where climate has to be fetched
 *
 * @example The sample's own files as if they were yours
 * ```ts
 * import { connect, exampleFile, monthlyIndices } from "@vindkit/vindkit";
 * import { importSite, readSiteFile } from "@vindkit/vindkit/sites";
 * import { assert } from "@std/assert";
 *
 * const data = await Deno.makeTempDir();
 * const site = await readSiteFile(await exampleFile("site.json"));
 * const account = await importSite(site, { data });
 * console.log(account.text);
 *
 * await using connection = connect({ data });
 * assert((await monthlyIndices("E1", { connection })).height >= 240);
 * ```
 *
 * @example Climate from its source, which the site names: `"climate": { "source": "cds", "from": "2005" }`
 * ```ts ignore
 * import { era5 } from "@vindkit/vindkit";
 * import { importSite, readSiteFile } from "@vindkit/vindkit/sites";
 *
 * await importSite(await readSiteFile("site.json"), { data: "data", era5 });
 * ```
 */
export async function importSite(
  site: Site,
  options: ImportSiteOptions,
): Promise<ImportAccount> {
  const chosen = readOptions("importSite()", options, OPTIONS);
  const { era5 } = chosen;
  if (era5 !== undefined && typeof era5 !== "function") {
    throw new ArgumentError(
      `Cannot import a site: era5 is ${
        describeValue(era5)
      }, not a function. Give the function era5 of ` +
        "@vindkit/vindkit: { data, era5 }",
    );
  }
  const isShared = typeof chosen.data === "object";
  return await retryChanged(() => readAndStore(site, chosen), isShared, chosen.signal);
}

async function readAndStore(site: Site, options: ImportSiteOptions): Promise<ImportAccount> {
  const { data, recalibrate, era5, signal, patience } = options;
  const edition = await readEdition(data, partsOf(site, "import a site").declared.site);
  const read = await readWithProgress(site, { era5, signal }); // first: a wrong site leaves no directory behind
  await using storage = await openStorage(data, { create: true }); // a directory stays, as another import may be filling it
  await using queue = typeof data === "string"
    ? undefined
    : await drawersOf(data).watchJobs(signal, patience);
  using progress = startProgress(`Import of ${read.site}`, {
    total: read.turbines.length,
    unit: "turbines",
  });
  const result = await storeSite(read, storage, {
    recalibrate,
    edition,
    signal,
    ...queue,
    onTurbine: () => progress.advance(),
  });
  const { unchanged, failures } = result;
  const notes = read.sourceNotes ?? [];
  const marks = [...(read.world === "sample" ? [SYNTHETIC_IMPORT] : []), ...notes];
  const text = [...marks, formatImport(result)].join("\n");
  const summary = unchanged
    ? text
    : [...marks, ...formatSummary([...result.turbines, ...result.kept], failures)].join("\n");
  return { site: read.site, unchanged, failures, text, summary, notes };
}
