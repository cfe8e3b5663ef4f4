import { MIN_COMPLETENESS } from "../../windindex/index/monthly_energy.ts";
import { type Column, ownColumn, pickColumns } from "../../api/columns/column.ts";
import { month, monthlyIndicesFrame } from "../../api/columns/columns.ts";

/** Smallest share of a month's hours that must be compared for the month to be shown like a whole one. */
export const MIN_COMPARED: number = MIN_COMPLETENESS;

const [completeness] = pickColumns(monthlyIndicesFrame, ["completeness"]);

/** The frame of `compareActual()`: one row a month. */
export const comparisonColumns: readonly Column[] = [
  month,
  ownColumn(
    "produced",
    "f64",
    "Produced",
    "Energy that the turbine produced: in the hours compared, or in the whole month.",
    "MWh",
  ),
  {
    name: "predicted",
    dtype: "f64",
    unit: "MWh",
    range: [0, null],
    label: "Predicted",
    description: "Energy that the model predicts: for the hours compared, or for the whole month.",
    tag: "ours",
  },
  ownColumn("ratio", "f64", "Ratio", "Produced over predicted energy.", "%"),
  {
    name: "hours",
    dtype: "i32",
    unit: "h",
    range: [0, null],
    label: "Hours compared",
    description:
      "Hours valid in both, where both are hourly, or valid hours of monthly production.",
    tag: "ours",
  },
  {
    ...completeness,
    description: "Share of the month's hours that are compared; with monthly production, " +
      "that of its valid hours and the completeness of the prediction.",
    optional: false,
  },
];
