import { putSite, retryChanged } from "../sites/keep/put_site.ts";
import { turbineId } from "../api/columns/columns.ts";
import type { Operation } from "../api/operations/operation.ts";
import type { ParameterValue } from "../api/operations/parameter.ts";
import { SYNTHETIC } from "../api/world.ts";
import { ENGINE_VERSION } from "../windindex/power_model.ts";
import { computeDistance } from "../windindex/climate/site_weights.ts";
import type { Turbine } from "../windindex/turbine/turbine.ts";
import { storeSite } from "../sites/fleet/store_site.ts";
import type { SiteData } from "../sites/site_data.ts";
import { SCHEMA_VERSION, type Storage } from "../storage/storage.ts";
import type { Dataset } from "../sites/keep/site_record.ts";
import { simulateClimate } from "./climate.ts";
import { simulateProduction } from "./production.ts";
import { SAMPLE_VERSION, type SampleSite, sampleSites, type SampleTurbine } from "./sites.ts";
import { sitesOf } from "../sites/keep/sites.ts";

/** Name of the folder of this version's sample. */
export const SAMPLE_FOLDER: string = `sample-${SAMPLE_VERSION}-${ENGINE_VERSION}-${SCHEMA_VERSION}`;

/** Largest distance between a climate request and a site, km. */
const REACH = 500;

/** The dataset that the sample serves. */
export const dataset: Omit<Dataset, "id"> = {
  serviceId: "era5",
  group: "reanalysis",
  type: "time series",
  shortDescription: `${SYNTHETIC} stand-in for ERA5`,
  longDescription:
    "Invented hourly weather, 2005 to 2025, around invented turbines: wind at 10 and 100 m, " +
    "temperature, pressure, humidity. It has the columns of a reanalysis and does not describe any real place.",
  url: "",
  attribution: [`${SYNTHETIC} data of the Vindkit sample, not real: for learning and testing only`],
};

/** Returns the turbine as declared to the service, without the truth behind its production. */
function toTurbine(turbine: SampleTurbine): Turbine {
  const { truth: _truth, production: _production, ...declared } = turbine;
  return declared;
}

function buildSiteData(site: SampleSite): SiteData {
  const climate = simulateClimate(site);
  return {
    site: site.id,
    fingerprint: `${SAMPLE_FOLDER}/${site.id}`,
    world: "sample",
    reanalyses: [{ dataset, climate }],
    turbines: site.turbines.map((turbine) => {
      const production = simulateProduction(site, turbine, climate);
      return {
        turbine: toTurbine(turbine),
        production: production ? [production] : [],
        exclusions: [],
      };
    }),
  };
}

/** Whether an operation returns more than identifiers of turbines, so it needs the created sites. */
function statesTurbines({ success }: Operation): boolean {
  return success.kind === "records" && success.columns.length > 1 &&
    success.columns.some(({ name }) => name === turbineId.name);
}

function listSitesFor(
  operation: Operation,
  parameters: Readonly<Record<string, ParameterValue | undefined>>,
): readonly SampleSite[] {
  const { [turbineId.name]: wantedId, lat, lon } = parameters;
  if (wantedId !== undefined) {
    return sampleSites.filter((site) => site.turbines.some(({ id }) => id === wantedId));
  }
  if (lat !== undefined && lon !== undefined) {
    const location = { latitude: lat as number, longitude: lon as number };
    return sampleSites.filter(({ points }) =>
      points.some((point) => computeDistance(point, location) <= REACH)
    );
  }
  return statesTurbines(operation) ? sampleSites : [];
}

/** The synthetic world in a data directory: declares all turbines at once, and creates a site's data when a request needs them. */
export class SampleWorld {
  readonly #storage: Storage;
  readonly #created = new Map<string, Promise<unknown>>();

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Declares the turbines of sites that are not created yet. */
  async declare(): Promise<void> {
    for (const site of sampleSites) await retryChanged(() => this.#declareOnce(site));
  }

  async #declareOnce(site: SampleSite): Promise<void> {
    const { store } = this.#storage;
    if (await sitesOf(store).edition(site.id) > 0) return;
    await putSite(store, {
      site: site.id,
      fingerprint: "declared",
      world: "sample",
      datasets: [dataset],
      points: [],
      turbines: site.turbines.map((turbine) => ({
        stored: {
          ...{ turbine: toTurbine(turbine), calibration: null, production: null, doubts: [] },
          ...{ inputs: "", modelFile: null },
        },
        months: [],
      })),
    }, 0); // another process of the same home may have created it meanwhile
  }

  async prepare(
    operation: Operation,
    parameters: Readonly<Record<string, ParameterValue | undefined>>,
  ): Promise<void> {
    for (const site of listSitesFor(operation, parameters)) await this.#create(site);
  }

  #create(site: SampleSite): Promise<unknown> {
    let created = this.#created.get(site.id);
    if (!created) {
      created = retryChanged(() => this.#createOnce(site)).catch((error) => {
        this.#created.delete(site.id); // the next request tries again: the disk may have been full
        throw error;
      });
      this.#created.set(site.id, created);
    }
    return created;
  }

  async #createOnce(site: SampleSite): Promise<void> {
    const { store, files } = this.#storage;
    if (await sitesOf(store).fingerprint(site.id) === `${SAMPLE_FOLDER}/${site.id}`) return;
    await storeSite(buildSiteData(site), { store, files });
  }
}
