import { type Calibration, type CalibrationPeriod, isWhole } from "../calibration/calibration.ts";
import { isMonth, MIN_PERIODS, type TrainingEnergies } from "../calibration/training_energies.ts";
import type { WindScaling } from "../scaling/wind_scaling.ts";
import { drawModels, type DrawnModels, MeanSquare } from "./drawn_models.ts";
import {
  addShares,
  type ErrorShare,
  estimateError,
  MONTH_PRIOR,
  scaleShare,
  YEAR_PRIOR,
} from "./error_terms.ts";

/** Errors that the scatter of the training periods shows. */
export interface ScatterErrors {
  /** Training periods that are drawn together. */
  readonly block: number;
  /** Draws of the bootstrap; 0 with too few periods for one. */
  readonly draws: number;
  /** Of the long-term mean. */
  readonly longTerm: ErrorShare;
  /** Of the one factor. */
  readonly k: ErrorShare;
  /** Of a single month: its own scatter and the error of the calibration. */
  readonly month: ErrorShare;
}

/** Finds the error of each whole period in the cross-validation; of a single one, nothing is known. */
function listUnseenErrors(periods: readonly CalibrationPeriod[]): number[] {
  return periods.flatMap(({ produced, unseen }) => unseen === null ? [] : [produced / unseen - 1]);
}

const sumSquares = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value ** 2, 0);

/** What the errors of a calibration are computed from. */
export interface ScatterInputs {
  /** Produced and modelled energies, by the smoothing of the calibration. */
  readonly training: TrainingEnergies;
  /** The calibration. */
  readonly calibration: Calibration;
}

/** What the error of a year is computed from. */
export interface AnnualInputs {
  /** Mean annual energy by a scaling. */
  readonly annualOf: (scaling: WindScaling) => number;
  /** Relative change of the annual energy over that of the factor. */
  readonly sensitivity: number;
}

/** Estimates the errors from few periods, whose scatter is known from elsewhere more than from themselves. */
function estimateErrorsOfFew(
  whole: readonly CalibrationPeriod[],
): Omit<ScatterErrors, "k"> {
  const years = whole.filter((period) => !isMonth(period));
  const counted = years.length > 0 ? years : whole;
  const number = Math.max(1, counted.length);
  const errors = listUnseenErrors(counted);
  // An error of a period that was left out is n / (n - 1) times its distance from the mean of all.
  const squares = sumSquares(errors) * ((number - 1) / number) ** 2;
  const freedom = Math.max(0, errors.length - 1);
  const period = estimateError(squares, freedom, years.length > 0 ? YEAR_PRIOR : MONTH_PRIOR);
  const longTerm = scaleShare(period, 1 / number);
  return {
    block: 1,
    draws: 0,
    longTerm,
    month: addShares(years.length > 0 ? estimateError(0, 0, MONTH_PRIOR) : period, longTerm),
  };
}

/** Draws training periods with replacement; `null` where there are too few. */
function drawTraining(
  { training, calibration: { periods, scaling } }: ScatterInputs,
  options: { readonly draws: number; readonly seed: number },
): DrawnModels | null {
  if (periods.filter(isWhole).length < MIN_PERIODS || !training.modelled.has(scaling.kind)) {
    return null;
  }
  const left = new Set(periods.filter(({ used }) => !used).map(({ label }) => label));
  const counted = Uint8Array.from(training.periods, ({ label }) => left.has(label) ? 0 : 1);
  return drawModels(training, counted, options);
}

/** The error of a single month when all draws were made: errors of unseen periods contain their own scatter and the error of the calibration. */
function readMonthError({ unseen }: DrawnModels): ErrorShare {
  const errors = unseen.map(({ value }) => value).filter((value) => !Number.isNaN(value));
  return {
    variance: errors.reduce((sum, value) => sum + value, 0) / errors.length,
    freedom: errors.length - 1,
  };
}

/**
 * Computes the errors that the scatter of the training periods shows: by drawing them and calibrating each draw, or of fewer
 * than six from what is known of other sites.
 *
 * @param annual What they say of a year
 */
export function computeScatterErrors(
  inputs: ScatterInputs,
  { annualOf, sensitivity }: AnnualInputs,
  options: { readonly draws: number; readonly seed: number },
): ScatterErrors {
  const { calibration } = inputs;
  const drawn = drawTraining(inputs, options);
  if (!drawn) {
    const few = estimateErrorsOfFew(calibration.periods.filter(isWhole));
    return { ...few, k: scaleShare(few.longTerm, 1 / sensitivity ** 2) };
  }
  const found = annualOf(calibration.scaling);
  const factor = new MeanSquare();
  const longTerm = new MeanSquare();
  for (const { k, scaling } of drawn.models()) {
    factor.add(k / calibration.k - 1);
    longTerm.add(annualOf(scaling) / found - 1);
  }
  const freedom = Math.max(1, Math.floor(drawn.blocks) - 1);
  const small = drawn.blocks / (drawn.blocks - 1); // draws from few blocks vary less than the blocks do
  return {
    block: drawn.block,
    draws: options.draws,
    longTerm: { variance: small * longTerm.value, freedom },
    k: { variance: small * factor.value, freedom },
    month: readMonthError(drawn),
  };
}

/** Computes the error of a single month alone, as {@linkcode computeScatterErrors} does: no draw is calibrated for that. */
export function computeMonthScatter(
  inputs: ScatterInputs,
  options: { readonly draws: number; readonly seed: number },
): ErrorShare {
  const drawn = drawTraining(inputs, options);
  if (!drawn) return estimateErrorsOfFew(inputs.calibration.periods.filter(isWhole)).month;
  for (const _ of drawn.models());
  return readMonthError(drawn);
}
