import { HOUR } from "../../src/time/hour_axis.ts";
import { simulateClimate } from "../../src/service/sample/climate.ts";
import { sampleSites } from "../../src/service/sample/sites.ts";
import { simulateTruePower } from "../../src/service/sample/true_power.ts";
import { calibrate } from "../../src/windindex/calibration/calibration.ts";
import { computeHubConditions } from "../../src/windindex/turbine/hub_conditions.ts";
import { computeMonthlyEnergies } from "../../src/windindex/index/monthly_energy.ts";
import { fitScaling } from "../../src/windindex/scaling/fit_scaling.ts";
import { computeModelledPower } from "../../src/windindex/power_model.ts";
import { chooseReferencePeriod } from "../../src/windindex/index/reference_period.ts";
import type { ScalingKind } from "../../src/windindex/scaling/scaling_energies.ts";
import { computeSiteClimate } from "../../src/windindex/climate/site_climate.ts";
import { buildTrainingSet } from "../../src/windindex/calibration/training.ts";
import { computeTrainingEnergies } from "../../src/windindex/calibration/training_energies.ts";
import { computeUncertainty } from "../../src/windindex/uncertainty/uncertainty.ts";
import type { BenchmarkRow } from "./_measured.ts";
import { shortest } from "./_timing.ts";

const TWENTY_YEARS = 20 * 8766;

/** Twenty years of hourly production of a turbine whose physics the engine does not have. */
function twentyYears() {
  const [site] = sampleSites;
  const [turbine] = site.turbines;
  const climate = simulateClimate(site);
  const hub = computeHubConditions(computeSiteClimate(climate, turbine), turbine);
  const production = {
    kind: "hourly",
    axis: { start: hub.axis.start + 100 * HOUR, length: TWENTY_YEARS },
    power: simulateTruePower(turbine, climate, 100, TWENTY_YEARS),
  } as const;
  const trainedOn = (kinds?: readonly ScalingKind[]) =>
    computeTrainingEnergies(
      buildTrainingSet(hub, [{ production }], turbine.timeZone),
      hub,
      turbine,
      kinds,
    );
  return { hub, turbine, trainedOn };
}

/** Calibration on twenty years of hourly production with the selection of the scaling: all from the training set on. */
export async function calibrateTwentyYears(): Promise<BenchmarkRow> {
  const { trainedOn } = twentyYears();
  let found = calibrate(trainedOn());
  const milliseconds = await shortest(5, () => {
    found = calibrate(trainedOn());
  });
  const { k, scaling, candidates } = found;
  return {
    what: "calibrate with selection, 20 years hourly",
    found: `${milliseconds.toFixed(0)} ms (k ${
      k.toFixed(4)
    }, ${scaling.kind} of ${candidates.length})`,
    bound: "1500 ms or less",
    holds: milliseconds <= 1500,
  };
}

/**
 * Intervals by 1,000 draws of the bootstrap, from calibrations on twenty years hourly: for k alone, and for the scalings
 * that have most to do, whichever is selected here.
 */
export async function bootstrapTwentyYears(): Promise<BenchmarkRow[]> {
  const { hub, turbine, trainedOn } = twentyYears();
  const measured: BenchmarkRow[] = [];
  for (const [kind, bound] of [["factor", 500], ["linear", 2000], ["sector", 2000]] as const) {
    const training = trainedOn(["factor", kind]);
    const counted = new Uint8Array(training.periods.length).fill(1);
    const scaling = fitScaling(
      training.modelled.get(kind)!,
      training.produced.get(kind)!,
      counted,
    );
    const calibration = { ...calibrate(training), scaling };
    const months = computeMonthlyEnergies(
      computeModelledPower(turbine, scaling, hub),
      hub.axis,
      turbine.timeZone,
    )
      .filter(({ energy }) => energy !== null);
    const predicted = { months, reference: chooseReferencePeriod(months) };
    let low = NaN;
    const milliseconds = await shortest(3, () => {
      low = computeUncertainty(training, calibration, predicted).k!.low;
    });
    measured.push({
      what: `1,000 bootstrap draws, 20 years hourly, ${kind}`,
      found: `${milliseconds.toFixed(0)} ms (k from ${low.toFixed(4)})`,
      bound: `${bound} ms or less`,
      holds: milliseconds <= bound,
    });
  }
  return measured;
}
