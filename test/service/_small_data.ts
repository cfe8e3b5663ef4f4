/**
 * A data directory with some turbines and a dataset and no series: for what asks for names only.
 *
 * @module
 */
import type { FreshMonth } from "../../src/service/store/site_record.ts";
import { openStorage } from "../../src/service/storage.ts";

/** Makes the data directory at a path, with two turbines unless others are named, and their months if any. */
export async function makeSmallData(
  data: string,
  ids: readonly string[] = ["T1", "T2"],
  months: readonly FreshMonth[] = [],
): Promise<void> {
  const { store } = await openStorage(data, { create: true });
  const turbine = (id: string) => ({
    stored: {
      edition: 1,
      turbine: {
        id,
        name: id,
        latitude: 55.6,
        longitude: 7.9,
        elevation: 0,
        hubHeight: 80,
        rotorDiameter: 92,
        ratedPower: 2300,
        units: 1,
        timeZone: "Europe/Copenhagen",
        powerControl: "pcPitch",
        powerCurve: [{ wind_speed: 3, power: 0 }, { wind_speed: 12, power: 2300 }],
      },
      calibration: null,
      modelFile: null,
    } as const,
    months,
  });
  try {
    await store.sites.put({
      site: "coast",
      fingerprint: "1",
      world: "own",
      datasets: [{
        serviceId: "era5",
        group: "reanalysis",
        type: "time series",
        shortDescription: "ERA5",
        longDescription: "Hourly",
        url: "https://example.com/",
        attribution: [],
      }],
      points: [],
      turbines: ids.map(turbine),
    });
  } finally {
    await store.close();
  }
}
