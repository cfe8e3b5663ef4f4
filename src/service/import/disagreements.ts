import { type CalibrationPeriod, isWhole } from "../../windindex/calibration/calibration.ts";
import type { ImportedTurbine } from "./compute_turbine.ts";

/** Weight below which a month is far from the others: beyond 2.7 robust standard deviations. */
const FAR = 0.5;

/** Share of a month's hours that must be compared: in a month of stops the reanalysis is not judged. */
const MIN_SHARE = 0.9;

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
 * Describes months in which the reanalysis disagrees with a site: all of its turbines with hourly production are far from
 * their other months on the same side, while their hours show no stop.
 *
 * @param turbines Turbines of a site as computed
 * @returns A sentence for each month, in order of time
 */
export function describeDisagreements(turbines: readonly ImportedTurbine[]): string[] {
  const ratios = turbines.flatMap(({ calibration }) =>
    calibration ? listRatios(calibration.calibration.periods) : []
  );
  const months = Map.groupBy(ratios, ([label]) => label);
  return [...months].sort(([a], [b]) => a < b ? -1 : 1).flatMap(([label, entries]) => {
    const own = entries.map(([, entry]) => entry);
    const sides = new Set(own.map(({ ratio }) => Math.sign(ratio - 1)));
    if (sides.size > 1 || own.some(({ weight }) => weight >= FAR)) return [];
    const shares = own.map(({ ratio }) => 100 * ratio).sort((a, b) => a - b);
    const [low, high] = [shares[0], shares[shares.length - 1]].map((share) => share.toFixed(0));
    const made = low === high ? `${low} %` : `${low} to ${high} %`;
    const weights = own.map(({ weight }) => weight);
    const who = own.length === 1 ? "the turbine" : `all ${own.length} turbines`;
    return [
      `Disagreement with the reanalysis in ${label}: ${who} made ${made} of what it leads to expect, and ` +
      `${
        own.length === 1 ? "its" : "their"
      } hours show no stop. The month stays in the fit with at most ` +
      `${Math.max(...weights).toFixed(2)} of its weight.`,
    ];
  });
}
