import { correlation } from "../../stats/correlation.ts";
import type { CalibrationPeriod } from "./calibration.ts";
import { MIN_PERIOD_HOURS } from "./cross_validation.ts";

/** How well periods are predicted by calibrations without them. */
export interface UnseenFit {
  /** Root mean square error of mean power, over the mean power produced. */
  readonly error: number;
  /** Correlation of predicted and produced mean power; `null` with fewer than three periods. */
  readonly r: number | null;
  /** Number of periods. */
  readonly periods: number;
  /** How many of them were left out of the calibration, as outages. */
  readonly outages: number;
}

/**
 * Measures how well a calibration predicts periods that it has not seen: all that production or declaration do not
 * exclude, also those that the calibration left out since they fell short of their wind.
 *
 * @returns The fit; `null` where no period was predicted
 */
export function measureUnseenFit(periods: readonly CalibrationPeriod[]): UnseenFit | null {
  const known = periods.filter(({ unseen, validHours }) =>
    unseen !== null && validHours >= MIN_PERIOD_HOURS
  );
  if (known.length === 0) return null;
  const produced = known.map((period) => period.produced / period.validHours);
  const predicted = known.map((period) => period.unseen! / period.validHours);
  const squares = predicted.reduce((sum, power, i) => sum + (power - produced[i]) ** 2, 0);
  const power = produced.reduce((sum, value) => sum + value, 0);
  return {
    error: Math.sqrt(squares * known.length) / power,
    r: known.length < 3 ? null : correlation(predicted, produced),
    periods: known.length,
    outages: known.filter(({ used }) => !used).length,
  };
}
