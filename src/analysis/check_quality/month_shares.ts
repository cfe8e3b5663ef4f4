import type { DataFrame } from "nodejs-polars";
import { buildFrame } from "../../frames/frame.ts";
import { listMonthSpans } from "../../windindex/index/monthly_energy.ts";
import { completenessColumns, monthShareColumns } from "./quality_columns.ts";
import type { QualitySeries } from "./quality_series.ts";

/** Completeness of a calendar month. */
export interface MonthShare {
  /** Calendar year. */
  readonly year: number;
  /** Calendar month, 1 to 12. */
  readonly month: number;
  /** Share of its hours that have a value. */
  readonly share: number;
  /** Whether the record begins or ends within it. @default neither */
  readonly cut?: "begins" | "ends" | "begins and ends" | undefined;
}

/** Computes the completeness of each month that a series touches, over the month's real hours in its zone. */
export function computeMonthShares(
  { values, perHour, axis, timeZone, rows: [first, end] }: QualitySeries,
): MonthShare[] {
  return listMonthSpans(axis, timeZone).map(({ year, month, ...hours }) => {
    const [from, to] = [hours.from * perHour, hours.to * perHour];
    const own = values.subarray(Math.max(0, from), to);
    const valid = own.reduce((count, value) => Number.isNaN(value) ? count : count + 1, 0);
    const [begins, ends] = [first > from, end < to];
    const cut = begins && ends ? "begins and ends" : begins ? "begins" : ends ? "ends" : undefined;
    return { year, month, share: valid / (to - from), cut };
  });
}

/** Builds a table of years by months; months outside of the record are null. */
export function buildCompletenessTable(shares: readonly MonthShare[]): DataFrame {
  const [first, last] = [shares[0].year, shares[shares.length - 1].year];
  const years = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const known = new Map(shares.map(({ year, month, share }) => [12 * year + month, share]));
  return buildFrame(completenessColumns, {
    year: years,
    ...Object.fromEntries(monthShareColumns.map(({ name }, i) => [
      name,
      years.map((year) => known.get(12 * year + i + 1) ?? null),
    ])),
  });
}
