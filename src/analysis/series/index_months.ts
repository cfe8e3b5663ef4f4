import type { DataFrame } from "nodejs-polars";
import { type Column, pickColumns } from "../../api/columns/column.ts";
import { monthlyIndicesFrame, turbineId } from "../../api/columns/columns.ts";
import { buildRefuse, readMonths, readNumbers, type Refuse } from "../../frames/read_columns.ts";
import { computeInterAnnualVariability } from "../../windindex/uncertainty/error_terms.ts";
import type { MonthlyEnergy } from "../../windindex/index/monthly_energy.ts";
import {
  chooseReferencePeriod,
  computeNormals,
  MAX_REFERENCE_YEARS,
  type Normals,
  type ReferencePeriod,
} from "../../windindex/index/reference_period.ts";

/** A month of a frame of monthly indices; missing figures are `null`. */
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
 * @param action Action named in messages: "estimate the long-term production"
 * @returns The months in order of time
 * @throws {ArgumentError} If a column is missing or of another type, or a month is duplicated
 */
export function readIndexMonths(indices: DataFrame, action: string): IndexMonth[] {
  const names = Object.keys(indices);
  const refuse: Refuse = buildRefuse(action, "the indices");
  const missing = [month, index].filter(({ name }) => !names.includes(name));
  if (missing.length > 0) {
    const list = missing.map(({ name, unit }) => unit ? `"${name}" (${unit})` : `"${name}"`);
    refuse(
      `lack ${list.join(", ")}. They have ${names.join(", ") || "no columns"}. ` +
        "Give the frame from monthlyIndices(), or rename your column",
    );
  }
  const refuseColumn = buildRefuse(`${action} from the indices`);
  const numbers = readMonths(indices, month.name, refuseColumn);
  if (names.includes(turbineId.name) && indices.getColumn(turbineId.name).nUnique() > 1) {
    refuse(`have several turbines. Keep the rows with one "${turbineId.name}"`);
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
      `repeat ${duplicate.year}-${String(duplicate.month).padStart(2, "0")}. Keep one row a month`,
    );
  }
  return rows;
}

/** The normal year behind the indices of a service. */
export interface MonthNormals {
  /** N(m), the energy of a normal month, January first, MWh; `null` if no month of that name has both figures. */
  readonly months: readonly (number | null)[];
  /** A, the energy of a normal year, MWh; `null` if no month has both figures. */
  readonly year: number | null;
  /** Whole calendar years of the frame. */
  readonly years: readonly number[];
  /** Standard deviation of the indices of these years over their mean, as a share; `null` with fewer than five. */
  readonly interAnnualVariability: number | null;
  /** Warnings, such as that months of the frame refer to different normals. */
  readonly notes: readonly string[];
}

/** Share by which normals of one edition may differ, because the service rounds its figures. */
const TOLERANCE = 1e-3;

/** Selects the value of the latest month, and reports whether an earlier one differs. */
function selectNormal(values: readonly number[]): { value: number | null; differ: boolean } {
  const value = values.at(-1) ?? null;
  return { value, differ: values.some((other) => Math.abs(other / value! - 1) > TOLERANCE) };
}

/** Computes the energy of an index of 100 %, MWh: `predicted` over the index. */
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

/** Finds calendar years in which all twelve months have a value. */
function findWholeYears<Month extends { readonly year: number }>(
  months: readonly Month[],
  valueOf: (month: Month) => number | null,
): number[] {
  const known = months.filter((month) => valueOf(month) !== null);
  return [...Map.groupBy(known, ({ year }) => year)]
    .flatMap(([year, { length }]) => length === 12 ? [year] : []).sort((a, b) => a - b);
}

/**
 * Computes the energies of the normal year and months from a service's indices: predicted energy over index.
 *
 * @param indices Frame of `monthlyIndices()` of one turbine, or its months
 * @param action Action named in messages
 * @throws {ArgumentError} If a column is missing or of another type, or a month is duplicated
 */
export function computeMonthNormals(
  indices: DataFrame | readonly IndexMonth[],
  action: string,
): MonthNormals {
  const months = Array.isArray(indices)
    ? indices as readonly IndexMonth[]
    : readIndexMonths(indices as DataFrame, action);
  const ofName = Array.from(
    { length: 12 },
    (_, i) =>
      selectNormal(
        computeNormalEnergies(months.filter(({ month }) => month === i + 1), "abnormality"),
      ),
  );
  const ofYear = selectNormal(computeNormalEnergies(months, "index").map((energy) => 12 * energy));
  const years = findWholeYears(months, ({ index }) => index);
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
        "The months of the indices refer to different normal years; the normal year of the latest month is used.",
      ]
      : [],
  };
}

/** The reference period of a service's figures, and how we know it. */
export interface IndexReference {
  /** Its years. */
  readonly period: ReferencePeriod;
  readonly normals: Normals;
  /**
   * Declared by the caller; chosen as in a first calibration, and consistent with the service's normals; found among
   * all spans of years; or assumed, because no span gives the service's normals or it sent none.
   */
  readonly known: "declared" | "chosen" | "found" | "assumed";
}

/** Energy of the normal year or month behind a service's figures. */
interface ServedNormal {
  /** The energy, kWh. */
  readonly energy: number;
  /** Share by which it may be off, because the service rounds its figures. @default {2e-4} */
  readonly tolerance?: number;
}

/** Normal year and month behind a service's figures; `undefined` if they do not show it. */
export interface ServedNormals {
  /** A normal year. */
  readonly year?: ServedNormal | undefined;
  /** A normal month, and its calendar month: 1 to 12. */
  readonly month?: (ServedNormal & { readonly name: number }) | undefined;
}

/** Relative error of figures with many digits. */
const MIN_TOLERANCE = 2e-4;

/** Largest number of decimals of a rounded figure. */
const MAX_DECIMALS = 4;

/** Estimates the relative rounding error of a figure by its number of decimals. */
function estimateRounding(figure: number): number {
  const decimals = Array.from({ length: MAX_DECIMALS + 1 }, (_, i) => i);
  const decimalCount = decimals.find((digits) => Number(figure.toFixed(digits)) === figure);
  return decimalCount === undefined ? 0 : 0.5 * 10 ** -decimalCount / Math.abs(figure);
}

/**
 * Computes the energy of an index of 100 %.
 *
 * @param energy Energy from the service, MWh
 * @param index Index from the service, %
 * @param times Number of such energies in the normal one: 12 months for a year
 * @returns `undefined` if one of them is missing, or the index is 0
 */
export function computeServedNormal(
  energy: number | null,
  index: number | null,
  times: number,
): ServedNormal | undefined {
  if (!energy || !index) return undefined;
  return {
    energy: times * 100 * 1000 * energy / index,
    tolerance: Math.max(MIN_TOLERANCE, estimateRounding(energy) + estimateRounding(index)),
  };
}

/** Lists all spans of consecutive whole years, longest and latest first. */
function* listSpans(years: readonly number[]): Generator<ReferencePeriod> {
  for (let length = Math.min(MAX_REFERENCE_YEARS, years.length); length > 0; length--) {
    for (let from = years.length - length; from >= 0; from--) {
      yield { years: years.slice(from, from + length) };
    }
  }
}

/** Checks the years declared by the caller. */
function readDeclaredPeriod(
  declared: readonly [number, number],
  wholeYears: readonly number[],
): ReferencePeriod {
  const [first, last] = [declared].flat();
  const refuse: Refuse = buildRefuse(
    `take ${[declared].flat().join(" to ")} as the reference period`,
  );
  if (!(Number.isInteger(first) && Number.isInteger(last) && first <= last)) {
    refuse("it must be two whole years, the earlier one first. Give them as [2006, 2020]");
  }
  const years = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const missing = years.filter((year) => !wholeYears.includes(year));
  if (missing.length > 0) {
    refuse(
      `the model data do not have twelve complete months of ${
        missing.join(", ")
      }. Ask modelData() for these years`,
    );
  }
  return { years };
}

/**
 * Finds the reference period, which is 100 %. The API does not report it: without a declaration it is all whole years,
 * at most the last 20, or else the span of whole years that gives the service's index. Among hundreds of spans some
 * match any normal year by chance, so the normal month must match too, if it is known.
 *
 * @param served Normals behind the service's indices
 * @param declared First and last year, if the caller knows them
 * @returns `undefined` if the model data have no whole year
 * @throws {ArgumentError} If a declared year is not whole
 */
export function findIndexReference(
  months: readonly MonthlyEnergy[],
  served: ServedNormals,
  declared: readonly [number, number] | undefined,
): IndexReference | undefined {
  const years = findWholeYears(months, ({ energy }) => energy);
  if (declared) {
    const period = readDeclaredPeriod(declared, years);
    return { period, normals: computeNormals(months, period), known: "declared" };
  }
  if (years.length === 0) return undefined;
  const period = chooseReferencePeriod(months);
  const chosen = { period, normals: computeNormals(months, period) };
  if (served.year === undefined) return { ...chosen, known: "assumed" };
  const { year, month } = served;
  const near = (computed: number, { energy, tolerance = MIN_TOLERANCE }: ServedNormal) =>
    Math.abs(computed / energy - 1) <= tolerance;
  const fits = (normals: Normals) =>
    near(normals.year, year) && (!month || near(normals.months[month.name - 1], month));
  if (fits(chosen.normals)) return { ...chosen, known: "chosen" };
  for (const candidate of listSpans(years)) {
    const normals = computeNormals(months, candidate);
    if (fits(normals)) return { period: candidate, normals, known: "found" };
  }
  return { ...chosen, known: "assumed" };
}
