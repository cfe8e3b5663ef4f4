import type { DataFrame } from "nodejs-polars";
import { VindkitError } from "../api/errors.ts";
import { listCoveredTurbines, LOCAL_LICENCE } from "../service/mod.ts";
import { readSiteFile, readSiteProduction, type Sites, type StoredTurbine } from "../sites/mod.ts";

/** All stored turbines, without those that another process deletes meanwhile. */
export async function readTurbines(sites: Sites): Promise<readonly StoredTurbine[]> {
  const turbines: StoredTurbine[] = [];
  for await (const ids of listCoveredTurbines(LOCAL_LICENCE, sites)) {
    turbines.push(...await sites.turbines(ids));
  }
  return turbines;
}

/** Production by turbine: frames, or why there is none. */
export type Productions = ReadonlyMap<string, DataFrame | string>;

/** The production of a site file by turbine. */
export async function readProductions(path: string): Promise<Productions> {
  const site = await readSiteProduction(await readSiteFile(path));
  return new Map(site.map(({ turbineId, frame }) => [turbineId, frame]));
}

/** The same for a report: of annual production why it is not in it. */
export function keepMonths(productions: Productions): Productions {
  const reason = "it is of whole years, and a report compares months";
  return new Map(
    [...productions].map(([id, one]) =>
      [id, typeof one !== "string" && one.columns.includes("year") ? reason : one] as const
    ),
  );
}

/**
 * Reads the production that the stored sites name, by turbine. If the production of a site cannot be read, its turbines
 * with production get the reason instead.
 *
 * @param turbines All turbines
 * @param failures What was thrown, by the site that is known to fail
 */
export async function readStoredProductions(
  sites: Sites,
  turbines: readonly StoredTurbine[],
  failures: ReadonlyMap<string, unknown> = new Map(),
): Promise<Productions> {
  const productions = new Map<string, DataFrame | string>();
  const failed = new Map(failures);
  for (const [site, path] of await sites.siteFiles()) {
    if (path === undefined || failed.has(site)) continue;
    try {
      for (const [id, frame] of await readProductions(path)) productions.set(id, frame);
    } catch (error) {
      if (!(error instanceof VindkitError)) throw error;
      failed.set(site, error);
    }
  }
  for (const { turbine: { id }, site, production } of turbines) {
    if (failed.has(site) && production) productions.set(id, (failed.get(site) as Error).message);
  }
  return productions;
}
