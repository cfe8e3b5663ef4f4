import { buildRefuse, type Refuse } from "../../frames/read_columns.ts";
import type { MonthlyEnergy } from "../../windindex/index/monthly_energy.ts";
import {
  chooseReferencePeriod,
  computeNormals,
  MAX_REFERENCE_YEARS,
  type Normals,
  type ReferencePeriod,
} from "../../windindex/index/reference_period.ts";

/** The reference period of served figures, and how it was found. */
export interface IndexReference {
  /** Its years. */
  readonly period: ReferencePeriod;
  readonly normals: Normals;
  /**
   * Declared by the caller; chosen as in a first calibration, with the served normals; found among all spans of
   * years; or assumed, since no span gives the served normals or nothing was served.
   */
  readonly known: "declared" | "chosen" | "found" | "assumed";
}

/** Energy of the normal year or month that served figures refer to. */
interface ServedNormal {
  /** The energy, kWh. */
  readonly energy: number;
  /** Share by which it may be off, since served figures are rounded. @default {2e-4} */
  readonly tolerance?: number;
}

/** Normal year and month that served figures refer to; `undefined` where they do not show it. */
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
  const own = decimals.find((digits) => Number(figure.toFixed(digits)) === figure);
  return own === undefined ? 0 : 0.5 * 10 ** -own / Math.abs(figure);
}

/**
 * Computes the energy that is 100 % of an index.
 *
 * @param energy Served energy, MWh
 * @param index Served index, %
 * @param times Number of such energies in the normal one: 12 months for a year
 * @returns `undefined` where one of them is missing, or the index 0
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

function findWholeYears(months: readonly MonthlyEnergy[]): number[] {
  const counts = new Map<number, number>();
  for (const { year, energy } of months) {
    if (energy !== null) counts.set(year, (counts.get(year) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count === 12).map(([year]) => year)
    .sort((a, b) => a - b);
}

/** Lists all spans of consecutive whole years, longest and latest first. */
function* listSpans(years: readonly number[]): Generator<ReferencePeriod> {
  for (let length = Math.min(MAX_REFERENCE_YEARS, years.length); length > 0; length--) {
    for (let from = years.length - length; from >= 0; from--) {
      yield { years: years.slice(from, from + length) };
    }
  }
}

/** Checks the years that the caller declares. */
function readDeclaredPeriod(
  given: readonly [number, number],
  whole: readonly number[],
): ReferencePeriod {
  const [first, last] = [given].flat();
  const refuse: Refuse = buildRefuse(`take ${[given].flat().join(" to ")} as the reference period`);
  if (!(Number.isInteger(first) && Number.isInteger(last) && first <= last)) {
    refuse("give the first year and then the last one, as [2006, 2020]");
  }
  const years = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const missing = years.filter((year) => !whole.includes(year));
  if (missing.length > 0) {
    refuse(
      `the model data do not have twelve complete months of ${missing.join(", ")}. ` +
        "Ask modelData() for these years",
    );
  }
  return { years };
}

/**
 * Finds the reference period, which is 100 %. The API does not report it: without a declaration it is all whole
 * years, at most the last 20, or else the span of whole years that gives the served index. Among hundreds of spans
 * some give any normal year by chance; where the normal month is known too, it must fit as well.
 *
 * @param served Normals that the served indices refer to
 * @param declared First and last year, where the caller knows them
 * @returns `undefined` where the model data have no whole year
 * @throws {ArgumentError} If a declared year is not whole
 */
export function findIndexReference(
  months: readonly MonthlyEnergy[],
  served: ServedNormals,
  declared: readonly [number, number] | undefined,
): IndexReference | undefined {
  const years = findWholeYears(months);
  if (declared) {
    const period = readDeclaredPeriod(declared, years);
    return { period, normals: computeNormals(months, period), known: "declared" };
  }
  if (years.length === 0) return undefined;
  const period = chooseReferencePeriod(months);
  const chosen = { period, normals: computeNormals(months, period) };
  if (served.year === undefined) return { ...chosen, known: "assumed" };
  const { year, month } = served;
  const near = (own: number, { energy, tolerance = MIN_TOLERANCE }: ServedNormal) =>
    Math.abs(own / energy - 1) <= tolerance;
  const fits = (own: Normals) =>
    near(own.year, year) && (!month || near(own.months[month.name - 1], month));
  if (fits(chosen.normals)) return { ...chosen, known: "chosen" };
  for (const other of listSpans(years)) {
    const normals = computeNormals(months, other);
    if (fits(normals)) return { period: other, normals, known: "found" };
  }
  return { ...chosen, known: "assumed" };
}
