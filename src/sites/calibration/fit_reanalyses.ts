import { ArgumentError } from "../../api/errors.ts";
import { calibrate, type Calibration } from "../../windindex/calibration/calibration.ts";
import { UNCALIBRATED } from "../../windindex/calibration/unseen_fit.ts";
import {
  buildTrainingSet,
  type TrainingInput,
  type TurbineTraining,
} from "../../windindex/calibration/training.ts";
import {
  computeTrainingEnergies,
  type TrainingEnergies,
} from "../../windindex/calibration/training_energies.ts";
import {
  computeModelledHours,
  type ModelledHours,
} from "../../windindex/reanalyses/modelled_hours.ts";
import { computeSiteClimate } from "../../windindex/climate/site_climate.ts";
import { computeHubConditions } from "../../windindex/turbine/hub_conditions.ts";
import type { StoredCalibration } from "../keep/site_record.ts";
import { selectPoints } from "./select_points.ts";
import type { SiteData } from "../site_data.ts";
import type { Turbine } from "../../windindex/turbine/turbine.ts";

/** A reanalysis at the hub of a turbine. */
export type HubReanalysis = TurbineTraining["climates"][number];

/** A reanalysis calibrated to the production of a turbine. */
export interface FittedReanalysis extends HubReanalysis {
  readonly training: TrainingEnergies;
  readonly calibration: Calibration;
  readonly hours: ModelledHours;
}

/** Computes the hub conditions of a turbine by each reanalysis of its site, in the order declared. */
export function computeHubReanalyses(
  { reanalyses }: Pick<SiteData, "reanalyses">,
  turbine: Turbine,
): HubReanalysis[] {
  return reanalyses.map((reanalysis) => ({
    serviceId: reanalysis.dataset.serviceId,
    hub: computeHubConditions(
      computeSiteClimate(selectPoints(reanalysis, turbine), turbine),
      turbine,
      reanalysis.shear,
    ),
  }));
}

/** Fewest hours of production for a calibration: four weeks. */
const MIN_TRAINING_HOURS = 28 * 24;

/** @throws {ArgumentError} If production and climate have too few hours in common */
function assertEnoughHours({ set, turbine }: TrainingEnergies): void {
  const used = set.periods.filter((period) => period.used);
  const hours = used.reduce((sum, period) => sum + period.validHours, 0);
  if (used.length === 0 || hours >= MIN_TRAINING_HOURS) return; // without used periods, calibrate() reports why
  const { label } = used[0];
  throw new ArgumentError(
    `Cannot calibrate ${turbine.id}: ${
      hours.toFixed(0)
    } h of production match climate data (${label} to ${
      used[used.length - 1].label
    }), but the calibration needs at least ${MIN_TRAINING_HOURS} h. ` +
      "Give production of more hours. Excluded, impossible and stopped hours do not count",
  );
}

function fitReanalysis(
  { serviceId, hub }: HubReanalysis,
  inputs: readonly TrainingInput[],
  turbine: Turbine,
  kept: Calibration | undefined,
): FittedReanalysis {
  const set = buildTrainingSet(hub, inputs, turbine.timeZone);
  const training = computeTrainingEnergies(set, hub, turbine, undefined, kept?.smoothing);
  assertEnoughHours(training);
  const calibration = kept ?? (inputs.length === 0 ? UNCALIBRATED : calibrate(training));
  const hours = computeModelledHours(turbine, calibration, hub);
  return { serviceId, hub, training, calibration, hours };
}

/**
 * Calibrates each reanalysis to the production of a turbine. Leaves out a reanalysis that cannot be calibrated and
 * notes the reason, unless it is the only one. Without production, each gives an uncalibrated location index.
 *
 * @param climates The reanalyses at the hub, the main one first
 * @param kept The earlier calibration, if it is still valid
 * @throws {ArgumentError} If none can be calibrated; the message says why
 */
export function fitReanalyses(
  climates: readonly HubReanalysis[],
  inputs: readonly TrainingInput[],
  turbine: Turbine,
  kept: StoredCalibration | null,
): { fitted: FittedReanalysis[]; notes: string[] } {
  const fitted: FittedReanalysis[] = [];
  const notes: string[] = [];
  const reasons: string[] = [];
  for (const climate of climates) {
    const known = kept?.reanalyses.find(({ serviceId }) => serviceId === climate.serviceId);
    if (kept && !known) continue; // left out when it was calibrated
    try {
      fitted.push(fitReanalysis(climate, inputs, turbine, known?.calibration));
    } catch (error) {
      if (!(error instanceof ArgumentError) || climates.length === 1) throw error;
      reasons.push(`${climate.serviceId}: ${error.message}`);
      notes.push(`${climate.serviceId} is not used. ${error.message}.`);
    }
  }
  if (fitted.length === 0) {
    throw new ArgumentError(
      `Cannot calibrate ${turbine.id} with any of its reanalyses: ${reasons.join(". ")}`,
    );
  }
  return { fitted, notes };
}
