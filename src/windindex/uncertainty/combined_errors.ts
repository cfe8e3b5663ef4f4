import { addShares, buildShare, type ErrorShare, scaleShare } from "./error_terms.ts";
import type { CalibrationErrors } from "./uncertainty.ts";

/** A reanalysis behind a combined model. */
export interface WeightedReanalysis {
  /** Weight of its power. */
  readonly weight: number;
  /** Its error of unseen periods; `null` with too few. */
  readonly unseen: number | null;
  /**
   * Mean annual energy of the reference period by this reanalysis alone, kWh; NaN if it does not cover the whole
   * period.
   */
  readonly annual: number;
  /** Error of each month. */
  readonly months: readonly ErrorShare[];
}

/** A reanalysis behind a combined model, with all of its errors. */
export interface ErrorsOfReanalysis extends Omit<WeightedReanalysis, "months"> {
  /** Read only if the weight is above 0. */
  readonly errors: CalibrationErrors | null;
}

/** The reanalyses with a weight. */
function selectUsed<R extends { readonly weight: number }>(reanalyses: readonly R[]): R[] {
  return reanalyses.filter(({ weight }) => weight > 0);
}

/** Averages errors that are largely the same, weighted. */
function averageShares(
  used: readonly { readonly weight: number }[],
  shares: readonly ErrorShare[],
): ErrorShare {
  return {
    variance: used.reduce((sum, { weight }, i) => sum + weight * shares[i].variance, 0),
    freedom: Math.min(...shares.map(({ freedom }) => freedom)),
  };
}

/**
 * Combines the errors of months of several reanalyses: their weighted mean, reduced as far as the combination predicts
 * unseen periods better than they do alone, and the spread between the long-term means.
 *
 * @param reanalyses The reanalyses; those with weight 0 count only for the spread
 * @param annual Mean annual energy of the combination, kWh
 * @param unseen Error of unseen periods of the combination; `null` with too few
 */
export function combineMonthErrors(
  reanalyses: readonly WeightedReanalysis[],
  annual: number,
  unseen: number | null,
): ErrorShare[] {
  const used = selectUsed(reanalyses);
  const singleSquare = used.reduce((sum, one) => sum + one.weight * (one.unseen ?? NaN) ** 2, 0);
  const factor = unseen === null || !(singleSquare > 0)
    ? 1
    : Math.min(1, unseen ** 2 / singleSquare);
  const spread = computeSpread(reanalyses, annual);
  return used[0].months.map((_, i) =>
    addShares(scaleShare(averageShares(used, used.map(({ months }) => months[i])), factor), spread)
  );
}

/**
 * Combines the errors of several reanalyses: their weighted mean, because they are largely the same; the errors of
 * months as {@linkcode combineMonthErrors} does; and the spread between their long-term means, each weighted by its
 * inverse mean square error.
 *
 * @param reanalyses The reanalyses; those with weight 0 count only for the spread
 * @param annual Mean annual energy of the combination, kWh
 * @param unseen Error of unseen periods of the combination; `null` with too few
 */
export function combineErrors(
  reanalyses: readonly ErrorsOfReanalysis[],
  annual: number,
  unseen: number | null,
): CalibrationErrors {
  const used = selectUsed(reanalyses);
  const first = used[0].errors!;
  const average = (of: (errors: CalibrationErrors) => ErrorShare) =>
    averageShares(used, used.map(({ errors }) => of(errors!)));
  const ofMonths = reanalyses.map((one) => ({ ...one, months: one.errors?.months ?? [] }));
  return {
    ...first,
    longTerm: {
      calibration: average(({ longTerm }) => longTerm.calibration),
      season: average(({ longTerm }) => longTerm.season),
      level: average(({ longTerm }) => longTerm.level),
      spread: computeSpread(reanalyses, annual),
    },
    months: combineMonthErrors(ofMonths, annual, unseen),
  };
}

/** Computes the error from the distances of the long-term means to the combined one. */
function computeSpread(
  reanalyses: readonly Omit<WeightedReanalysis, "months">[],
  annual: number,
): ErrorShare {
  const known = reanalyses.filter((one) => one.annual > 0);
  const trust = known.map(({ unseen }) => unseen === null ? 1 : 1 / unseen ** 2);
  const sum = trust.reduce((total, value) => total + value, 0);
  const variance = known.reduce(
    (total, one, i) => total + trust[i] / sum * Math.log(one.annual / annual) ** 2,
    0,
  );
  return buildShare(Math.sqrt(variance));
}
