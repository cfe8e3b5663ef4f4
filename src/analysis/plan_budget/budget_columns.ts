import { type Column, pickColumns } from "../../api/columns/column.ts";
import { month, monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { comparisonColumns } from "../series/comparison_columns.ts";

const [predicted] = pickColumns(monthlyIndicesFrame, ["predicted_production"]);
const [produced, completeness] = pickColumns(comparisonColumns, ["produced", "completeness"]);

function declareEnergy(name: string, label: string, description: string): Column {
  return { name, dtype: "f64", unit: predicted.unit ?? "", label, description, tag: "ours" };
}

/** The months of `planBudget()`. */
export const budgetColumns: readonly Column[] = [
  month,
  declareEnergy(
    "expected",
    "Expected",
    "Energy of a normal month of the same name, at the turbine's level.",
  ),
  declareEnergy(
    "low",
    "Expected, low",
    "Lower end of the 90 % interval of the month, not below 0.",
  ),
  declareEnergy("high", "Expected, high", "Upper end of the 90 % interval of the month."),
  { ...predicted, optional: true },
  { ...produced, description: "Energy that the turbine produced in the month." },
  { ...completeness, description: "Share of the month's hours with production." },
  declareEnergy(
    "cumulative_expected",
    "Expected so far",
    "Sum of the expected energies from the first month on.",
  ),
  declareEnergy(
    "cumulative_low",
    "Expected so far, low",
    "Lower end of the 90 % interval of that sum, not below 0.",
  ),
  declareEnergy(
    "cumulative_high",
    "Expected so far, high",
    "Upper end of the 90 % interval of that sum.",
  ),
  declareEnergy(
    "cumulative_produced",
    "Produced so far",
    "Sum of the produced energies from the first month on; null from the first month without production on.",
  ),
];
