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
  const duplicate = places.find((place, i) => places.indexOf(place) !== i);
  if (duplicate !== undefined) {
    throw new ArgumentError(
      `Cannot import ${label}: the climate point ${duplicate} is duplicated. Name all files of this point in one source`,
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
  /** Called before each file is read, with its path as the site names it. */
  readonly onFile?: (name: string) => void;
  readonly era5?: FetchEra5 | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whether turbines with unusable data are skipped, as long as at least one is usable. @default {false} */
  readonly partial?: boolean;
}

/**
 * Reads all files that a site names, and stores nothing. Fetches climate last, because that may take hours and a faulty
 * file should fail first.
 *
 * @throws {ArgumentError} If a file is missing or does not match the declaration; the message names the place
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
  for (const reanalysis of fetched.reanalyses) {
    reanalyses.push(await readReanalysis(reanalysis, files, label, notes));
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
  /** The data directory, created if it is missing, or a storage shared by several machines. */
  data: StorageAddress;
  /** Calibrates with all production and chooses the reference period again, even if nothing changed: all months get a new revision. @default {false} */
  recalibrate?: boolean;
  /** Fetches climate for a site that names a source: `era5` of the main module, or a function that calls it with your connection. */
  era5?: FetchEra5;
  /** Stops the import before its next file or turbine, or while workers compute. A stopped import stores nothing. */
  signal?: AbortSignal;
  /** How long to wait for the jobs of a shared storage while no worker is running, ms. The jobs stay in the queue, and the next import waits for them. @default five minutes */
  patience?: number;
}

/** Result of an import. */
export interface ImportAccount {
  /** Name of the site. */
  readonly site: string;
  /** Whether the same declaration and sources were imported before, so there was nothing to do. */
  readonly unchanged: boolean;
  /** Turbines that were not imported, each with a remedy; empty if the import is complete. */
  readonly failures: readonly TurbineFailure[];
  /** Report of the import: notes of the climate sources, missing turbines, the calibration of each turbine, then the summary. */
  readonly text: string;
  /** The end of the text: turbines that were not imported, a line for each other turbine, and problems to check. */
  readonly summary: string;
  /** Sentences about the climate sources and the hours left out; the text has them too. */
  readonly notes: readonly string[];
}

/** First line of the report if the sample's files were imported. */
const SYNTHETIC_IMPORT =
  `${SYNTHETIC}: files of this site have invented figures, so the service marks all figures of ` +
  "this data directory as SYNTHETIC";

const OPTIONS = declareOptions<ImportSiteOptions>()("data! era5 signal patience", {
  recalibrate: false,
});

/** Reads the site and shows progress; `era5()` shows its own while it fetches. */
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

/** How often the site was stored; 0 if the data directory does not exist yet. */
async function readEdition(data: StorageAddress, site: string): Promise<number> {
  if (typeof data === "string" && !await exists(`${data}/${DATABASE}`)) return 0;
  await using storage = await openStorage(data);
  return await sitesOf(storage.store).edition(site);
}

/**
 * Imports a site into a data directory: reads and checks everything, computes calibrations and indices, and stores them
 * in one transaction. If the data of some turbines cannot be used, it imports the others; `failures` lists the failed
 * ones, whose stored figures stay unchanged. Any other failure leaves the stored data unchanged. If another import
 * stores the same site meanwhile, this one starts again from what the other stored.
 *
 * @param site The site, of `defineSite()` or `readSiteFile()`
 * @param options The data directory, whether to calibrate again, the function that fetches climate, and signal
 * @throws {ArgumentError} If climate and declaration do not match, or no turbine can be imported; the message names the
 * place and a remedy
 * @throws {DataFormatError} If a file of the climate, or of the only turbine, is not as declared; the message names file, line and column
 * @throws {VindkitError} As `era5()` does, if climate has to be fetched
 *
 * @example Import the sample's files as if they were yours
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
 * @example Fetch climate from the source that the site names: `"climate": { "source": "cds", "from": "2005" }`
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
  const siteData = await readWithProgress(site, { era5, signal }); // before the directory is created, so a wrong site leaves none behind
  await using storage = await openStorage(data, { create: true }); // stays after a failure, because another import may be filling it
  await using queue = typeof data === "string"
    ? undefined
    : await drawersOf(data).watchJobs(signal, patience);
  using progress = startProgress(`Import of ${siteData.site}`, {
    total: siteData.turbines.length,
    unit: "turbines",
  });
  const result = await storeSite(siteData, storage, {
    recalibrate,
    edition,
    signal,
    ...queue,
    onTurbine: () => progress.advance(),
  });
  const { unchanged, failures } = result;
  const notes = siteData.sourceNotes ?? [];
  const marks = [...(siteData.world === "sample" ? [SYNTHETIC_IMPORT] : []), ...notes];
  const text = [...marks, formatImport(result)].join("\n");
  const summary = unchanged
    ? text
    : [...marks, ...formatSummary([...result.turbines, ...result.kept], failures)].join("\n");
  return { site: siteData.site, unchanged, failures, text, summary, notes };
}
