import { addShares, buildShare, type ErrorShare, scaleShare } from "./error_share.ts";
import type { CalibrationErrors } from "./uncertainty.ts";

/** A reanalysis behind a combined model. */
export interface ErrorsOfReanalysis {
  readonly errors: CalibrationErrors;
  /** Weight of its power. */
  readonly weight: number;
  /** Its error of unseen periods; `null` with too few. */
  readonly unseen: number | null;
  /** Mean annual energy of the reference period by it alone, kWh; NaN where it does not have the whole period. */
  readonly annual: number;
}

/**
 * Combines the errors of several reanalyses: their weighted mean, since they have much in common; that of months as far as the
 * combination predicts unseen ones better than they do alone; and the spread between their long-term means, each with
 * a weight in inverse proportion to its mean square error.
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
  const used = reanalyses.filter(({ weight }) => weight > 0);
  const [{ errors: first }] = used;
  const mean = (of: (errors: CalibrationErrors) => ErrorShare): ErrorShare => ({
    variance: used.reduce((sum, { errors, weight }) => sum + weight * of(errors).variance, 0),
    freedom: Math.min(...used.map(({ errors }) => of(errors).freedom)),
  });
  const alone = used.reduce((sum, one) => sum + one.weight * (one.unseen ?? NaN) ** 2, 0);
  const gain = unseen === null || !(alone > 0) ? 1 : Math.min(1, unseen ** 2 / alone);
  const spread = computeSpread(reanalyses, annual);
  return {
    ...first,
    longTerm: {
      calibration: mean(({ longTerm }) => longTerm.calibration),
      season: mean(({ longTerm }) => longTerm.season),
      level: mean(({ longTerm }) => longTerm.level),
      spread,
    },
    months: first.months.map((_, i) =>
      addShares(scaleShare(mean(({ months }) => months[i]), gain), spread)
    ),
  };
}

/** Computes the error that follows from the distance of the long-term means from the combined one. */
function computeSpread(reanalyses: readonly ErrorsOfReanalysis[], annual: number): ErrorShare {
  const known = reanalyses.filter((one) => one.annual > 0);
  const trust = known.map(({ unseen }) => unseen === null ? 1 : 1 / unseen ** 2);
  const sum = trust.reduce((total, value) => total + value, 0);
  const variance = known.reduce(
    (total, one, i) => total + trust[i] / sum * Math.log(one.annual / annual) ** 2,
    0,
  );
  return buildShare(Math.sqrt(variance));
}
