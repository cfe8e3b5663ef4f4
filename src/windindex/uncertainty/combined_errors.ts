import { addShares, buildShare, type ErrorShare, scaleShare } from "./error_terms.ts";
import type { CalibrationErrors } from "./uncertainty.ts";

/** A reanalysis behind a combined model. */
export interface WeightedReanalysis {
  /** Weight of its power. */
  readonly weight: number;
  /** Its error of unseen periods; `null` with too few. */
  readonly unseen: number | null;
  /** Mean annual energy of the reference period by it alone, kWh; NaN where it does not have the whole period. */
  readonly annual: number;
  /** Error of each month. */
  readonly months: readonly ErrorShare[];
}

/** A reanalysis behind a combined model, with all of its errors. */
export interface ErrorsOfReanalysis extends Omit<WeightedReanalysis, "months"> {
  /** They are read where it has a weight. */
  readonly errors: CalibrationErrors | null;
}

/** The reanalyses with a weight. */
function selectUsed<R extends { readonly weight: number }>(reanalyses: readonly R[]): R[] {
  return reanalyses.filter(({ weight }) => weight > 0);
}

/** The weighted mean of errors that have much in common. */
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
 * Combines the errors of months of several reanalyses: their weighted mean as far as the combination predicts unseen ones
 * better than they do alone, and the spread between the long-term means.
 *
 * @param reanalyses The reanalyses; those without a weight count for the spread only
 * @param annual Mean annual energy of the combination, kWh
 * @param unseen Error of unseen periods of the combination; `null` with too few
 */
export function combineMonthErrors(
  reanalyses: readonly WeightedReanalysis[],
  annual: number,
  unseen: number | null,
): ErrorShare[] {
  const used = selectUsed(reanalyses);
  const alone = used.reduce((sum, one) => sum + one.weight * (one.unseen ?? NaN) ** 2, 0);
  const gain = unseen === null || !(alone > 0) ? 1 : Math.min(1, unseen ** 2 / alone);
  const spread = computeSpread(reanalyses, annual);
  return used[0].months.map((_, i) =>
    addShares(scaleShare(averageShares(used, used.map(({ months }) => months[i])), gain), spread)
  );
}

/**
 * Combines the errors of several reanalyses: their weighted mean, since they have much in common; that of months as
 * {@linkcode combineMonthErrors} does; and the spread between their long-term means, each with a weight in inverse
 * proportion to its mean square error.
 *
 * @param reanalyses The reanalyses; those without a weight count for the spread only
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

/** Computes the error that follows from the distance of the long-term means from the combined one. */
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
