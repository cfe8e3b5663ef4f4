import { month as monthColumn } from "../../api/columns/columns.ts";
import { MIN_COMPLETENESS } from "../../windindex/index/monthly_energy.ts";
import type { Refuse } from "../../frames/read_columns.ts";
import type { SingleCandidate } from "./candidates.ts";
import { fitHours } from "./fit_hours.ts";
import { fitMonths } from "./fit_months.ts";
import { MIN_PAIRS } from "./monthly_pairs.ts";
import type { ProductionSeries, ReferenceFit } from "./reference_fit.ts";

/** Explains why the monthly r is missing. */
function explainMissingR({ length }: ReferenceFit["pairs"]): string {
  return length < MIN_PAIRS
    ? `fewer than ${MIN_PAIRS} months with ${100 * MIN_COMPLETENESS} % of their hours in ` +
      "both: no monthly r"
    : "no monthly r: its months or those of the production do not vary";
}

/** Compares a candidate with the production. */
export function fitReference(
  compared: ProductionSeries,
  candidate: SingleCandidate,
  refuse: Refuse,
): ReferenceFit {
  if (candidate.frame.height === 0) refuse("it has no rows");
  const byMonth = candidate.frame.columns.includes(monthColumn.name);
  const fit = byMonth
    ? fitMonths(compared, candidate, refuse)
    : fitHours(compared, candidate, refuse);
  const overlaps = fit.pairs.length > 0 || (fit.hours ?? 0) > 0;
  return overlaps && !fit.monthly
    ? { ...fit, notes: [explainMissingR(fit.pairs), ...fit.notes] }
    : fit;
}
