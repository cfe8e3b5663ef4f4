import type { DataFrame } from "nodejs-polars";
import { MIN_COMPLETENESS } from "../../windindex/index/monthly_energy.ts";
import { readMonthlyProduction } from "../series/monthly_production.ts";

/** A month of production. */
export interface ProducedMonth {
  /** Energy of all hours, MWh; `null` where it is missing, or of less than 98 % of them. */
  readonly energy: number | null;
  /** The same, also of half of the hours on, by the valid hours of a monthly energy. */
  readonly scaled: number | null;
  /** Share of its hours with production; `null` where it is unknown. */
  readonly completeness: number | null;
}

/** Production by months since year 0, in order of time. */
export type ProductionByMonth = ReadonlyMap<number, ProducedMonth>;

/** Months of production, and notes on averaging. */
interface ProducedMonths {
  readonly months: ProductionByMonth;
  /** How steps below an hour were averaged to hours, in sentences. */
  readonly notes: readonly string[];
}

/**
 * Reads the months of production; empty without production.
 *
 * @param production Hours or months of one turbine
 * @param timeZone Zone that sets the months, of hours. @default that of the stamps
 */
export function readProducedMonths(
  production: DataFrame | undefined,
  timeZone: string | undefined,
): ProducedMonths {
  if (!production) return { months: new Map(), notes: [] };
  const { frame, notes } = readMonthlyProduction(production, timeZone);
  const [numbers, energies, shares] = ["number", "energy", "completeness"]
    .map((name) => frame.getColumn(name).toArray() as (number | null)[]);
  const months = new Map(numbers.map((number, i) => {
    const completeness = shares[i];
    const energy = completeness !== null && completeness < MIN_COMPLETENESS ? null : energies[i];
    return [number!, { energy, scaled: energies[i], completeness }] as const;
  }));
  return { months, notes };
}
