import type { Files } from "../storage/files/files.ts";
import type { Storage } from "../storage/storage.ts";
import { removeOrphanFiles, renewReplaced } from "../storage/files/orphan_files.ts";
import type { RevisedMonths, SiteRecord } from "../storage/store/site_record.ts";
import type { Store } from "../storage/store/store.ts";
import { assembleSite, buildTurbineRecords } from "./assemble_site.ts";
import { type ComputeOptions, computeSite } from "./compute_site.ts";
import type { ImportedTurbine } from "./compute_turbine.ts";
import type { KeptTurbine } from "./kept_turbine.ts";
import { Neighbourhood } from "./neighbour_production.ts";
import { planSite } from "./plan_site.ts";
import type { SiteData } from "./site_data.ts";
import { type ChunkLimits, splitSite } from "./split_site.ts";
import { storePoints } from "./store_points.ts";

/** Options of {@linkcode storeSite}. */
export interface StoreSiteOptions extends ComputeOptions {
  /** Calibrates and chooses the reference period again, also where nothing changed. @default {false} */
  readonly recalibrate?: boolean | undefined;
  /** Edition of the stored site before the data were read. @default that of now */
  readonly edition?: number;
  /** How large the chunks are in which it is computed. @default 50 turbines, 128 MB */
  readonly limits?: ChunkLimits;
}

/** Result of an import. */
export interface ImportResult {
  readonly site: string;
  /** Whether the same declaration and sources were imported before: then nothing was done. */
  readonly unchanged: boolean;
  /** The turbines as computed; empty where nothing was done. */
  readonly turbines: readonly ImportedTurbine[];
  /** Those whose inputs are unchanged: they stay as they are stored. */
  readonly kept: readonly KeptTurbine[];
  /** Published months whose figures changed, by turbine. */
  readonly revised: ReadonlyMap<string, RevisedMonths>;
}

/** Whether no file of a site is missing or damaged: a damaged one is stored anew by an import, also of the same data. */
async function areFilesSound(site: string, { sites }: Store, files: Files): Promise<boolean> {
  for (const { name } of await sites.files(site)) if (!await files.isSound(name)) return false;
  return true;
}

/** Files that no row of a site will name any more. */
async function listReplaced(
  site: string,
  named: ReadonlySet<string>,
  kept: readonly KeptTurbine[],
  { sites }: Store,
): Promise<Set<string>> {
  const before = new Set((await sites.files(site)).map(({ name }) => name));
  return before.difference(named).difference(new Set(kept.map(({ modelFile }) => modelFile)));
}

function listFiles({ points, turbines }: SiteRecord): Set<string> {
  const models = turbines.flatMap(({ stored: { modelFile } }) => modelFile ?? []);
  return new Set([...points.map(({ file }) => file), ...models]);
}

/**
 * Computes a site and stores all of it or, if anything fails, nothing. Only turbines whose inputs changed are computed, in
 * chunks.
 *
 * @throws {ArgumentError} If figures cannot be computed, a turbine belongs to another site, or invented figures would be
 * stored beside real ones
 * @throws {SiteChangedError} If another import has stored the site since that edition: the data are to be read again
 */
export async function storeSite(
  data: SiteData,
  { store, files }: Storage,
  options: StoreSiteOptions = {},
): Promise<ImportResult> {
  const { site, fingerprint, siteFile, world } = data;
  const { recalibrate = false, limits, signal, onTurbine } = options;
  const edition = options.edition ?? await store.sites.edition(site);
  const known = !recalibrate && await store.sites.fingerprint(site) === fingerprint;
  if (known && await store.world() === world && await areFilesSound(site, store, files)) {
    await store.sites.setSiteFile(site, siteFile); // the same files may have been moved
    return { site, unchanged: true, turbines: [], kept: [], revised: new Map() };
  }
  await removeOrphanFiles(store, files);
  await using staged = files.stage();
  const neighbours = new Neighbourhood(data);
  const plan = await planSite(data, neighbours, store.sites, files, { recalibrate, signal });
  const { kept } = plan;
  for (const _ of kept) onTurbine?.();
  const chunks = splitSite(data, neighbours, plan.earlier, limits);
  const computed = await computeSite(chunks, files, staged, options);
  const turbines = await assembleSite(data.turbines, plan, computed, store.sites);
  const points = await storePoints(data, staged);
  await staged.commit();
  const record: SiteRecord = {
    site,
    fingerprint,
    siteFile,
    world,
    datasets: data.reanalyses.map(({ dataset }) => dataset),
    points,
    turbines: buildTurbineRecords(turbines, plan.inputs),
    keptTurbines: kept.map(({ turbine }) => turbine.id),
  };
  const named = listFiles(record);
  await renewReplaced(await listReplaced(site, named, kept, store), files);
  await files.assertPresent(named); // renews the old ones, which would keep the transaction waiting
  const revised = await store.transaction(async ({ sites }) => {
    const months = await sites.put(record, edition);
    await files.assertPresent(named); // after they are named, so that nobody removes them
    return months;
  });
  return { site, unchanged: false, turbines, kept, revised };
}
