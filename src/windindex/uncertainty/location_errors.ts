import type { TrainingEnergies } from "../calibration/training_energies.ts";
import { computeNormals } from "../index/reference_period.ts";
import { computeInterAnnualVariability, type Interval } from "./error_terms.ts";
import { type PredictedMonths, RecordEnergies, type Uncertainty } from "./uncertainty.ts";

/**
 * How far a location index is from one that is calibrated, %: half widths of 90 % intervals of the abnormality of a
 * month, and of twelve months. Seen at seven turbines of three sites (docs/validation.md), most at La Haute Borne.
 */
export const LOCATION_ERRORS = { month: 13, year: 5 } as const;

/** Where k would be, with a probability of 90 %: at these turbines and reanalyses 0.77 to 0.93. */
export const LOCATION_K: Interval = { low: 0.75, high: 1.05 };

/** There is no bootstrap. */
const NO_DRAWS = { draws: 0, seed: 0, block: 0 };

/**
 * Computes the intervals of a location index, whose energy is that of k = 1: from the mean annual energies at both ends of the
 * range of k, for a month with the error of a month beside.
 *
 * @param training Climate at the hub, and power of the turbine, without production
 */
export function computeLocationUncertainty(
  training: TrainingEnergies,
  { months, reference }: PredictedMonths,
): Uncertainty {
  const whole = months.filter(({ year }) => reference.years.includes(year));
  const record = new RecordEnergies(training, whole);
  const [low, own, high] = [LOCATION_K.low, 1, LOCATION_K.high].map((k) =>
    record.energiesAt({ kind: "factor", k }).reduce((sum, energy) => sum + energy)
  );
  const build = (energy: number, error: number): Interval => ({
    low: energy * Math.exp(-Math.hypot(Math.log(own / low), error)),
    high: energy * Math.exp(Math.hypot(Math.log(high / own), error)),
  });
  return {
    ...NO_DRAWS,
    k: LOCATION_K,
    parts: { calibration: Math.log(high / low) / 2, season: 0, level: 0, spread: 0 },
    longTerm: build(computeNormals(months, reference).year, 0),
    months: months.map(({ energy }) =>
      energy === null ? null : build(energy, LOCATION_ERRORS.month / 100)
    ),
    interAnnualVariability: computeInterAnnualVariability(months, reference),
  };
}
