import { median } from "../stats/quantile.ts";
import { type CalibrationPeriod, isWhole } from "../windindex/calibration/calibration.ts";
import type { ImportedTurbine } from "./compute_turbine.ts";

/** Weight below which a month is far from the others at the median turbine: beyond 2.5 robust standard deviations. */
const FAR = 0.4;

/** Fewest turbines: one alone may have a fault that its hours do not show. */
const MIN_TURBINES = 2;

/** Smallest distance of the median turbine from what is expected. */
const MIN_DISTANCE = 0.1;

/** Share of a month's hours that must be compared. */
const MIN_SHARE = 0.5;

/** Produced over modelled energy of a month at one turbine. */
interface MonthRatio {
  readonly ratio: number;
  readonly weight: number;
}

function listRatios(periods: readonly CalibrationPeriod[]): [label: string, MonthRatio][] {
  return periods.filter((period) =>
    period.hourly && isWhole(period) && period.validHours >= MIN_SHARE * period.hours
  ).map(({ label, produced, modelled, weight }) => [label, {
    ratio: produced / modelled!,
    weight,
  }]);
}

/**
 * Describes months in which the reanalysis disagrees with a site: all of its turbines with hourly production are off on the
 * same side by more than they usually scatter, and the median one far, in hours that show no stop.
 *
 * @param turbines All turbines of a site, those that stay as they are stored too
 * @returns A sentence for each month, in order of time
 */
export function describeDisagreements(
  turbines: readonly Pick<ImportedTurbine, "calibration">[],
): string[] {
  const ratios = turbines.flatMap(({ calibration }) =>
    calibration ? listRatios(calibration.calibration.periods) : []
  );
  const months = Map.groupBy(ratios, ([label]) => label);
  return [...months].sort(([a], [b]) => a < b ? -1 : 1).flatMap(([label, entries]) => {
    const own = entries.map(([, entry]) => entry);
    const sides = new Set(own.map(({ ratio }) => Math.sign(ratio - 1)));
    const weights = own.map(({ weight }) => weight);
    const distance = Math.abs(median(own.map(({ ratio }) => ratio)) - 1);
    if (own.length < MIN_TURBINES || sides.size > 1) return [];
    if (weights.some((weight) => weight === 1) || median(weights) >= FAR) return [];
    if (distance < MIN_DISTANCE) return [];
    const shares = own.map(({ ratio }) => 100 * ratio).sort((a, b) => a - b);
    const [low, high] = [shares[0], shares[shares.length - 1]].map((share) => share.toFixed(0));
    const made = low === high ? `${low} %` : `${low} to ${high} %`;
    return [
      `Disagreement with the reanalysis in ${label}: each of the ${own.length} turbines made ${made} of what it ` +
      "leads to expect, and their hours show no stop. The month stays in the fit, where it counts " +
      `for ${(100 * Math.max(...weights)).toFixed(0)} % of another month at most.`,
    ];
  });
}
