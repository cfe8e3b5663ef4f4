import type { DataFrame } from "nodejs-polars";
import { computeInterAnnualVariability } from "../../windindex/uncertainty/error_terms.ts";
import { type IndexMonth, readIndexMonths } from "./index_months.ts";

/** The normal year that served indices refer to. */
export interface MonthNormals {
  /** N(m), the energy of a normal month, January first, MWh; `null` where no month of the same name has both figures. */
  readonly months: readonly (number | null)[];
  /** A, the energy of a normal year, MWh; `null` where no month has both figures. */
  readonly year: number | null;
  /** Whole calendar years of the frame. */
  readonly years: readonly number[];
  /** Standard deviation of the indices of these years over their mean, as a share; `null` with fewer than five. */
  readonly interAnnualVariability: number | null;
  /** Warnings, such as that months of the frame refer to different normals. */
  readonly notes: readonly string[];
}

/** Share by which normals of one edition may differ, since served figures are rounded. */
const TOLERANCE = 1e-3;

/** Selects the value of the latest month, and whether an earlier one differs. */
function selectNormal(values: readonly number[]): { value: number | null; differ: boolean } {
  const value = values.at(-1) ?? null;
  return { value, differ: values.some((other) => Math.abs(other / value! - 1) > TOLERANCE) };
}

/** Computes the energy that is 100 % of an index, MWh: `predicted` over the index. */
function computeNormalEnergies(
  months: readonly IndexMonth[],
  of: "index" | "abnormality",
): number[] {
  return months.flatMap((month) => {
    const percent = month[of];
    return percent !== null && percent > 0 && month.predicted !== null
      ? [100 * month.predicted / percent]
      : [];
  });
}

/** Finds calendar years with twelve months that have an index. */
function findWholeYears(months: readonly IndexMonth[]): number[] {
  const counts = new Map<number, number>();
  for (const { year, index } of months) {
    if (index !== null) counts.set(year, (counts.get(year) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count === 12).map(([year]) => year);
}

/**
 * Computes the energies of the normal year and months from served indices: predicted energy over index.
 *
 * @param indices Frame of `monthlyIndices()` of one turbine, or its months
 * @param what Action, for messages
 * @throws {ArgumentError} If a column is missing or of another type, or a month is duplicated
 */
export function computeMonthNormals(
  indices: DataFrame | readonly IndexMonth[],
  what: string,
): MonthNormals {
  const months = Array.isArray(indices)
    ? indices as readonly IndexMonth[]
    : readIndexMonths(indices as DataFrame, what);
  const ofName = Array.from(
    { length: 12 },
    (_, i) =>
      selectNormal(
        computeNormalEnergies(months.filter(({ month }) => month === i + 1), "abnormality"),
      ),
  );
  const ofYear = selectNormal(computeNormalEnergies(months, "index").map((energy) => 12 * energy));
  const years = findWholeYears(months);
  const counted = new Set(years);
  return {
    months: ofName.map(({ value }) => value),
    year: ofYear.value,
    years,
    interAnnualVariability: computeInterAnnualVariability(
      months.filter(({ year }) => counted.has(year)).map(({ year, index }) => ({
        year,
        energy: index,
      })),
      { years },
    ),
    notes: [ofYear, ...ofName].some(({ differ }) => differ)
      ? [
        "The months of the indices do not all refer to the same normal year; that of the latest month is used.",
      ]
      : [],
  };
}
