import { Neighbourhood } from "../../src/sites/production/neighbour_production.ts";
import type { SiteData } from "../../src/sites/site_data.ts";
import { checkProduction } from "../../src/sites/production/training_inputs.ts";
import { calibrate, isWhole } from "../../src/windindex/calibration/calibration.ts";
import { buildTrainingSet } from "../../src/windindex/calibration/training.ts";
import { computeTrainingEnergies } from "../../src/windindex/calibration/training_energies.ts";
import { estimateSeasonWave } from "../../src/windindex/uncertainty/site_errors.ts";
import { computeHubs } from "./_site_data.ts";

/** The wave of one year through produced over modelled energy of a turbine. */
export interface Season {
  /** The turbine. */
  readonly turbine: string;
  /** The reanalysis. */
  readonly reanalysis: string;
  /** Standard deviation of the wave, %. */
  readonly deviation: number;
}

/**
 * Estimates the waves of a site as its intervals do: from a year of months, with one factor as for a short record.
 *
 * @param data The site, with a year of hourly production
 */
export function seasonsOf(data: SiteData): Season[] {
  const neighbourhood = new Neighbourhood(data);
  return data.turbines.flatMap(({ turbine, production, exclusions }, position) => {
    const neighbours = neighbourhood.findNearest(position);
    const { inputs } = checkProduction(production, turbine, exclusions, neighbours);
    return computeHubs(data, turbine).map(({ serviceId, hub }) => {
      const set = buildTrainingSet(hub, inputs, turbine.timeZone);
      const { periods } = calibrate(computeTrainingEnergies(set, hub, turbine, ["factor"]));
      const months = periods.filter(isWhole).map(({ label, produced, modelled }) => ({
        month: Number(label.slice(5)),
        error: produced / modelled! - 1,
      }));
      const { deviation } = estimateSeasonWave(months);
      return { turbine: turbine.id, reanalysis: serviceId, deviation: 100 * deviation };
    });
  });
}
