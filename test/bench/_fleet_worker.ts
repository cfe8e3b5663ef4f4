/** Computes the indices of a part of a fleet, by messages of first turbine and number; answers with the number of months. */
import { simulateClimate } from "../../src/sample/climate.ts";
import { sampleSites } from "../../src/sample/sites.ts";
import { DEFAULT_SMOOTHING } from "../../src/windindex/calibration/training_energies.ts";
import type { ClimatePoint } from "../../src/windindex/climate/climate.ts";
import { computeHubConditions } from "../../src/windindex/turbine/hub_conditions.ts";
import { computeMonthIndices } from "../../src/windindex/index/indices.ts";
import { computeMonthlyEnergies } from "../../src/windindex/index/monthly_energy.ts";
import { computeModelledPower } from "../../src/windindex/power_model.ts";
import {
  chooseReferencePeriod,
  computeNormals,
} from "../../src/windindex/index/reference_period.ts";
import { computeSiteClimate } from "../../src/windindex/climate/site_climate.ts";
import type { Turbine } from "../../src/windindex/turbine/turbine.ts";

const [site] = sampleSites;
const [example] = site.turbines;
const climate = simulateClimate(site);

const MODEL = { scaling: { kind: "factor", k: 0.93 }, smoothing: DEFAULT_SMOOTHING } as const;

function countIndices(turbine: Turbine, climate: readonly ClimatePoint[]): number {
  const hub = computeHubConditions(computeSiteClimate(climate, turbine), turbine);
  const power = computeModelledPower(turbine, MODEL, hub);
  const energies = computeMonthlyEnergies(power, hub.axis, turbine.timeZone);
  return computeMonthIndices(energies, computeNormals(energies, chooseReferencePeriod(energies)))
    .length;
}

/** Turbine i, with its own place and height. */
function turbineAt(i: number): Turbine {
  return {
    ...example,
    latitude: 55.5 + (i % 100) / 400,
    longitude: 7.75 + (i % 37) / 75,
    hubHeight: 60 + i % 60,
  };
}

const worker = self as unknown as Worker;
worker.onmessage = ({ data: [first, count] }: MessageEvent<[number, number]>) => {
  let months = 0;
  for (let i = first; i < first + count; i++) months += countIndices(turbineAt(i), climate);
  worker.postMessage(months);
};
worker.postMessage("ready");
