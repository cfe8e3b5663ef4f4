import { HOUR } from "../../src/time/hourly.ts";
import { simulateClimate } from "../../src/sample/climate.ts";
import { sampleSites } from "../../src/sample/sites.ts";
import { simulateTruePower } from "../../src/sample/production.ts";
import { calibrate } from "../../src/windindex/calibration/calibration.ts";
import { computeHubConditions } from "../../src/windindex/turbine/hub_conditions.ts";
import { computeMonthlyEnergies } from "../../src/windindex/index/monthly_energy.ts";
import { computeModelledPower } from "../../src/windindex/power_model.ts";
import { chooseReferencePeriod } from "../../src/windindex/index/reference_period.ts";
import { computeSiteClimate } from "../../src/windindex/climate/site_climate.ts";
import { buildTrainingSet } from "../../src/windindex/calibration/training.ts";
import { computeTrainingEnergies } from "../../src/windindex/calibration/training_energies.ts";
import { computeUncertainty } from "../../src/windindex/uncertainty/uncertainty.ts";
import type { BenchmarkRow } from "./_measured.ts";
import { shortest } from "./_timing.ts";

const TWENTY_YEARS = 20 * 8766;

/** Twenty years of hourly production of a turbine with other physics than the engine's model. */
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
  const trainedOn = () =>
    computeTrainingEnergies(
      buildTrainingSet(hub, [{ production }], turbine.timeZone),
      hub,
      turbine,
    );
  return { hub, turbine, trainedOn };
}

/** Measures a calibration on twenty years of hourly production, from the training set on, with selection of the scaling. */
export async function calibrateTwentyYears(): Promise<BenchmarkRow> {
  const { trainedOn } = twentyYears();
  let calibration = calibrate(trainedOn());
  const milliseconds = await shortest(5, () => {
    calibration = calibrate(trainedOn());
  });
  const { k, scaling, candidates } = calibration;
  return {
    what: "calibrate with selection, 20 years hourly",
    measured: `${milliseconds.toFixed(0)} ms (k ${
      k.toFixed(4)
    }, ${scaling.kind} of ${candidates.length})`,
    bound: "1500 ms or less",
    holds: milliseconds <= 1500,
  };
}

/** Measures intervals by 1,000 bootstrap draws, each with selection, from a calibration on twenty years of hours. */
export async function bootstrapTwentyYears(): Promise<BenchmarkRow> {
  const { hub, turbine, trainedOn } = twentyYears();
  const training = trainedOn();
  const calibration = calibrate(training);
  const power = computeModelledPower(turbine, calibration, hub);
  const months = computeMonthlyEnergies(power, hub.axis, turbine.timeZone)
    .filter(({ energy }) => energy !== null);
  const predicted = { months, reference: chooseReferencePeriod(months) };
  let low = NaN;
  const milliseconds = await shortest(3, () => {
    low = computeUncertainty(training, calibration, predicted).k.low;
  });
  return {
    what: "1,000 bootstrap draws with selection, 20 years hourly",
    measured: `${milliseconds.toFixed(0)} ms (${calibration.scaling.kind}, k from ${
      low.toFixed(4)
    })`,
    bound: "4000 ms or less",
    holds: milliseconds <= 4000,
  };
}
