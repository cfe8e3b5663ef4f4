import { correlation } from "../../stats/regression.ts";
import { NORMAL_95 } from "../../windindex/uncertainty/error_terms.ts";

/** Fewest months for a monthly correlation. */
export const MIN_PAIRS = 6;

/** A month of production and of a reference. */
export interface MonthPair {
  /** Months since year 0: year x 12 + month - 1. */
  readonly number: number;
  /** Mean power. */
  readonly produced: number;
  /** Mean of the reference. */
  readonly reference: number;
}

/** Pairs the months that production and reference both have, in order of time. */
export function pairMonths(
  produced: ReadonlyMap<number, number>,
  reference: ReadonlyMap<number, number>,
): MonthPair[] {
  return [...produced].sort(([a], [b]) => a - b).flatMap(([number, power]): MonthPair[] => {
    const value = reference.get(number);
    return value === undefined ? [] : [{ number, produced: power, reference: value }];
  });
}

/** A correlation with its 90 % interval. */
export interface MonthlyCorrelation {
  /** Pearson's correlation. */
  readonly r: number;
  /** Lower end of its interval. */
  readonly low: number;
  /** Upper end. */
  readonly high: number;
}

const listProduced = (pairs: readonly MonthPair[]) => pairs.map((pair) => pair.produced);
const listReference = (pairs: readonly MonthPair[]) => pairs.map((pair) => pair.reference);

/**
 * Computes the correlation of the months, with its 90 % interval by Fisher's z, as if the months were independent.
 *
 * @returns `undefined` with fewer than six months, or where a side does not vary
 */
export function correlateMonths(pairs: readonly MonthPair[]): MonthlyCorrelation | undefined {
  if (pairs.length < MIN_PAIRS) return undefined;
  const found = correlation(listProduced(pairs), listReference(pairs));
  if (Number.isNaN(found)) return undefined;
  const r = Math.max(-1, Math.min(1, found)); // rounding may give a little more than 1
  const reach = NORMAL_95 / Math.sqrt(pairs.length - 3);
  const [low, high] = [-reach, reach].map((step) => Math.tanh(Math.atanh(r) + step));
  return { r, low, high };
}

/**
 * Tests whether the correlations of two references with the same production differ by more than chance.
 *
 * Source: X. Meng, R. Rosenthal and D. Rubin, "Comparing correlated correlation coefficients" (1992).
 *
 * @returns `undefined` with fewer than six months in common, or where one of them does not vary in these
 */
export function compareCorrelations(
  one: readonly MonthPair[],
  other: readonly MonthPair[],
) {
  const values = new Map(other.map(({ number, reference }) => [number, reference]));
  const common = one.filter(({ number }) => values.has(number));
  const n = common.length;
  if (n < MIN_PAIRS) return undefined;
  const beside = common.map(({ number }) => values.get(number)!);
  const first = correlation(listProduced(common), listReference(common));
  const second = correlation(listProduced(common), beside);
  const between = correlation(listReference(common), beside);
  if ([first, second, between].some(Number.isNaN)) return undefined;
  const square = (first ** 2 + second ** 2) / 2;
  const f = Math.min(1, (1 - between) / (2 * (1 - square)));
  const h = (1 - f * square) / (1 - square);
  const z = (Math.atanh(first) - Math.atanh(second)) *
    Math.sqrt((n - 3) / (2 * (1 - between) * h));
  // Two copies of one reference do not differ at all: 0 over 0.
  return { months: n, significant: Math.abs(z) > NORMAL_95 };
}
