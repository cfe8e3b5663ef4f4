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

const periods: Readonly<Record<"month" | "year", Column>> = { month, year };

/** State of a period relative to the band: `normal`, `low`, `high`, `incomplete`, or null where nothing is compared. */
export const state: Column = ownColumn(
  "state",
  "utf8",
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
    ownColumn(
      "band_low",
      "f64",
      "Band, low",
      "Lower end of the band of normal ratios, for the expected energy of the row.",
      "%",
    ),
    ownColumn(
      "band_high",
      "f64",
      "Band, high",
      "Upper end of the band of normal ratios, for the expected energy of the row.",
      "%",
    ),
    ownColumn(
      "stable_ratio",
      "f64",
      "Stable state",
      "Median ratio of the stable state of the row; null without a lasting change, and in the row of one.",
      "%",
    ),
    state,
    hours,
    {
      ...completeness,
      description: "Share of the period's hours that are compared.",
    },
  ];
}

const step = ownColumn("step", "utf8", "Step", "Cause of the change.");

/** The frame `steps` of `checkPerformance()`: normal first, the changes in order, produced last. */
export const stepColumns: readonly Column[] = [
  step,
  { ...energy, description: "Energy, or change of energy." },
  ownColumn(
    "energy_low",
    "f64",
    "Energy, low",
    "Lower end of the 90 % interval that the energy lost in outages has; null for other steps. Outages are taken as independent.",
    "MWh",
  ),
  ownColumn("energy_high", "f64", "Energy, high", "Upper end of the same.", "MWh"),
  ownColumn("share", "f64", "Of the first", "Energy over that of the first step.", "%"),
];

/** The frame `stepsByPeriod` of `checkPerformance()`: the steps of each month or year. */
export function stepsByPeriodColumns(by: "month" | "year"): readonly Column[] {
  return [periods[by], ...stepColumns];
}

/** The frame `outages` of `checkPerformance()`: one row an outage. */
export const outageColumns: readonly Column[] = [
  ownColumn("outage", "utf8", "Outage", "Name of the outage."),
  ownColumn("lost", "f64", "Lost", "Expected less produced energy.", "MWh"),
  ownColumn(
    "lost_low",
    "f64",
    "Lost, low",
    "Lower end of the 90 % interval of the lost energy.",
    "MWh",
  ),
  ownColumn(
    "lost_high",
    "f64",
    "Lost, high",
    "Upper end of the 90 % interval of the lost energy.",
    "MWh",
  ),
  ownColumn(
    "expected",
    "f64",
    "Expected",
    "Energy that the turbine would have produced while it was not available.",
    "MWh",
  ),
  { ...produced, description: "Energy that it produced in that time." },
  ownColumn("from", "datetime", "From", "Start of the outage."),
  ownColumn("to", "datetime", "To", "End of the outage, exclusive."),
  ownColumn(
    "source",
    "utf8",
    "Source",
    "How it is known: `named` by the caller, `status`, `detected` from production, or `neighbours`.",
  ),
  { ...completeness, description: "Share of its hours with production and model data." },
];
