import { type Column, ownColumn, pickColumns } from "../../api/columns/column.ts";
import { month, monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { productionColumns } from "../../frames/production/production.ts";

const [monthIndex, completeness] = pickColumns(monthlyIndicesFrame, [
  "month_index",
  "completeness",
]);
const [year] = productionColumns.year;

const declareEnergy = (name: string, label: string, description: string): Column => (
  ownColumn(name, "f64", label, description, "MWh")
);

const declareError = (description: string): Column => ({
  ...ownColumn("standard_error", "f64", "Standard error", description, "%"),
  range: [0, null],
});

const ofError = "Of the error; null where it is not estimated from a sample.";
const freedom = ownColumn("freedom", "f64", "Degrees of freedom", ofError);

const hours: Column = {
  name: "hours",
  dtype: "i32",
  unit: "h",
  range: [0, null],
  label: "Hours compared",
  description: "Hours that the time-step calibration compares.",
  tag: "ours",
};

/** The estimates of `estimateLongTerm()`: one row a method. */
export const longTermColumns: readonly Column[] = [
  ownColumn("method", "utf8", "Method", "How the normal year is computed."),
  {
    ...declareEnergy(
      "p50",
      "Normal year",
      "Energy of a normal year by the record, before declared losses.",
    ),
    range: [0, null],
  },
  declareEnergy("low", "Low", "Lower end of the 90 % interval of the normal year."),
  declareEnergy("high", "High", "Upper end of the 90 % interval of the normal year."),
  declareError("Of the normal year: calibration, season and level between years."),
  {
    name: "months",
    dtype: "i32",
    range: [1, null],
    label: "Months kept",
    description: "Months that the estimate uses; twelve for a year.",
    tag: "ours",
  },
  {
    name: "left_out",
    dtype: "i32",
    range: [0, null],
    label: "Months left out",
    description: "Months of the record that the estimate does not use.",
    tag: "ours",
  },
  hours,
];

/** The uncertainty of `estimateLongTerm()`: one row a share. */
export const uncertaintyColumns: readonly Column[] = [
  ownColumn("share", "utf8", "Share", "Why the energy of a year is uncertain."),
  declareError("Over the energy of a year."),
  freedom,
  ownColumn("of_variance", "f64", "Of the variance", "Share of that of one year.", "%"),
  ownColumn("source", "utf8", "Comes from", "What the share comes from."),
];

/** The energies that are exceeded, of `estimateLongTerm()`: one row a number of years. */
export const exceedanceColumns: readonly Column[] = [
  ownColumn("years", "i32", "Years", "Number of years of which it is the mean."),
  declareEnergy("p50", "P50", "Energy of a normal year, less declared losses."),
  ...[75, 90].map((percent) =>
    declareEnergy(
      `p${percent}`,
      `P${percent}`,
      `Exceeded with ${percent} % by the mean of the years.`,
    )
  ),
  declareError("Of the mean of the years, over P50."),
  freedom,
];

const common: readonly Column[] = [
  declareEnergy(
    "produced",
    "Produced",
    "Energy produced, scaled to all hours of the period.",
  ),
  { ...monthIndex, description: "Month index; for a year the mean of its twelve months." },
  {
    ...completeness,
    description:
      "Share of the hours with production that counts, of months and years by their valid hours and " +
      "availability; null where only energy is known.",
    optional: false,
  },
  ownColumn("kept", "bool", "Kept", "Whether the 1200 method and the regression use it."),
  ownColumn("reason", "utf8", "Left out for", "Why it is left out; empty where it is kept."),
  hours,
];

/** The months of `estimateLongTerm()`. */
export const longTermMonths: readonly Column[] = [month, ...common];

/** The years of `estimateLongTerm()`, where production is annual. */
export const longTermYears: readonly Column[] = [year, ...common];
