import { ArgumentError } from "../../api/errors.ts";
import type { MonthlyEnergy } from "./monthly_energy.ts";

/** Most years in a reference period. */
export const MAX_REFERENCE_YEARS = 20;

/** The whole years behind 100 %. */
export interface ReferencePeriod {
  /** The years, increasing. */
  readonly years: readonly number[];
}

/** Mean energies over the reference period: the normal year and its months. */
export interface Normals {
  /** Mean energy of each calendar month, January first, kWh. */
  readonly months: readonly number[];
  /** Mean energy of a year, kWh: the sum of the months. */
  readonly year: number;
}

/** Months at the end of a record in which reanalysis may still be preliminary. */
const PENDING_MONTHS = 4;

/**
 * Chooses the reference period: all whole years, at most the last 20. The latest year is left out while it has
 * preliminary hours and there are other years: otherwise each update of such hours would change the figures of all
 * months.
 *
 * @throws {ArgumentError} If no calendar year has twelve complete months
 */
export function chooseReferencePeriod(months: readonly MonthlyEnergy[]): ReferencePeriod {
  const complete = new Map<number, number>();
  for (const { year, energy } of months) {
    if (energy !== null) complete.set(year, (complete.get(year) ?? 0) + 1);
  }
  const wholeYears = [...complete].filter(([, count]) => count === 12).map(([year]) => year)
    .sort((a, b) => a - b);
  const latest = wholeYears[wholeYears.length - 1];
  const unsettled = months.slice(-PENDING_MONTHS)
    .some(({ year, preliminary }) => year === latest && preliminary);
  const years = (unsettled && wholeYears.length > 1 ? wholeYears.slice(0, -1) : wholeYears)
    .slice(-MAX_REFERENCE_YEARS);
  if (years.length === 0) {
    throw new ArgumentError(
      "Cannot choose a reference period: no calendar year of the climate record has twelve complete months. A " +
        "month needs nearly all of its hours. Give climate data of whole years, or download the missing hours",
    );
  }
  return { years };
}

/**
 * Computes mean energies over the reference period.
 *
 * @throws {ArgumentError} If a month of the reference period is incomplete
 */
export function computeNormals(
  months: readonly MonthlyEnergy[],
  reference: ReferencePeriod,
): Normals {
  const sums = new Array<number>(12).fill(0);
  const counts = new Array<number>(12).fill(0);
  const years = new Set(reference.years);
  for (const { year, month, energy } of months) {
    if (!years.has(year) || energy === null) continue;
    sums[month - 1] += energy;
    counts[month - 1]++;
  }
  if (counts.some((count) => count !== years.size)) {
    throw new ArgumentError(
      `Cannot use the reference period ${reference.years[0]} to ${reference.years.at(-1)}: ` +
        "some months of this period are incomplete. Give climate data for all their hours, or recalibrate to choose another period",
    );
  }
  const means = sums.map((sum) => sum / years.size);
  return { months: means, year: means.reduce((sum, value) => sum + value, 0) };
}
