import type { DataFrame } from "nodejs-polars";
import type { ExpectedEnergy } from "./budget_months.ts";

/** What was produced so far against what was expected of the same months. */
export interface BudgetToDate extends ExpectedEnergy {
  /** Months with production. */
  readonly months: number;
  /** Energy produced in them, MWh. */
  readonly produced: number;
  /** Produced over expected energy, %. */
  readonly ratio: number;
  /** What the wind of these months allowed: modelled energy at the turbine's level, MWh; `null` where a month of it is not known. */
  readonly allowed: number | null;
}

/** What a turbine is expected to produce, month by month; it shows itself in notebooks and on the console. */
export interface Budget {
  /** What normal months come from: the model, or the turbine's own production. */
  readonly basis: "prediction" | "production normals";
  /** Produced over modelled energy by which normal months are scaled; 1 where it was neither given nor told. */
  readonly level: number;
  /** A row a month: `month`, `expected`, `low`, `high`, `predicted_production`, `produced` (MWh), `completeness`, and the sums from the first month on. */
  readonly months: DataFrame;
  /** All months together. */
  readonly total: ExpectedEnergy;
  /** The months with production; `null` where there are none. */
  readonly toDate: BudgetToDate | null;
  /** What was produced so far and what the other months lead to expect; `null` where nothing was produced, or all was. */
  readonly forecast: ExpectedEnergy | null;
  /** What it says, in sentences. */
  readonly summary: readonly string[];
  /** What could not be told, and what to give so that it can. */
  readonly notes: readonly string[];
}
