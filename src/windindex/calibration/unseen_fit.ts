import { correlation } from "../../stats/regression.ts";
import type { Calibration, CalibrationPeriod } from "./calibration.ts";
import { MIN_PERIOD_HOURS } from "./cross_validation.ts";
import { DEFAULT_SMOOTHING } from "./training_energies.ts";

/** How well calibrations predict periods that they have not seen. */
export interface UnseenFit {
  /** Root mean square error of mean power, over the mean power produced. */
  readonly error: number;
  /** Correlation of predicted and produced mean power; `null` with fewer than three periods. */
  readonly r: number | null;
  /** Number of periods. */
  readonly periods: number;
  /** Number of them that the calibration left out as outages. */
  readonly outages: number;
  /** The error of the others, the ordinary periods; `null` if there are none. */
  readonly countedError: number | null;
}

const powersOf = (periods: readonly CalibrationPeriod[], energy: "produced" | "unseen") =>
  periods.map((period) => period[energy]! / period.validHours);

/** Root mean square error of mean power, over the mean power produced; `null` without periods. */
function measureError(periods: readonly CalibrationPeriod[]): number | null {
  const produced = powersOf(periods, "produced");
  const squares = powersOf(periods, "unseen")
    .reduce((sum, power, i) => sum + (power - produced[i]) ** 2, 0);
  const power = produced.reduce((sum, value) => sum + value, 0);
  return periods.length === 0 ? null : Math.sqrt(squares * periods.length) / power;
}

/** Lists the periods that were predicted without themselves and have a week of hours or more. */
export function listScored(periods: readonly CalibrationPeriod[]): CalibrationPeriod[] {
  return periods.filter(({ unseen, validHours }) =>
    unseen !== null && validHours >= MIN_PERIOD_HOURS
  );
}

/**
 * Measures how well a calibration predicts unseen periods: all that production or declaration do not exclude, also
 * those that the calibration left out because they fell short of their wind.
 *
 * @returns The fit; `null` if no period was predicted
 */
export function measureUnseenFit(periods: readonly CalibrationPeriod[]): UnseenFit | null {
  const known = listScored(periods);
  const error = measureError(known);
  if (error === null) return null;
  const counted = known.filter(({ used }) => used);
  return {
    error,
    r: known.length < 3
      ? null
      : correlation(powersOf(known, "unseen"), powersOf(known, "produced")),
    periods: known.length,
    outages: known.length - counted.length,
    countedError: measureError(counted),
  };
}

/** Calibration of a location index: unscaled wind, k = 1, and the usual smoothing of the power curve. */
export const UNCALIBRATED: Calibration = {
  k: 1,
  scaling: { kind: "factor", k: 1 },
  smoothing: DEFAULT_SMOOTHING,
  candidates: [],
  periods: [],
  hours: 0,
  residual: null,
};

/** Whether a calibration was fitted to production; otherwise it belongs to a location index. */
export function isCalibrated({ periods }: Pick<Calibration, "periods">): boolean {
  return periods.length > 0;
}
