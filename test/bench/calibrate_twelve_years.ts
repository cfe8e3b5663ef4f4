import { HOUR } from "../../src/frames/hour_axis.ts";
import { calibrate } from "../../src/windindex/calibration.ts";
import { hubConditions } from "../../src/windindex/hub_conditions.ts";
import { hourlyPower, powerAtStamps, powerModel } from "../../src/windindex/power_model.ts";
import { siteClimate } from "../../src/windindex/site_climate.ts";
import { trainingSet } from "../../src/windindex/training.ts";
import { sampleClimate } from "../../src/service/sample/climate.ts";
import { sampleSites } from "../../src/service/sample/sites.ts";
import { shortest } from "./_timing.ts";
import type { Measured } from "./_measured.ts";

const TWELVE_YEARS = 12 * 8766;

/** Calibration on twelve years of hourly production: training set and bisection. */
export async function calibrateTwelveYears(): Promise<Measured> {
  const [site] = sampleSites;
  const [turbine] = site.turbines;
  const hub = hubConditions(siteClimate(sampleClimate(site), turbine), turbine);
  const power = hourlyPower(powerAtStamps(powerModel(turbine, 0.93), hub), hub.stamp);
  const production = {
    kind: "hourly",
    axis: { start: hub.axis.start + 100 * HOUR, length: TWELVE_YEARS },
    power: power.slice(100, 100 + TWELVE_YEARS),
  } as const;
  let k = NaN;
  const milliseconds = await shortest(5, () => {
    k = calibrate(trainingSet(hub, [{ production }], turbine.timeZone), turbine).k;
  });
  return {
    what: "calibrate on 12 years hourly",
    found: `${milliseconds.toFixed(0)} ms (k ${k.toFixed(4)})`,
    bound: "300 ms or less",
    holds: milliseconds <= 300,
  };
}
