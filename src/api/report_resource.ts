import { z } from "zod";
import type { Column } from "./column.ts";
import { figures, monthState, predictedInterval } from "./columns.ts";
import { recordOf } from "./resources.ts";

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

function number(description: string): z.ZodNumber {
  return z.number().describe(description);
}

const indices = recordOf([...figures, ...predictedInterval]);
const history = recordOf([...figures, ...monthState] as Column[]).extend({
  period: z.string().describe("Month, YYYY-MM."),
});

/** Monthly turbine report; the API text does not show its fields, these are ours. */
export const monthlyReportResource: z.ZodType<MonthlyReportResource> = z.looseObject({
  turbine_id: z.string().describe("Identifier of the turbine."),
  name: z.string().describe("Name of the turbine."),
  period: z.string().describe("Month of the report, YYYY-MM."),
  revision: z.int().describe("Revision of the report, counted from 1."),
  status: z.string().describe("`final` or `preliminary`."),
  completeness: number("Share of the month's hours that are valid.").nullable(),
  indices: indices.describe("The six figures of the month and the interval of the prediction."),
  history: z.array(history).describe(
    "The twelve months that end with the report's own, as they stood when it was made.",
  ),
  reference_period: z.looseObject({
    first_year: z.int().describe("First year."),
    last_year: z.int().describe("Last year."),
    mean_annual_production: number("Mean annual energy, of one turbine. Unit: MWh.").nullable(),
    mean_annual_production_low: number("Lower end of its 90 % interval. Unit: MWh.").nullable(),
    mean_annual_production_high: number("Upper end of its 90 % interval. Unit: MWh.").nullable(),
    inter_annual_variability: number(
      "Standard deviation of the annual energies over their mean: the wind's, no error. Unit: %.",
    ).nullable(),
  }).describe("Years that 100 % refers to, and what a year of them gives."),
  calibration: z.looseObject({
    revision: z.int().describe("Revision of the calibration, counted from 1."),
    k: number("The one factor on the wind speed at hub height that gives the produced energy."),
    k_low: number("Lower end of its 90 % interval.").nullable(),
    k_high: number("Upper end of its 90 % interval.").nullable(),
    scaling: z.string().describe(
      "How the wind speed is scaled: `factor`, `linear` (a v + b), or by `season`, `hour`, `sector`.",
    ),
    parameters: z.array(z.looseObject({
      name: z.string().describe("k, a, b (m/s), or the group of hours."),
      value: number("Its value."),
    })).describe("What the scaling is made of."),
    candidates: z.array(z.looseObject({
      scaling: z.string().describe("How the wind speed is scaled."),
      error: number("Root mean square error of unseen periods over the mean energy. Unit: %."),
    })).describe("The scalings compared, the simplest first."),
    training_start: z.string().describe("First day of the training window."),
    training_end: z.string().describe("Last day of the training window."),
    periods: z.int().describe("Production periods used."),
    hours: number("Valid hours used. Unit: h."),
    residual: number(
      "Root mean square of modelled less produced energy, over the mean energy of a period. Unit: %.",
    ).nullable(),
    findings: z.array(z.string()).describe("What was found in production."),
  }).describe("How the model was fitted to production."),
  intervals: z.looseObject({
    level: number("Probability with which a figure lies within its interval. Unit: %."),
    draws: z.int().describe("Draws of the bootstrap."),
    seed: z.int().describe("Seed of its random numbers."),
  }).nullable().describe("What the intervals are; null where there are none."),
  notes: z.array(z.string()).describe("Choices and missing inputs that a reader should know."),
}) as unknown as z.ZodType<MonthlyReportResource>;
