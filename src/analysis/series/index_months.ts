import type { DataFrame } from "nodejs-polars";
import { type Column, pickColumns } from "../../api/columns/column.ts";
import { monthlyIndicesFrame, turbineId } from "../../api/columns/columns.ts";
import { buildRefuse, readMonths, readNumbers, type Refuse } from "../../frames/read_columns.ts";
import { computeInterAnnualVariability } from "../../windindex/uncertainty/error_terms.ts";

/** A month of a frame of monthly indices; figures that are missing are `null`. */
export interface IndexMonth {
  /** Months since year 0: year x 12 + month - 1. */
  readonly number: number;
  /** Calendar year. */
  readonly year: number;
  /** Calendar month, 1 to 12. */
  readonly month: number;
  /** Month index, %. */
  readonly index: number | null;
  /** Month abnormality index, %. */
  readonly abnormality: number | null;
  /** Predicted production, MWh. */
  readonly predicted: number | null;
  /** Share of valid hours. */
  readonly completeness: number | null;
}

const [month, index, abnormality, predicted, completeness] = pickColumns(monthlyIndicesFrame, [
  "month",
  "month_index",
  "month_abnormality_index",
  "predicted_production",
  "completeness",
]);

/**
 * Reads a frame of monthly indices of one turbine.
 *
 * @param indices Frame with `month` and `month_index`, and other columns of `monthlyIndices()`
 * @param what Action, for messages: "estimate the long-term production"
 * @returns The months in order of time
 * @throws {ArgumentError} If a column is missing or of another type, or a month is duplicated
 */
export function readIndexMonths(indices: DataFrame, what: string): IndexMonth[] {
  const names = Object.keys(indices);
  const refuse: Refuse = buildRefuse(what, "the indices");
  const missing = [month, index].filter(({ name }) => !names.includes(name));
  if (missing.length > 0) {
    const list = missing.map(({ name, unit }) => unit ? `"${name}" (${unit})` : `"${name}"`);
    refuse(
      `lack ${list.join(", ")}; they have ${names.join(", ") || "no columns"}. ` +
        "Give the frame of monthlyIndices(), or rename a column of yours",
    );
  }
  const refuseColumn = buildRefuse(`${what} from the indices`);
  const numbers = readMonths(indices, month.name, refuseColumn);
  if (names.includes(turbineId.name) && indices.getColumn(turbineId.name).nUnique() > 1) {
    refuse(`are of several turbines. Keep one by "${turbineId.name}"`);
  }
  const values = ({ name }: Column): (number | null)[] => {
    if (!names.includes(name)) return numbers.map(() => null);
    const read = readNumbers(indices, name, refuseColumn);
    return Array.from(read, (value) => Number.isNaN(value) ? null : value);
  };
  const columns = [index, abnormality, predicted, completeness].map(values);
  const rows = numbers.map((number, i): IndexMonth => ({
    number,
    year: Math.floor(number / 12),
    month: number % 12 + 1,
    index: columns[0][i],
    abnormality: columns[1][i],
    predicted: columns[2][i],
    completeness: columns[3][i],
  })).sort((a, b) => a.number - b.number);
  const duplicate = rows.find((row, i) => i > 0 && row.number === rows[i - 1].number);
  if (duplicate) {
    refuse(
      `have duplicate rows of ${duplicate.year}-${
        String(duplicate.month).padStart(2, "0")
      }. Keep one row a month`,
    );
  }
  return rows;
}

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
