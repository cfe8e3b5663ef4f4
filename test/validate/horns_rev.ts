import type { SiteData } from "../../src/sites/site_data.ts";
import { checkProduction } from "../../src/sites/production/training_inputs.ts";
import { calibrate, type Calibration } from "../../src/windindex/calibration/calibration.ts";
import { computeMonthlyEnergies } from "../../src/windindex/index/monthly_energy.ts";
import { computeModelledPower } from "../../src/windindex/power_model.ts";
import type { PeriodProduction } from "../../src/windindex/calibration/production.ts";
import { chooseReferencePeriod } from "../../src/windindex/index/reference_period.ts";
import { buildTrainingSet } from "../../src/windindex/calibration/training.ts";
import {
  computeTrainingEnergies,
  SMOOTHINGS,
} from "../../src/windindex/calibration/training_energies.ts";
import { computeInterAnnualVariability } from "../../src/windindex/uncertainty/error_terms.ts";
import {
  computeUncertainty,
  type Uncertainty,
} from "../../src/windindex/uncertainty/uncertainty.ts";
import { computeHub } from "./_site_data.ts";

/** Results of Horns Rev 1. */
export interface HornsRev {
  /** Calibration on all four annual values. */
  readonly calibration: Calibration;
  /** Its uncertainty. */
  readonly uncertainty: Uncertainty;
  /** k of a single year, by year. */
  readonly single: ReadonlyMap<string, number>;
  /** Standard deviation of annual energies over their mean if power were scaled, not wind speed. */
  readonly powerScaling: number;
  /** Errors of each year predicted from the other, %, by smoothing of the power curve, m/s. */
  readonly errors: ReadonlyMap<string, ReadonlyMap<number, number>>;
}

/**
 * Calibrates Horns Rev 1 on all its annual values. The calibration must find the outages itself.
 *
 * @param data The site
 */
export function hornsRev(data: SiteData): HornsRev {
  const [{ turbine, production }] = data.turbines;
  const hub = computeHub(data, turbine);
  const fit = (inputs: ReturnType<typeof checkProduction>["inputs"], smoothing?: number) => {
    const set = buildTrainingSet(hub, inputs, turbine.timeZone);
    const training = computeTrainingEnergies(set, hub, turbine, undefined, smoothing);
    return { training, calibration: calibrate(training) };
  };
  const { training, calibration } = fit(checkProduction(production, turbine).inputs);
  const energies = (k: number, { smoothing } = calibration) =>
    computeMonthlyEnergies(
      computeModelledPower(turbine, { scaling: { kind: "factor", k }, smoothing }, hub),
      hub.axis,
      turbine.timeZone,
    );
  const months = energies(calibration.k);
  const reference = chooseReferencePeriod(months);
  const used = calibration.periods.filter((period) => period.used).map(({ label }) => label);
  const [{ periods }] = production as PeriodProduction[];
  const fitYear = (year: string, smoothing?: number) => {
    const trained = periods.filter(({ label }) => label === year);
    return fit([{ production: { kind: "periods", periods: trained } }], smoothing).calibration;
  };
  const single = new Map(used.map((year) => [year, fitYear(year).k]));
  const errors = new Map(used.map((year) => {
    const other = used.find((label) => label !== year)!;
    const produced = periods.find(({ label }) => label === year)!.energy;
    return [
      year,
      new Map(SMOOTHINGS.map((smoothing) => {
        const model = fitYear(other, smoothing);
        const predicted = energies(model.k, model)
          .reduce((sum, month) => String(month.year) === year ? sum + month.energy! : sum, 0);
        return [smoothing, 100 * (predicted / produced - 1)];
      })),
    ];
  }));
  const uncertainty = computeUncertainty(training, calibration, { months, reference });
  // Scaled power keeps the ratios between the model's years, as with k = 1.
  const powerScaling = computeInterAnnualVariability(energies(1), reference)!;
  return { calibration, uncertainty, single, powerScaling, errors };
}
