import type { SiteData } from "../../src/sites/site_data.ts";
import { checkProduction } from "../../src/sites/training_inputs.ts";
import { calibrate, type Calibration } from "../../src/windindex/calibration/calibration.ts";
import { computeMonthlyEnergies } from "../../src/windindex/index/monthly_energy.ts";
import { computeModelledPower } from "../../src/windindex/power_model.ts";
import type { PeriodProduction } from "../../src/windindex/calibration/production.ts";
import { chooseReferencePeriod } from "../../src/windindex/index/reference_period.ts";
import { buildTrainingSet } from "../../src/windindex/calibration/training.ts";
import { computeTrainingEnergies } from "../../src/windindex/calibration/training_energies.ts";
import { computeInterAnnualVariability } from "../../src/windindex/uncertainty/error_terms.ts";
import {
  computeUncertainty,
  type Uncertainty,
} from "../../src/windindex/uncertainty/uncertainty.ts";
import { computeHub } from "./_site_data.ts";

/** What Horns Rev 1 gives. */
export interface HornsRev {
  /** Calibration on all four annual values. */
  readonly calibration: Calibration;
  /** How sure it is. */
  readonly uncertainty: Uncertainty;
  /** k of a single year, by year. */
  readonly single: ReadonlyMap<string, number>;
  /** Standard deviation of annual energies over their mean if power were scaled, not wind speed. */
  readonly powerScaling: number;
  /** Error of a year predicted from the other one, %. */
  readonly errors: ReadonlyMap<string, number>;
}

/**
 * Calibrates Horns Rev 1 on its annual values, all of them given: outages must be found without help.
 *
 * @param data The site
 */
export function hornsRev(data: SiteData): HornsRev {
  const [{ turbine, production }] = data.turbines;
  const hub = computeHub(data, turbine);
  const fit = (inputs: ReturnType<typeof checkProduction>["inputs"]) => {
    const training = computeTrainingEnergies(
      buildTrainingSet(hub, inputs, turbine.timeZone),
      hub,
      turbine,
    );
    return { training, calibration: calibrate(training) };
  };
  const { training, calibration } = fit(checkProduction(production, turbine).inputs);
  const energies = (k: number) =>
    computeMonthlyEnergies(
      computeModelledPower(turbine, { ...calibration, scaling: { kind: "factor", k } }, hub),
      hub.axis,
      turbine.timeZone,
    );
  const months = energies(calibration.k);
  const reference = chooseReferencePeriod(months);
  const used = calibration.periods.filter((period) => period.used).map(({ label }) => label);
  const [{ periods }] = production as PeriodProduction[];
  const single = new Map(used.map((year) => {
    const own = {
      kind: "periods",
      periods: periods.filter(({ label }) => label === year),
    } as const;
    return [year, fit([{ production: own }]).calibration.k];
  }));
  const errors = new Map(used.map((year) => {
    const other = used.find((label) => label !== year)!;
    const predicted = energies(single.get(other)!)
      .reduce((sum, month) => String(month.year) === year ? sum + month.energy! : sum, 0);
    return [year, 100 * (predicted / periods.find(({ label }) => label === year)!.energy - 1)];
  }));
  const uncertainty = computeUncertainty(training, calibration, { months, reference });
  // Scaled power keeps the shares of the model's own years: those of k = 1.
  const powerScaling = computeInterAnnualVariability(energies(1), reference)!;
  return { calibration, uncertainty, single, powerScaling, errors };
}
