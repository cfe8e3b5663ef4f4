import { type Column, ownColumn, pickColumns } from "../../api/columns/column.ts";
import { month } from "../../api/columns/columns.ts";
import { productionColumns } from "../../frames/production/production.ts";
import { comparisonColumns } from "../series/comparison_columns.ts";

const [, energy] = productionColumns.month;
const [year] = productionColumns.year;
const [produced, predicted, ratio, hours, completeness] = pickColumns(comparisonColumns, [
  "produced",
  "predicted",
  "ratio",
  "hours",
  "completeness",
]);

function declareNumber(name: string, unit: string, label: string, description: string): Column {
  return { ...ownColumn(name, "f64", label, description), unit };
}

function declareText(name: string, label: string, description: string): Column {
  return ownColumn(name, "utf8", label, description);
}

const periods: Readonly<Record<"month" | "year", Column>> = { month, year };

/** State of a period relative to the band: `normal`, `low`, `high`, `incomplete`, or null where nothing is compared. */
export const state: Column = declareText(
  "state",
  "State",
  "`low` or `high` where the ratio leaves the normal band (`low` also where it is far below the others), " +
    "`normal` inside, `incomplete` with too few hours.",
);

/** The frame `comparison` of `checkPerformance()`: one row a month or a year. */
export function performanceColumns(by: "month" | "year"): readonly Column[] {
  return [
    periods[by],
    produced,
    { ...predicted, description: "Expected energy for the same hours." },
    ratio,
    declareNumber(
      "band_low",
      "%",
      "Band, low",
      "Lower end of the band of normal ratios, for the expected energy of the row.",
    ),
    declareNumber(
      "band_high",
      "%",
      "Band, high",
      "Upper end of the band of normal ratios, for the expected energy of the row.",
    ),
    declareNumber(
      "stable_ratio",
      "%",
      "Stable state",
      "Median ratio of the stable state of the row; null without a lasting change, and in the row of one.",
    ),
    state,
    hours,
    {
      ...completeness,
      description: "Share of the period's hours that are compared.",
    },
  ];
}

const step = declareText("step", "Step", "Cause of the change.");

/** The frame `steps` of `checkPerformance()`: normal first, the changes in order, produced last. */
export const stepColumns: readonly Column[] = [
  step,
  { ...energy, description: "Energy, or change of energy." },
  declareNumber(
    "energy_low",
    "MWh",
    "Energy, low",
    "Lower end of the 90 % interval that the energy lost in outages has; null for other steps. Outages are taken as independent.",
  ),
  declareNumber("energy_high", "MWh", "Energy, high", "Upper end of the same."),
  declareNumber("share", "%", "Of the first", "Energy over that of the first step."),
];

/** The frame `stepsByPeriod` of `checkPerformance()`: the steps of each month or year. */
export function stepsByPeriodColumns(by: "month" | "year"): readonly Column[] {
  return [periods[by], ...stepColumns];
}

const declareInstant = (name: string, label: string, description: string): Column =>
  ownColumn(name, "datetime", label, description);

/** The frame `outages` of `checkPerformance()`: one row an outage. */
export const outageColumns: readonly Column[] = [
  declareText("outage", "Outage", "Name of the outage."),
  declareNumber("lost", "MWh", "Lost", "Expected less produced energy."),
  declareNumber(
    "lost_low",
    "MWh",
    "Lost, low",
    "Lower end of the 90 % interval of the lost energy.",
  ),
  declareNumber(
    "lost_high",
    "MWh",
    "Lost, high",
    "Upper end of the 90 % interval of the lost energy.",
  ),
  declareNumber(
    "expected",
    "MWh",
    "Expected",
    "Energy that the turbine would have produced while it was not available.",
  ),
  { ...produced, description: "Energy that it produced in that time." },
  declareInstant("from", "From", "Start of the outage."),
  declareInstant("to", "To", "End of the outage, exclusive."),
  declareText(
    "source",
    "Source",
    "How it is known: `named` by the caller, `status`, `detected` from production, or `neighbours`.",
  ),
  { ...completeness, description: "Share of its hours with production and model data." },
];
