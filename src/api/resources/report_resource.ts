import { z } from "zod";
import type { Column } from "../columns/column.ts";
import { figures, monthState, predictedInterval } from "../columns/columns.ts";
import { field, recordOf } from "./resources.ts";

/** Monthly turbine report as our service sends it. */
export interface MonthlyReportResource {
  /** Identifier of the turbine. */
  turbine_id: string;
  /** Name of the turbine. */
  name: string;
  /** Month of the report, YYYY-MM. */
  period: string;
  /** Revision of the report, counted from 1. */
  revision: number;
  /** `final` or `preliminary`. */
  status: string;
  /** Share of the month's hours that are valid. */
  completeness: number | null;
  /** The six figures of the month by wire name, and the interval of the predicted production. */
  indices: Record<string, unknown>;
  /** The twelve months that end with the report's own: `period`, the figures by wire name, state and interval. */
  history: ({ period: string } & Record<string, unknown>)[];
  /** Years that 100 % refers to, and what a year of them gives. */
  reference_period: {
    first_year: number;
    last_year: number;
    mean_annual_production: number | null;
    mean_annual_production_low: number | null;
    mean_annual_production_high: number | null;
    inter_annual_variability: number | null;
  };
  /** How the model was fitted: scaling of the wind speed, window, periods and hours used, residual, findings. */
  calibration: {
    revision: number;
    k: number;
    k_low: number | null;
    k_high: number | null;
    scaling: string;
    parameters: { name: string; value: number }[];
    candidates: { scaling: string; error: number }[];
    training_start: string;
    training_end: string;
    periods: number;
    hours: number;
    residual: number | null;
    findings: string[];
  };
  /** What the intervals are: probability in %, draws of the bootstrap and seed of its random numbers. */
  intervals: { level: number; draws: number; seed: number } | null;
  /** Choices and missing inputs that a reader should know. */
  notes: string[];
  /** Additions of the service. */
  [addition: string]: unknown;
}

/** A field of the report: the API text shows none. */
function ours<T extends z.ZodType>(type: T, description: string): T {
  return field(type, description, "ours");
}

const text = (description: string) => ours(z.string(), description);
const whole = (description: string) => ours(z.int(), description);
const number = (description: string) => ours(z.number(), description);
const numberOrNull = (description: string) => ours(z.number().nullable(), description);
const texts = (description: string) => ours(z.array(z.string()), description);

const indices = recordOf([...figures, ...predictedInterval]);
const history = recordOf([...figures, ...monthState] as Column[]).extend({
  period: text("Month, YYYY-MM."),
});

const referencePeriod = z.looseObject({
  first_year: whole("First year."),
  last_year: whole("Last year."),
  mean_annual_production: numberOrNull("Mean annual energy, of one turbine. Unit: MWh."),
  mean_annual_production_low: numberOrNull("Lower end of its 90 % interval. Unit: MWh."),
  mean_annual_production_high: numberOrNull("Upper end of its 90 % interval. Unit: MWh."),
  inter_annual_variability: numberOrNull(
    "Standard deviation of the annual energies over their mean: the wind's, no error. Unit: %.",
  ),
});

const calibration = z.looseObject({
  revision: whole("Revision of the calibration, counted from 1."),
  k: number("The one factor on the wind speed at hub height that gives the produced energy."),
  k_low: numberOrNull("Lower end of its 90 % interval."),
  k_high: numberOrNull("Upper end of its 90 % interval."),
  scaling: text(
    "How the wind speed is scaled: `factor`, `linear` (a v + b), or by `season`, `hour`, `sector`.",
  ),
  parameters: ours(
    z.array(z.looseObject({
      name: text("k, a, b (m/s), or the group of hours."),
      value: number("Its value."),
    })),
    "What the scaling is made of.",
  ),
  candidates: ours(
    z.array(z.looseObject({
      scaling: text("How the wind speed is scaled."),
      error: number("Root mean square error of unseen periods over the mean energy. Unit: %."),
    })),
    "The scalings compared, the simplest first.",
  ),
  training_start: text("First day of the training window."),
  training_end: text("Last day of the training window."),
  periods: whole("Production periods used."),
  hours: number("Valid hours used. Unit: h."),
  residual: numberOrNull(
    "Root mean square of modelled less produced energy, over the mean energy of a period. Unit: %.",
  ),
  findings: texts("What was found in production."),
});

const intervals = z.looseObject({
  level: number("Probability with which a figure lies within its interval. Unit: %."),
  draws: whole("Draws of the bootstrap."),
  seed: whole("Seed of its random numbers."),
});

/** Monthly turbine report; the API text does not show its fields, these are ours. */
export const monthlyReportResource: z.ZodType<MonthlyReportResource> = z.looseObject({
  turbine_id: text("Identifier of the turbine."),
  name: text("Name of the turbine."),
  period: text("Month of the report, YYYY-MM."),
  revision: whole("Revision of the report, counted from 1."),
  status: text("`final` or `preliminary`."),
  completeness: numberOrNull("Share of the month's hours that are valid."),
  indices: ours(indices, "The six figures of the month and the interval of the prediction."),
  history: ours(
    z.array(history),
    "The twelve months that end with the report's own, as they stood when it was made.",
  ),
  reference_period: ours(
    referencePeriod,
    "Years that 100 % refers to, and what a year of them gives.",
  ),
  calibration: ours(calibration, "How the model was fitted to production."),
  intervals: ours(
    intervals.nullable(),
    "What the intervals are; null where there are none.",
  ),
  notes: texts("Choices and missing inputs that a reader should know."),
}) as unknown as z.ZodType<MonthlyReportResource>;
