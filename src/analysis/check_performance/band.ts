import { computeRobustSpread, mean, median } from "../../stats/spread.ts";
import { studentQuantile, studentReach } from "../../stats/student.ts";
import { HOUR } from "../../time/hourly.ts";
import type { CheckResult } from "./check_result.ts";
import { MIN_COMPLETENESS_OF_RATIO, type PeriodResult } from "./losses/lost_energy.ts";

/** Range of the ratio of a normal month or year. */
export interface NormalBand {
  /** Median ratio, %. */
  readonly middle: number;
  /** Lower end for a period of mean expected energy, %. */
  readonly low: number;
  /** Upper end for the same, %. */
  readonly high: number;
  /** Mean expected energy of its periods, MWh. */
  readonly energy: number;
  /** Number of months or years behind it. */
  readonly periods: number;
}

/** Fewest periods of each kind for a band. */
export const MIN_PERIODS_FOR_BAND = { month: 6, year: 5 } as const;

/**
 * Standard deviations from the median to the ends of the band: by chance at most one in 200 normal months is outside.
 * On the 150 synthetic worlds on which it was chosen, in which the turbine always runs, it is one in 640 (`deno task
 * soak cleanWorlds` counts it on other worlds).
 */
export const DEVIATIONS = 3.5;

/** Whether a period has enough hours to be judged. */
export function isJudged({ predicted, produced, completeness }: PeriodResult): boolean {
  return predicted > 0 && Number.isFinite(produced) && !(completeness < MIN_COMPLETENESS_OF_RATIO);
}

/**
 * Widens the band for a period of less expected energy: errors of the model are taken as independent, so their share of
 * the energy falls with its root. A calm month deviates by a larger share than a windy one.
 */
const computeWidening = (expected: number, energy: number) => Math.sqrt(energy / expected);

/**
 * Computes the band of normal ratios: the median and {@linkcode DEVIATIONS} standard deviations to either side, more
 * for few periods by Student's t. The standard deviation comes from the median distance to the median, which a few bad
 * months do not widen.
 *
 * @param ratios Ratios of the periods, as shares; unknown ones are NaN
 * @param expected Expected energies of the periods, MWh: the band is wider for periods with less
 * @returns `null` with fewer than six months or five years
 */
export function computeNormalBand(
  ratios: ArrayLike<number>,
  by: "month" | "year",
  expected: ArrayLike<number>,
): NormalBand | null {
  const known = [...Array(ratios.length).keys()].filter((i) => Number.isFinite(ratios[i]));
  const count = known.length;
  if (count < MIN_PERIODS_FOR_BAND[by]) return null;
  const middle = median(known.map((i) => ratios[i]));
  const energy = mean(known.map((i) => expected[i]));
  const { deviation } = computeRobustSpread(
    known.map((i) => (ratios[i] - middle) / computeWidening(expected[i], energy)),
  );
  const reach = studentReach(DEVIATIONS, count - 1);
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

/**
 * Computes half the 90 % interval of a model's energy for a period, MWh: how far normal periods differ from it. It
 * excludes errors that all of them share.
 *
 * @returns NaN without a band
 */
export function computeModelError(band: NormalBand | null, expected: number): number {
  if (band === null) return NaN;
  const half = computeBandEnds(band, expected).high - band.middle;
  const freedom = band.periods - 1;
  return expected * half / 100 * studentQuantile(freedom) /
    studentReach(DEVIATIONS, freedom);
}

/** How far the date of a change may be from the start of a month: half a week, because weeks do not begin with months. */
const NEAR = 84 * HOUR;

/** Numbers the stable state of each period by the changes before it; -1 for a period with a change in it. */
function findStates({ periods, change }: CheckResult): number[] {
  const dates = change.changes
    .map(({ from }) => from);
  return periods.map(({ start, end }) => {
    const within = dates.some((date) => date > start + NEAR && date < end - NEAR);
    return within ? -1 : dates.filter((date) => date <= start + NEAR).length;
  });
}

/**
 * Selects the ratios of the longest stable state, for the normal band: the others would widen the band until it
 * contains them.
 *
 * @returns Ratio of each period outside of outages, NaN for periods of other states; the first of equally long states
 * wins
 */
export function selectStableRatios(checked: CheckResult): number[] {
  const states = findStates(checked);
  const ratios = checked.periods.map(({ running }) => running);
  const countOf = (state: number) =>
    ratios.filter((ratio, i) => states[i] === state && Number.isFinite(ratio)).length;
  const longest = [...new Set(states)].filter((state) => state >= 0)
    .reduce((a, b) => countOf(b) > countOf(a) ? b : a, 0);
  return ratios.map((ratio, i) => states[i] === longest ? ratio : NaN);
}

/**
 * Computes the median ratio of the stable state of each period.
 *
 * @returns Shares; all NaN if nothing changed, and NaN for a period with a change in it
 */
export function computeStableRatios(checked: CheckResult): number[] {
  const states = findStates(checked);
  if (new Set(states).size === 1) return states.map(() => NaN);
  const medians = new Map(
    [...new Set(states)].map((state) => [
      state,
      median(
        checked.periods.filter(({ running }, i) => states[i] === state && Number.isFinite(running))
          .map(({ running }) => running),
      ),
    ]),
  );
  return states.map((state) => state < 0 ? NaN : medians.get(state)!);
}
