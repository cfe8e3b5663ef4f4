import { z } from "zod";
import type { ColumnTable, OnWire } from "../columns/column_table.ts";
import {
  intervalTable,
  type MonthFigures,
  monthFigureTable,
  type MonthState,
  monthStateTable,
  type PredictedInterval,
} from "../columns/month_columns.ts";
import {
  calibrationReason,
  type CalibrationVerdict,
  calibrationVerdict,
  calibrationVerdicts,
} from "../columns/turbine_columns.ts";
import { buildObjectSchema, buildShape, field } from "./resources.ts";

/** Monthly turbine report as our service sends it. */
export interface MonthlyReportResource {
  /** Identifier of the turbine. */
  readonly turbine_id: string;
  /** Name of the turbine. */
  readonly name: string;
  /** Month of the report, YYYY-MM. */
  readonly period: string;
  /** Revision of the report, counted from 1. */
  readonly revision: number;
  /** `final` or `preliminary`. */
  readonly status: string;
  /** Share of the month's hours that are valid. */
  readonly completeness: number | null;
  /** The six figures of the month and the interval of the predicted production, by wire name. */
  readonly indices: OnWire<ReportedFigures>;
  /** The twelve months that end with the report's own. */
  readonly history: readonly ReportedMonth[];
  /** Years that 100 % refers to, and their mean annual energy. */
  readonly reference_period: ReportedReference;
  /** How the model was fitted. */
  readonly calibration: ReportedCalibration;
  /** Meaning of the intervals; `null` without intervals. */
  readonly intervals: ReportedIntervals | null;
  /** Choices and missing inputs that a reader should know. */
  readonly notes: readonly string[];
  /** Additions of the service. */
  readonly [addition: string]: unknown;
}

/** Figures of a report's own month. */
export interface ReportedFigures extends MonthFigures, PredictedInterval {}

/** A month of the history of a report: the figures by wire name, state and interval. */
export interface ReportedMonth extends OnWire<MonthFigures & MonthState> {
  /** The month, YYYY-MM. */
  readonly period: string;
}

/** The reference period of a report. */
export interface ReportedReference {
  /** First year. */
  readonly first_year: number;
  /** Last year. */
  readonly last_year: number;
  /** Mean annual energy of one turbine, MWh. */
  readonly mean_annual_production: number | null;
  /** Lower end of its 90 % interval, MWh. */
  readonly mean_annual_production_low: number | null;
  /** Upper end of its 90 % interval, MWh. */
  readonly mean_annual_production_high: number | null;
  /** Standard deviation of the annual energies over their mean, %. */
  readonly inter_annual_variability: number | null;
}

/** The calibration behind a report: scaling of the wind speed, window, periods and hours used, residual, findings. */
export interface ReportedCalibration {
  /** Revision of the calibration, counted from 1. */
  readonly revision: number;
  /** Factor on the wind speed at hub height that reproduces the produced energy. */
  readonly k: number;
  /** Lower end of its 90 % interval. */
  readonly k_low: number | null;
  /** Upper end of its 90 % interval. */
  readonly k_high: number | null;
  /** Kind of scaling. */
  readonly scaling: string;
  /** Parts of the scaling. */
  readonly parameters: readonly ScalingParameter[];
  /** Standard deviation of the wind speeds over which the power curve is averaged, m/s. */
  readonly smoothing: number;
  /** The scalings compared, the simplest first, and other smoothings of the selected one. */
  readonly candidates: readonly ScalingCandidate[];
  /** The reanalyses compared, in the order of the site file. */
  readonly reanalyses: readonly ReportedReanalysis[];
  /** First day of the training window; `null` for a location index, which is not calibrated. */
  readonly training_start: string | null;
  /** Last day of the training window; `null` likewise. */
  readonly training_end: string | null;
  /** Production periods used. */
  readonly periods: number;
  /** Valid hours used, h. */
  readonly hours: number;
  /** Root mean square of modelled less produced energy, over the mean energy of a period, %. */
  readonly residual: number | null;
  /** Root mean square error of periods predicted by calibrations without them, over the mean power, %. */
  readonly unseen_error: number | null;
  /** Correlation of these predictions with production. */
  readonly unseen_correlation: number | null;
  /** Number of periods that the calibration left out as outages. */
  readonly unseen_outages: number;
  /** Root mean square error of the remaining, ordinary periods, %. */
  readonly unseen_error_counted: number | null;
  /** How far it can be trusted; `null` for a location index. */
  readonly verdict: CalibrationVerdict | null;
  /** Why; `null` likewise. */
  readonly reason: string | null;
  /** Findings in the production. */
  readonly findings: readonly string[];
}

/** A reanalysis that was calibrated on the production, and its part in the index. */
export interface ReportedReanalysis {
  /** Identifier of its dataset. */
  readonly service_id: string;
  /** Weight of its power in the index, 0 to 1. */
  readonly weight: number;
  /** Factor on its wind speed. */
  readonly k: number;
  /** Root mean square error of unseen periods over the mean power, %. */
  readonly error: number | null;
  /** Median lag of production behind its model, h. */
  readonly lag: number | null;
  /** Trend of its annual energies, % a decade. */
  readonly trend: number | null;
}

/** A parameter of a scaling. */
export interface ScalingParameter {
  /** k, a, b (m/s), or the group of hours. */
  readonly name: string;
  /** Its value. */
  readonly value: number;
}

/** A scaling that was compared. */
export interface ScalingCandidate {
  /** Kind of scaling. */
  readonly scaling: string;
  /** Smoothing of the power curve, m/s. */
  readonly smoothing: number;
  /** Left out in turn: "periods" or "years". */
  readonly left_out: string;
  /** Root mean square error of the periods that were left out, over the mean energy, %. */
  readonly error: number;
}

/** Meaning of the intervals of a report. */
export interface ReportedIntervals {
  /** Probability with which a figure is within its interval, %. */
  readonly level: number;
  /** Draws of the bootstrap. */
  readonly draws: number;
  /** Seed of its random numbers. */
  readonly seed: number;
  /** Parts of the interval of the mean annual production; `null` if a service does not give them. */
  readonly parts: ReportedParts | null;
}

/** Half widths by their reason, %; their squares add up. */
export interface ReportedParts {
  /** Scatter of the training periods. */
  readonly calibration: number;
  /** Season, if the training months do not cover the year. */
  readonly season: number;
  /** Level of the reanalysis, which varies from year to year. */
  readonly level: number;
  /** Difference between several reanalyses. */
  readonly spread: number;
}

/** A field of the report: the API text shows none. */
function ours<T extends z.ZodType>(type: T, description: string): T {
  return field(type, description, "ours");
}

const text = (description: string) => ours(z.string(), description);
const wholeNumber = (description: string) => ours(z.int(), description);
const number = (description: string) => ours(z.number(), description);
const numberOrNull = (description: string) => ours(z.number().nullable(), description);
const textOrNull = (description: string) => ours(z.string().nullable(), description);
const texts = (description: string) => ours(z.array(z.string()), description);

/** Columns of the figures of a report. */
export const reportedFigureTable: ColumnTable<ReportedFigures> = {
  ...monthFigureTable,
  ...intervalTable,
};

/** Columns of a month of the history, without its period. */
export const reportedMonthTable: ColumnTable<MonthFigures & MonthState> = {
  ...monthFigureTable,
  ...monthStateTable,
};

const indices = buildObjectSchema<OnWire<ReportedFigures>>()(buildShape(reportedFigureTable));
const history = buildObjectSchema<ReportedMonth>()({
  ...buildShape(reportedMonthTable),
  period: text("Month, YYYY-MM."),
});

const referencePeriod = buildObjectSchema<ReportedReference>()({
  first_year: wholeNumber("First year."),
  last_year: wholeNumber("Last year."),
  mean_annual_production: numberOrNull("Mean annual energy, of one turbine. Unit: MWh."),
  mean_annual_production_low: numberOrNull("Lower end of its 90 % interval. Unit: MWh."),
  mean_annual_production_high: numberOrNull("Upper end of its 90 % interval. Unit: MWh."),
  inter_annual_variability: numberOrNull(
    "Standard deviation of the annual energies, divided by their mean. It shows how the wind varies, not an error. Unit: %.",
  ),
});

const calibration = buildObjectSchema<ReportedCalibration>()({
  revision: wholeNumber("Revision of the calibration, counted from 1."),
  k: number(
    "Factor on the wind speed at hub height with which the model reproduces the produced energy.",
  ),
  k_low: numberOrNull("Lower end of its 90 % interval."),
  k_high: numberOrNull("Upper end of its 90 % interval."),
  scaling: text(
    "How the wind speed is scaled: by one `factor`, or by `season`, `hour` or `sector`. Old reports may have `linear` (a v + b).",
  ),
  parameters: ours(
    z.array(
      buildObjectSchema<ScalingParameter>()({
        name: text("k, a, b (m/s), or the group of hours."),
        value: number("Its value."),
      }),
    ),
    "Parts of the scaling.",
  ),
  smoothing: number(
    "Standard deviation of the wind speeds over which the power curve is averaged. Unit: m/s.",
  ),
  candidates: ours(
    z.array(
      buildObjectSchema<ScalingCandidate>()({
        scaling: text("How the wind speed is scaled."),
        smoothing: number("Smoothing of the power curve. Unit: m/s."),
        left_out: text("Unit that the cross-validation leaves out in turn: periods or years."),
        error: number(
          "Root mean square error of the periods left out, divided by the mean energy. Unit: %.",
        ),
      }),
    ),
    "The compared scalings, simplest first, and other smoothings of the selected scaling.",
  ),
  reanalyses: ours(
    z.array(
      buildObjectSchema<ReportedReanalysis>()({
        service_id: text("Identifier of its dataset."),
        weight: number("Weight of its power in the index, 0 to 1."),
        k: number("Factor on its wind speed."),
        error: numberOrNull(
          "Root mean square error of unseen periods, divided by the mean power. Unit: %.",
        ),
        lag: numberOrNull("Median delay of production against the model. Unit: h."),
        trend: numberOrNull("Trend of its annual energies. Unit: % per decade."),
      }),
    ),
    "The compared reanalyses, in the order of the site file.",
  ),
  training_start: textOrNull(
    "First day of the training window; null for a location index, which is not calibrated.",
  ),
  training_end: textOrNull("Last day of the training window; null for a location index."),
  periods: wholeNumber("Production periods used."),
  hours: number("Valid hours used. Unit: h."),
  residual: numberOrNull(
    "Root mean square of modelled minus produced energy, divided by the mean energy of a period. Unit: %.",
  ),
  unseen_error: numberOrNull(
    "Root mean square error of periods that a calibration without them predicts, divided by the mean power. Unit: %.",
  ),
  unseen_correlation: numberOrNull("Correlation of these predictions with production."),
  unseen_outages: wholeNumber("Number of these periods that the calibration left out as outages."),
  unseen_error_counted: numberOrNull(
    "Error of the remaining, ordinary periods. Unit: %.",
  ),
  verdict: ours(z.enum(calibrationVerdicts).nullable(), calibrationVerdict.description),
  reason: textOrNull(calibrationReason.description),
  findings: texts("Findings in the production."),
});

const intervals = buildObjectSchema<ReportedIntervals>()({
  level: number("Probability that a figure is within its interval. Unit: %."),
  draws: wholeNumber("Number of bootstrap draws."),
  seed: wholeNumber("Seed of the random numbers for the bootstrap."),
  parts: ours(
    buildObjectSchema<ReportedParts>()({
      calibration: number("Part from the scatter of the training periods. Unit: %."),
      season: number(
        "Part from the season, if the training months do not cover the year. Unit: %.",
      ),
      level: number(
        "Part from the level of the reanalysis, which varies from year to year. Unit: %.",
      ),
      spread: number("Part from the difference between several reanalyses. Unit: %."),
    }).nullable(),
    "Parts of the interval of the mean annual production, as half widths. The sum of their squares is the square of the total.",
  ),
});

/** Monthly turbine report; the API text does not show its fields, these are ours. */
export const monthlyReportResource: z.ZodType<MonthlyReportResource> = buildObjectSchema<
  MonthlyReportResource
>()({
  turbine_id: text("Identifier of the turbine."),
  name: text("Name of the turbine."),
  period: text("Month of the report, YYYY-MM."),
  revision: wholeNumber("Revision of the report, counted from 1."),
  status: text("`final` or `preliminary`."),
  completeness: numberOrNull("Share of the month's hours that are valid."),
  indices: ours(
    indices,
    "The six figures of the month, and the interval of the predicted production.",
  ),
  history: ours(
    z.array(history),
    "The twelve months up to the month of the report, with their figures at the time of the report.",
  ),
  reference_period: ours(
    referencePeriod,
    "Years whose mean is 100 %, and the mean annual energy of these years.",
  ),
  calibration: ours(calibration, "How the model was fitted to production."),
  intervals: ours(
    intervals.nullable(),
    "Meaning of the intervals; null if there are no intervals.",
  ),
  notes: texts("Choices and missing inputs that readers should know about."),
});
