import { month as monthColumn, time, turbineId } from "../../api/columns/columns.ts";
import { addedColumn, type Column } from "../../api/columns/column.ts";
import { DAY, HOUR } from "../../time/hourly.ts";

/** Periods of equal length, and their minutes. */
const STEP_MINUTES = { "5min": 5, "10min": 10, "15min": 15, "30min": 30, hour: 60 } as const;

/** Periods in words, for messages. */
export const stepNames: Readonly<Record<StepResolution | "day", string>> = {
  "5min": "five minutes",
  "10min": "ten minutes",
  "15min": "quarter of an hour",
  "30min": "half hour",
  hour: "hour",
  day: "day",
};

/** A period of equal length: an hour, or a part of it. */
export type StepResolution = keyof typeof STEP_MINUTES;

/** Period of a row of production. */
export type Resolution = StepResolution | "day" | "month" | "year";

/** Resolutions of periods of equal length, the shortest first. */
export const STEPS: readonly StepResolution[] = Object.keys(STEP_MINUTES) as StepResolution[];

/** Whether periods are of equal length: an hour, or a part of it. */
export function isStep(resolution: Resolution): resolution is StepResolution {
  return Object.hasOwn(STEP_MINUTES, resolution);
}

/** Whether rows have a stamp: all but months and years. */
export function isStamped(resolution: Resolution): resolution is StepResolution | "day" {
  return isStep(resolution) || resolution === "day";
}

/** Length of a period, ms; of a day without a change of the clock. */
export function findStepLength(resolution: StepResolution | "day"): number {
  return resolution === "day" ? DAY : STEP_MINUTES[resolution] * HOUR / 60;
}

/** Finds the resolution whose periods have a length, ms, within 1 %; a day may have an hour more or less. */
export function findResolution(length: number): StepResolution | "day" | undefined {
  if (Math.abs(length - DAY) <= HOUR) return "day";
  return STEPS.find((step) => Math.abs(length / findStepLength(step) - 1) < 0.01);
}

const stepped = (resolution: StepResolution | "day"): readonly Column[] => {
  const description = `Mean power produced in the ${stepNames[resolution]}.`;
  return [time, addedColumn("power", "f64", "Power", description, "kW")];
};

const energy = addedColumn("energy", "f64", "Energy", "Energy produced in the period.", "MWh");

const year = addedColumn("year", "i32", "Year", "Calendar year.");

/** Columns of the frames of {@linkcode readProduction}, by resolution. */
export const productionColumns: Readonly<Record<Resolution, readonly Column[]>> = {
  "5min": stepped("5min"),
  "10min": stepped("10min"),
  "15min": stepped("15min"),
  "30min": stepped("30min"),
  hour: stepped("hour"),
  day: stepped("day"),
  month: [monthColumn, energy],
  year: [year, energy],
};

/** Further columns that can be declared for a production file. */
export const productionExtras: {
  readonly turbine: Column;
  readonly status: Column;
  readonly availability: Column;
  readonly limit: Column;
  readonly limitShare: Column;
  readonly validHours: Column;
  readonly validShare: Column;
} = {
  turbine: turbineId,
  status: addedColumn(
    "status",
    "utf8",
    "Status",
    "Status of the turbine, in the words or codes of the file.",
  ),
  availability: {
    name: "availability",
    dtype: "f64",
    range: [0, 1],
    label: "Availability",
    description: "Share of the time in which the turbine could run, as stated in the file.",
    tag: "ours",
  },
  limit: addedColumn(
    "limit",
    "f64",
    "Limit",
    "Power limit of the turbine; null if its power was not limited.",
    "kW",
  ),
  limitShare: addedColumn(
    "limit_share",
    "f64",
    "Limit",
    "Power limit of the turbine as a share of its rated power; null if its power was not limited.",
  ),
  validHours: {
    name: "valid_hours",
    dtype: "f64",
    unit: "h",
    range: [0, null],
    label: "Valid hours",
    description:
      "Hours of the day, month or year for which the energy is known, as stated in the file.",
    tag: "ours",
  },
  validShare: {
    name: "valid_share",
    dtype: "f64",
    range: [0, 1],
    label: "Valid share",
    description: "Share of the hour covered by steps with a valid power.",
    tag: "ours",
  },
};
