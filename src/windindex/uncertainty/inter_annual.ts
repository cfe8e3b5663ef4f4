import type { MonthlyEnergy } from "../index/monthly_energy.ts";
import type { ReferencePeriod } from "../index/reference_period.ts";

/** Fewest years for an inter-annual variability. */
export const MIN_YEARS = 5;

/** Computes the standard deviation of the annual energies of a reference period over their mean; `null` with fewer than five years. */
export function computeInterAnnualVariability(
  months: readonly Pick<MonthlyEnergy, "year" | "energy">[],
  reference: ReferencePeriod,
): number | null {
  const { years } = reference;
  if (years.length < MIN_YEARS) return null;
  const energies = years.map((year) =>
    months.reduce((sum, month) => month.year === year ? sum + month.energy! : sum, 0)
  );
  const mean = energies.reduce((sum, value) => sum + value, 0) / years.length;
  const squares = energies.reduce((sum, value) => sum + (value / mean - 1) ** 2, 0);
  return Math.sqrt(squares / (years.length - 1));
}
