import { findOutagePeriods } from "../../windindex/calibration/outage_periods.ts";
import type { IndexMonth } from "../series/index_months.ts";
import type { RecordPeriod } from "./record_screening.ts";

/** A month or year of a record with its index. */
export interface IndexPeriod extends RecordPeriod {
  /** Mean of the month indices of its months, %; `null` where one is missing. */
  readonly index: number | null;
}

/** A month or year that counts. */
export interface UsablePeriod extends IndexPeriod {
  readonly produced: number;
  readonly index: number;
}

/** Hours of a month on average. */
const MONTH_HOURS = 730;

/** Whether a period counts. */
export function isUsable(period: IndexPeriod): period is UsablePeriod {
  return period.reason === "";
}

/**
 * Adds up a figure over the months of a period; `null` where it is missing in one.
 *
 * @param values The figure by months since year 0
 */
export function sumMonths(
  { first, months }: RecordPeriod,
  values: ReadonlyMap<number, number | null>,
): number | null {
  let sum = 0;
  for (let number = first; number < first + months; number++) {
    const value = values.get(number) ?? null;
    if (value === null) return null;
    sum += value;
  }
  return sum;
}

/** Computes the mean index of the months of a period. */
function averageIndex(
  period: RecordPeriod,
  indices: ReadonlyMap<number, number | null>,
): number | null {
  const sum = sumMonths(period, indices);
  return sum === null ? null : sum / period.months;
}

/**
 * Joins the periods of a record with their index. Those without an index do not count, nor do outages that production
 * alone does not show: periods that produced far less than expected from their index and the other periods, as
 * calibration leaves them out.
 */
export function joinIndices(
  periods: readonly RecordPeriod[],
  months: readonly IndexMonth[],
): IndexPeriod[] {
  const indices = new Map(months.map(({ number, index }) => [number, index]));
  const indexed = periods.map((period): IndexPeriod => {
    const index = averageIndex(period, indices);
    if (period.reason !== "" || (index !== null && index > 0)) return { ...period, index };
    return { ...period, index, reason: index === null ? "no index" : "an index of 0 %" };
  });
  const usable = indexed.filter(isUsable);
  const found = findOutagePeriods(
    Float64Array.from(usable, ({ produced }) => produced),
    Float64Array.from(usable, ({ index, months }) => index * months),
    Float64Array.from(usable, ({ months }) => MONTH_HOURS * months),
  );
  const outages = new Map(
    usable.flatMap(({ label }, i) => Number.isNaN(found[i]) ? [] : [[label, found[i]]]),
  );
  return indexed.map((period) => {
    const share = outages.get(period.label);
    if (share === undefined) return period;
    const reason =
      `outage: produced ${(100 * share).toFixed(0)} % of what is expected from its index ` +
      "and the other periods";
    return { ...period, reason };
  });
}
