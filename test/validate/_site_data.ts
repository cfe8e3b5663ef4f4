import { parse } from "@std/csv";
import { readSiteFile } from "../../src/sites/declaration/site.ts";
import { readSite } from "../../src/sites/import_site.ts";
import type { HubReanalysis } from "../../src/sites/calibration/fit_reanalyses.ts";
import { Neighbourhood } from "../../src/sites/production/neighbour_production.ts";
import type { SiteData } from "../../src/sites/site_data.ts";
import { checkProduction } from "../../src/sites/production/training_inputs.ts";
import type { HourlyProduction } from "../../src/windindex/calibration/production.ts";
import { computeSiteClimate } from "../../src/windindex/climate/site_climate.ts";
import {
  computeHubConditions,
  type HubConditions,
} from "../../src/windindex/turbine/hub_conditions.ts";
import type { Turbine } from "../../src/windindex/turbine/turbine.ts";

/** Folder of the real sites, which are not part of the project. */
const DATA = new URL("../../../shared/data/", import.meta.url);

/** Names of the site files. */
export type SiteName = "kelmarsh" | "horns_rev" | "la_haute_borne";

/** Whether the data of the real sites are present. */
export function dataPresent(): boolean {
  try {
    return Deno.statSync(DATA).isDirectory;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/**
 * Reads the fields of a CSV file of the real data.
 *
 * @param name Its path below their folder
 */
export async function readRows(name: string): Promise<string[][]> {
  return parse(await Deno.readTextFile(new URL(name, DATA)));
}

const known = new Map<SiteName, Promise<SiteData>>();

/**
 * Reads a real site by its site file, once per process.
 *
 * @param name Name of the site file
 * @throws {Error} If the data are missing
 */
export async function siteData(name: SiteName): Promise<SiteData> {
  if (!dataPresent()) {
    throw new Error(`Cannot validate: the real sites are not here, ${DATA.pathname} is missing`);
  }
  const data = known.get(name) ??
    readSite(await readSiteFile(new URL(`../sites/${name}.json`, import.meta.url).pathname));
  known.set(name, data);
  return await data;
}

/**
 * Computes the climate at the hub of a turbine, from the usual reanalysis of its site.
 *
 * @param data The site
 * @param turbine The turbine
 */
export function computeHub(data: SiteData, turbine: Turbine): HubConditions {
  return computeHubs(data, turbine)[0].hub;
}

/**
 * Computes all reanalyses of a site at the hub of a turbine.
 *
 * @param data The site
 * @param turbine The turbine
 */
export function computeHubs({ reanalyses }: SiteData, turbine: Turbine): HubReanalysis[] {
  return reanalyses.map(({ dataset: { serviceId }, climate, shear }) => ({
    serviceId,
    hub: computeHubConditions(computeSiteClimate(climate, turbine), turbine, shear),
  }));
}

/**
 * Returns the hourly production of a turbine and its mask: 1 for hours that production alone shows to be outages.
 *
 * @param data The site
 * @param position Which of its turbines
 */
export function maskedHours(
  data: SiteData,
  position: number,
): { production: HourlyProduction; masked: Uint8Array } {
  const { turbine, production, exclusions } = data.turbines[position];
  const neighbours = new Neighbourhood(data).findNearest(position);
  const [input] = checkProduction(production, turbine, exclusions, neighbours).inputs;
  if (input.production.kind !== "hourly" || !input.masked) {
    throw new Error(`Cannot validate: ${turbine.id} has no hourly production`);
  }
  return { production: input.production, masked: input.masked };
}
