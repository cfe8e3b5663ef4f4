import { computeRobustSpread, mean, median } from "../../stats/spread.ts";
import { studentReach } from "../../stats/student.ts";
import type { PeriodResult } from "./check_result.ts";

/** Range of the ratio of a normal month or year. */
export interface NormalBand {
  /** Median ratio, %. */
  readonly middle: number;
  /** Lower end for a period of mean expected energy, %. */
  readonly low: number;
  /** Upper end for the same, %. */
  readonly high: number;
  /** Mean expected energy of its periods, MWh; `null` where the ends are the same for all periods. */
  readonly energy: number | null;
  /** Number of months or years that it comes from. */
  readonly periods: number;
}

/** Smallest share of a period's hours for a ratio that is judged, and without outages counts for the band. */
export const MIN_COMPLETENESS_OF_RATIO = 0.8;

/** Fewest periods of each kind for a band. */
export const MIN_PERIODS_FOR_BAND = { month: 6, year: 5 } as const;

/**
 * Standard deviations from the median that limit the band. Of a model, by chance at most one in 200 normal months is
 * outside: of 150 synthetic worlds in which the turbine always runs, on which this limit was chosen, one in 640
 * (`deno task soak cleanWorlds` counts it on others). Of production's own normals it is three of the wind.
 */
export const DEVIATIONS = { model: 3.5, own: 3 } as const;

/** Whether a period has enough hours to be judged. */
export function isJudged({ predicted, produced, completeness }: PeriodResult): boolean {
  return predicted > 0 && Number.isFinite(produced) && !(completeness < MIN_COMPLETENESS_OF_RATIO);
}

/**
 * Factor on the width of the band for a period of an expected energy: errors of the model add up as independent ones
 * do, so that their share of the energy falls with its root. A calm month deviates by a larger share than a windy one.
 */
function computeWidening(expected: number | undefined, energy: number | null): number {
  return expected === undefined || energy === null ? 1 : Math.sqrt(energy / expected);
}

/**
 * Computes the band of normal ratios: the median and {@linkcode DEVIATIONS} of a normal distribution to
 * either side, more for few periods by Student's t. The standard deviation comes from the median
 * distance to the median, which a few bad months do not widen.
 *
 * @param ratios Ratios of the periods, as shares; unknown ones are NaN
 * @param expected Expected energies of the periods, MWh, of a model: the band is wider where less is expected. @default normals of the production itself, which all deviate alike
 * @returns `null` with fewer than six months or five years
 */
export function computeNormalBand(
  ratios: ArrayLike<number>,
  by: "month" | "year",
  expected?: ArrayLike<number>,
): NormalBand | null {
  const known = [...Array(ratios.length).keys()].filter((i) => Number.isFinite(ratios[i]));
  const count = known.length;
  if (count < MIN_PERIODS_FOR_BAND[by]) return null;
  const middle = median(known.map((i) => ratios[i]));
  const energy = expected ? mean(known.map((i) => expected[i])) : null;
  const { deviation } = computeRobustSpread(
    known.map((i) => (ratios[i] - middle) / computeWidening(expected?.[i], energy)),
  );
  const reach = studentReach(expected ? DEVIATIONS.model : DEVIATIONS.own, count - 1);
  const half = reach * deviation * Math.sqrt(1 + 1 / count);
  return {
    middle: 100 * middle,
    low: 100 * Math.max(0, middle - half),
    high: 100 * (middle + half),
    energy,
    periods: count,
  };
}

/**
 * Computes the ends of the band for a period, %.
 *
 * @param expected Expected energy of the period, MWh
 */
export function computeBandEnds(
  { middle, high, energy }: NormalBand,
  expected: number,
): { readonly low: number; readonly high: number } {
  const half = (high - middle) * computeWidening(expected, energy);
  return { low: Math.max(0, middle - half), high: middle + half };
}
