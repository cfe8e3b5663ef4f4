import type { Production } from "../../windindex/calibration/production.ts";
import type { Trend } from "../../windindex/index/annual_trend.ts";
import type { MonthlyCorrelation, MonthPair } from "./monthly_pairs.ts";

/** Compares a candidate with the production. */
export interface ReferenceFit {
  /** Column that was compared. */
  readonly column: string;
  /** Hours with a value in both; `undefined` where one of them has months. */
  readonly hours: number | undefined;
  /** Months of which enough has a value in both. */
  readonly pairs: readonly MonthPair[];
  readonly monthly: MonthlyCorrelation | undefined;
  readonly hourlyR: number | undefined;
  /** Whole hours by which production comes later; `undefined` where it is unknown. */
  readonly lag: number | undefined;
  readonly trend: Trend | undefined;
  /** Whole years of the record; `undefined` where it is not a wind speed. */
  readonly years: number | undefined;
  /** Share of the record that has a value. */
  readonly completeness: number;
  /** First and last stamp, ms since 1970 UTC. */
  readonly record: readonly [first: number, last: number];
  /** What was left out or could not be computed. */
  readonly notes: readonly string[];
}

/** Production with the zone of its months. */
export interface ProductionSeries {
  readonly production: Production;
  readonly timeZone: string;
}
