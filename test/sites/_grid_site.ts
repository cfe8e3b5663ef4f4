/**
 * A site in memory, as after reading: four turbines, two each in two adjacent grid cells, with thirteen months of
 * climate and a year of hourly production. Tests can change values directly, without files.
 *
 * @module
 */
import { SeededRandom } from "../../src/stats/seeded_random.ts";
import { openStorage, type Storage } from "../../src/storage/storage.ts";
import type { Reanalysis, SiteData } from "../../src/sites/site_data.ts";
import {
  type ImportResult,
  storeSite,
  type StoreSiteOptions,
} from "../../src/sites/fleet/store_site.ts";
import type { StoredMonth, StoredTurbine } from "../../src/sites/keep/site_record.ts";
import type { ClimatePoint } from "../../src/windindex/climate/climate.ts";
import type { HourlyProduction } from "../../src/windindex/calibration/production.ts";
import { editDocuments } from "../storage/store/_edit.ts";
import { sitesOf } from "../../src/sites/keep/sites.ts";

const START = Date.UTC(2022, 0, 1);
const YEAR = 8760;

type SiteTurbine = SiteData["turbines"][number];

/** Hourly wind, m/s, the same everywhere except for noise. */
const wind = Float64Array.from(
  { length: YEAR + 720 },
  (_, i) =>
    8 + 4 * Math.sin(i / 37) + 2 * Math.sin(i / 11) + 1.5 * Math.cos(i * 2 * Math.PI / YEAR),
);

/** Builds a grid point with individual noise. */
function buildPoint(latitude: number, longitude: number, seed: string): ClimatePoint {
  const random = new SeededRandom(`${seed} ${latitude} ${longitude}`);
  const u = wind.map((speed) => Math.abs(0.8 * speed + 0.5 * random.normal()));
  const v = wind.map((speed) => 0.6 * speed + 0.5 * random.normal());
  return {
    latitude,
    longitude,
    elevation: 0,
    axis: { start: START, length: wind.length },
    stamp: "start",
    levels: [{ height: 100, u, v }],
  };
}

/** Builds a reanalysis of two adjacent cells. */
export function buildReanalysis(serviceId: string): Reanalysis {
  return {
    dataset: {
      serviceId,
      group: "reanalysis",
      type: "time series",
      shortDescription: serviceId,
      longDescription: "",
      url: "https://example.com/",
      attribution: [`${serviceId}, by somebody`],
    },
    climate: [55, 56].flatMap((latitude) =>
      [8, 9, 10].map((longitude) => buildPoint(latitude, longitude, serviceId))
    ),
  };
}

/**
 * Builds hourly production of a turbine, with a day's stop while its neighbour runs.
 *
 * @param seed Seed of the noise
 * @param length Number of hours
 */
export function buildProduction(seed: string, length: number = YEAR): HourlyProduction {
  const random = new SeededRandom(seed);
  const power = wind.map((speed) => {
    const share = (0.93 * speed + 0.3 * random.normal() - 3) / 9;
    return 2000 * Math.min(1, Math.max(0, share));
  }).subarray(0, length);
  const stop = 1000 + random.below(5000);
  power.fill(0, stop, stop + 24);
  return { kind: "hourly", axis: { start: START, length }, power };
}

/** Builds a turbine with its production. */
export function buildTurbine(id: string, latitude: number, longitude: number): SiteTurbine {
  return {
    turbine: {
      id,
      name: id,
      latitude,
      longitude,
      elevation: 0,
      hubHeight: 100,
      rotorDiameter: 90,
      ratedPower: 2000,
      units: 1,
      timeZone: "UTC",
      powerControl: "pcPitch",
      powerCurve: [
        { wind_speed: 3, power: 0 },
        { wind_speed: 12, power: 2000 },
        { wind_speed: 25, power: 2000 },
      ],
    },
    production: [buildProduction(id)],
    exclusions: [],
  };
}

/** Builds the site: T1 and T2 in the western cell, T3 and T4 in the eastern one. */
export function buildGridSite(changes: Partial<SiteData> = {}): SiteData {
  return {
    site: "grid",
    fingerprint: "",
    world: "own",
    reanalyses: [buildReanalysis("one")],
    turbines: [
      buildTurbine("T1", 55.3, 8.3),
      buildTurbine("T2", 55.35, 8.35),
      buildTurbine("T3", 55.6, 9.4),
      buildTurbine("T4", 55.62, 9.45),
    ],
    ...changes,
  };
}

/** Changes fields of a turbine in a copy of the site. */
export function changeTurbine(
  data: SiteData,
  id: string,
  change: (turbine: SiteTurbine) => Partial<SiteTurbine>,
): SiteData {
  const turbines = data.turbines.map((one) =>
    one.turbine.id === id ? { ...one, ...change(one) } : one
  );
  return { ...data, turbines };
}

/** Changes the hourly power of a turbine in a copy of the site. */
export function changePower(
  data: SiteData,
  id: string,
  change: (power: Float64Array) => Float64Array,
): SiteData {
  return changeTurbine(
    data,
    id,
    ({ production: [hourly] }) =>
      hourly.kind === "periods" ? {} : { production: [{ ...hourly, power: change(hourly.power) }] },
  );
}

/** Runs a body with an open data directory. */
export async function withDirectory<T>(
  folder: string,
  body: (storage: Storage) => Promise<T>,
): Promise<T> {
  await using storage = await openStorage(folder, { create: true });
  return await body(storage);
}

/** Imports a site into a data directory, as if its files had changed. */
export async function importData(
  data: SiteData,
  folder: string,
  options: StoreSiteOptions = {},
): Promise<ImportResult> {
  const fingerprint = crypto.randomUUID();
  return await withDirectory(
    folder,
    (directory) => storeSite({ ...data, fingerprint }, directory, options),
  );
}

/** Reads all stored data of a directory's turbines and months, except editions and times. */
export async function readStored(folder: string): Promise<
  { stored: Omit<StoredTurbine, "edition" | "published">; months: Omit<StoredMonth, "edition">[] }[]
> {
  return await withDirectory(folder, async ({ store }) => {
    const sites = sitesOf(store);
    const all = [];
    for (const id of await sites.turbineIds()) {
      const { edition: _, published: _at, ...stored } = (await sites.turbine(id))!;
      const months = (await sites.months(id)).map(({ edition: _, ...month }) => month);
      all.push({ stored, months });
    }
    return all;
  });
}

/** Removes the input hashes from a data directory, as an older version did not store them. */
export async function forgetInputs(folder: string): Promise<void> {
  await editDocuments(folder, "turbine", ([record]) => delete record.inputs);
}
