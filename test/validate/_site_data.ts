import { readSite } from "../../src/service/import/read_site.ts";
import type { SiteData } from "../../src/service/import/site_data.ts";
import { computeSiteClimate } from "../../src/windindex/climate/site_climate.ts";
import {
  computeHubConditions,
  type HubConditions,
} from "../../src/windindex/turbine/hub_conditions.ts";
import type { Turbine } from "../../src/windindex/turbine/turbine.ts";

/** Folder of the real sites, which are not part of the project. */
const DATA = new URL("../../../shared/data/", import.meta.url);

/** Whether the real sites are here. */
export function dataPresent(): boolean {
  try {
    return Deno.statSync(DATA).isDirectory;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/**
 * Reads a real site by its site file.
 *
 * @param name Name of the site file
 * @throws {Error} If the data are not here
 */
export async function siteData(name: "kelmarsh" | "horns_rev"): Promise<SiteData> {
  if (!dataPresent()) {
    throw new Error(`Cannot validate: the real sites are not here, ${DATA.pathname} is missing`);
  }
  return await readSite(new URL(`../sites/${name}.json`, import.meta.url).pathname);
}

/**
 * Computes the climate at the hub of a turbine, from the usual reanalysis of its site.
 *
 * @param data The site
 * @param turbine The turbine
 */
export function computeHub({ reanalyses: [usual] }: SiteData, turbine: Turbine): HubConditions {
  return computeHubConditions(computeSiteClimate(usual.climate, turbine), turbine, usual.shear);
}
