import type { DataFrame } from "nodejs-polars";
import type { ExpectedEnergy } from "./budget_months.ts";

/** Production so far, compared with the expected energy of the same months. */
export interface BudgetToDate extends ExpectedEnergy {
  /** Months with production. */
  readonly months: number;
  /** Energy produced in them, MWh. */
  readonly produced: number;
  /** Produced over expected energy, %. */
  readonly ratio: number;
  /** What the wind of these months allowed: modelled energy at the turbine's level, MWh; `null` where a month of it is unknown. */
  readonly allowed: number | null;
}

/** Expected production of a turbine by month; it shows itself in notebooks and on the console. */
export interface Budget {
  /** Source of the normal months: the model, or the turbine's own production. */
  readonly basis: "prediction" | "production normals";
  /** Produced over modelled energy by which normal months are scaled; 1 where it is unknown. */
  readonly level: number;
  /**
   * A row a month: `month`, `expected`, `low`, `high`, `predicted_production`, `produced` (MWh), `completeness`, and
   * the sums from the first month on.
   */
  readonly months: DataFrame;
  /** All months together: `expected`, and its 90 % `interval`, MWh. */
  readonly total: ExpectedEnergy;
  /** The `months` with production: `produced`, `expected` with its `interval`, `ratio` (%), and what their wind `allowed`; `null` where there are none. */
  readonly toDate: BudgetToDate | null;
  /** Energy produced so far plus that expected of the other months, with its `interval`; `null` before the first and after the last month of production. */
  readonly forecast: ExpectedEnergy | null;
  /** Results in sentences. */
  readonly summary: readonly string[];
  /** What could not be computed, and the data that would allow it. */
  readonly notes: readonly string[];
}
