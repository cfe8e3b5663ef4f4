import { type Calibration, isWhole } from "../calibration/calibration.ts";
import { NORMAL_95 } from "./interval.ts";
import type { UncertaintyWidths } from "./uncertainty.ts";

/** A reanalysis behind a combined model. */
export interface WidthsOfReanalysis {
  readonly widths: UncertaintyWidths;
  readonly calibration: Calibration;
  /** Weight of its power. */
  readonly weight: number;
  /** Its error of unseen periods; `null` with too few. */
  readonly error: number | null;
  /** Mean annual energy of the reference period by it alone, kWh; NaN where it does not have the whole period. */
  readonly annual: number;
}

/**
 * Combines the widths of several reanalyses: their weighted mean, since their errors have much in common; that of months as far
 * as the combination predicts unseen ones better than they do alone; and the spread between their long-term means, each with
 * a weight in inverse proportion to its mean square error.
 *
 * @param reanalyses The reanalyses; those without a weight count for the spread only
 * @param annual Mean annual energy of the combination, kWh
 * @param error Error of unseen periods of the combination; `null` with too few
 */
export function combineWidths(
  reanalyses: readonly WidthsOfReanalysis[],
  annual: number,
  error: number | null,
): UncertaintyWidths {
  const used = reanalyses.filter(({ weight }) => weight > 0);
  const mean = (value: (widths: UncertaintyWidths) => number) => {
    const known = reanalyses.filter(({ widths }) => !Number.isNaN(value(widths)));
    const own = known.filter(({ weight }) => weight > 0);
    // Months that none with a weight has come from another one.
    const all = own.length > 0 ? own : known.map((one) => ({ ...one, weight: 1 }));
    const weight = all.reduce((sum, one) => sum + one.weight, 0);
    return all.reduce((sum, one) => sum + one.weight * value(one.widths), 0) / weight;
  };
  const alone = used.reduce((sum, one) => sum + one.weight * (one.error ?? NaN) ** 2, 0);
  const gain = error === null || !(alone > 0) ? 1 : Math.min(1, error ** 2 / alone);
  const spread = computeSpread(reanalyses, annual);
  const [first] = used;
  return {
    draws: first.widths.draws,
    seed: first.widths.seed,
    block: first.widths.block,
    k: first.widths.k,
    longTerm: {
      calibration: mean(({ longTerm }) => longTerm.calibration),
      season: mean(({ longTerm }) => longTerm.season),
      level: mean(({ longTerm }) => longTerm.level),
      spread,
    },
    months: first.widths.months.map((_, i) => gain * mean(({ months }) => months[i]) + spread),
  };
}

/** Computes the squared half width that follows from the distance of the long-term means from the combined one. */
function computeSpread(reanalyses: readonly WidthsOfReanalysis[], annual: number): number {
  const known = reanalyses.filter((one) => one.annual > 0 && one.calibration.periods.some(isWhole));
  const trust = known.map(({ error }) => error === null ? 1 : 1 / error ** 2);
  const sum = trust.reduce((total, value) => total + value, 0);
  return NORMAL_95 ** 2 *
    known.reduce((total, one, i) => total + trust[i] / sum * Math.log(one.annual / annual) ** 2, 0);
}
