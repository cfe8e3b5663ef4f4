import type { PredictedInterval, WindIndicesRow } from "../../api/columns/month_columns.ts";
import { monthNumberOf } from "../../time/zones.ts";
import type { MonthlyEnergy } from "./monthly_energy.ts";
import type { Normals } from "./reference_period.ts";

/**
 * Figures of a month that the engine computes: the month of the API without status, revision and interval. A figure
 * that includes an incomplete month is `null`.
 */
export interface MonthIndices
  extends Required<Omit<WindIndicesRow, "status" | "revision" | keyof PredictedInterval>> {
  /** Share of valid hours. */
  readonly completeness: number;
  /** Whether the climate of any hour may still change. */
  readonly preliminary: boolean;
}

/**
 * Computes the six figures of every month.
 *
 * @param months Monthly energies in order of time
 * @param normals Energies of the normal year and months, which are 100 %
 */
export function computeMonthIndices(
  months: readonly MonthlyEnergy[],
  normals: Normals,
): MonthIndices[] {
  const energies = new Map(months.map((entry) => [monthNumberOf(entry), entry.energy]));
  /** Sums `count` months from month number `from`; `null` if one is missing. */
  const sum = (from: number, count: number): number | null => {
    let total = 0;
    for (let i = from; i < from + count; i++) {
      const energy = energies.get(i) ?? null;
      if (energy === null) return null;
      total += energy;
    }
    return total;
  };

  return months.map((entry) => {
    /** An incomplete month has no figures at all, not even those of earlier months. */
    const percent = (energy: number | null, normal: number): number | null =>
      entry.energy === null || energy === null ? null : 100 * energy / normal;
    const number = monthNumberOf(entry);
    const quarter = Math.floor((number + 1) / 3) * 3 - 3; // first month of the last full quarter
    const year = Math.floor((number + 1) / 12) * 12 - 12; // January of the last full year
    const quarterNormal = [0, 1, 2]
      .reduce((total, i) => total + normals.months[(quarter + i) % 12], 0);
    return {
      year: entry.year,
      month: entry.month,
      month_index: percent(entry.energy, normals.year / 12),
      month_abnormality_index: percent(entry.energy, normals.months[entry.month - 1]),
      last12_month_index: percent(sum(number - 11, 12), normals.year),
      last_full_quarter_index: percent(sum(quarter, 3), quarterNormal),
      last_full_year_index: percent(sum(year, 12), normals.year),
      predicted_production: entry.energy === null ? null : entry.energy / 1000,
      completeness: entry.completeness,
      preliminary: entry.preliminary,
    };
  });
}
