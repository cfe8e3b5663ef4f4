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

function declareExceedance(percent: number, years: 1 | 10): Column {
  const time = years === 1 ? "one year" : "ten years";
  return {
    ...declareEnergy(
      `p${percent}_${years}`,
      `P${percent}, ${time}`,
      `Energy a year that ${time} exceed${
        years === 1 ? "s" : ""
      } with ${percent} %: p50 less the uncertainty and ` + "the inter-annual variability.",
    ),
    range: [0, null],
  };
}

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
      "Energy of a normal year: P50, for one year and for ten.",
    ),
    range: [0, null],
  },
  declareEnergy("low", "Low", "Lower end of the 90 % interval of the normal year."),
  declareEnergy("high", "High", "Upper end of the 90 % interval of the normal year."),
  {
    name: "uncertainty",
    dtype: "f64",
    unit: "%",
    range: [0, null],
    label: "Uncertainty",
    description: "Standard uncertainty of the normal year: a 90 % interval reaches 1.645 times it.",
    tag: "ours",
  },
  ...([1, 10] as const).flatMap((years) =>
    [75, 90].map((percent) => declareExceedance(percent, years))
  ),
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
