/**
 * One year of production declared in three ways. The data are not part of the project: without them the test is
 * skipped; its name says why.
 *
 * Kelmarsh wind farm data, CC-BY-4.0, doi 10.5281/zenodo.5841833; ERA5: contains modified Copernicus Climate Change Service
 * information; power curve: Open Energy Database turbine library, ODbL-1.0.
 *
 * @module
 */
import { assert } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { checkProduction } from "../../src/sites/production/training_inputs.ts";
import { startOfMonth } from "../../src/time/zones.ts";
import { calibrate } from "../../src/windindex/calibration/calibration.ts";
import type {
  HourlyProduction,
  PeriodProduction,
  Production,
} from "../../src/windindex/calibration/production.ts";
import { buildTrainingSet } from "../../src/windindex/calibration/training.ts";
import { computeTrainingEnergies } from "../../src/windindex/calibration/training_energies.ts";
import { computeSiteClimate } from "../../src/windindex/climate/site_climate.ts";
import { listMonthSpans } from "../../src/windindex/index/monthly_energy.ts";
import { computeModelledPower } from "../../src/windindex/power_model.ts";
import { computeHubConditions } from "../../src/windindex/turbine/hub_conditions.ts";
import { dataPresent, siteData } from "../validate/_site_data.ts";

/** Largest relative difference of the modelled energy of all years. */
const CLOSE = 0.005;

const sum = (values: Float64Array) =>
  values.reduce((total, value) => Number.isNaN(value) ? total : total + value, 0);

/** Sums hourly production to months, each with the share of its hours that have a value. */
function sumMonths({ axis, power }: HourlyProduction, timeZone: string): PeriodProduction {
  return {
    kind: "periods",
    periods: listMonthSpans(axis, timeZone).map(({ year, month, from, to }) => {
      const first = Temporal.PlainYearMonth.from({ year, month });
      const hours = power.subarray(Math.max(0, from), Math.min(to, power.length));
      const valid = hours.filter((value) => !Number.isNaN(value)).length;
      return {
        label: first.toString(),
        start: startOfMonth(first, timeZone),
        end: startOfMonth(first.add({ months: 1 }), timeZone),
        energy: sum(hours),
        share: valid / (to - from),
      };
    }),
  };
}

const check = dataPresent()
  ? it
  : (name: string, body: () => Promise<void>) =>
    it.ignore(`${name} (skipped: ../shared/data is not here)`, body);

describe("a year with a gap of 254 hours in October, at four turbines of Kelmarsh", () => {
  check(
    "S5: gives nearly one energy, declared by hours, by valid hours, or scaled up",
    async () => {
      const { reanalyses: [{ climate, shear }], turbines } = await siteData("kelmarsh");
      for (const { turbine, production } of turbines) {
        const hub = computeHubConditions(computeSiteClimate(climate, turbine), turbine, shear);
        const [recorded] = production as HourlyProduction[];
        const { masked } = checkProduction([recorded], turbine, [], [], hub).inputs[0];
        const hours: HourlyProduction = {
          ...recorded,
          power: recorded.power.map((value, i) => masked?.[i] === 1 ? NaN : value),
        };
        const energyBy = (declared: Production) => {
          const set = buildTrainingSet(hub, [{ production: declared }], turbine.timeZone);
          const model = calibrate(computeTrainingEnergies(set, hub, turbine, ["factor"]));
          return sum(computeModelledPower(turbine, model, hub));
        };
        const { kind, periods } = sumMonths(hours, turbine.timeZone);
        const differ = (declaredPeriods: PeriodProduction["periods"]) =>
          energyBy({ kind, periods: declaredPeriods }) / energyBy(hours) - 1;
        const declared = differ(periods);
        const scaled = differ(
          periods.map(({ share = 1, ...rest }) => ({ ...rest, energy: rest.energy / share })),
        );
        assert(Math.abs(declared) < CLOSE, `${turbine.id} by valid hours: ${declared}`);
        assert(Math.abs(scaled) < 2 * CLOSE, `${turbine.id} scaled up: ${scaled}`);
      }
    },
  );
});
