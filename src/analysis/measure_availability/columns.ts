import { addedColumn, type Column, withEnds } from "../../api/columns/column.ts";
import { month } from "../../api/columns/columns.ts";

const ownShare = (name: string, label: string, text: string) =>
  addedColumn(name, "f64", label, text, "%");
const [lost, ...lostEnds] = withEnds(
  addedColumn("lost", "f64", "Lost", "Expected less produced energy.", "MWh"),
);
const hoursColumn = addedColumn("hours", "f64", "Hours", "Time.", "h");

/** The frame `months` of `measureAvailability()`. */
export const monthColumns: readonly Column[] = [
  month,
  hoursColumn,
  addedColumn("uncovered", "f64", "Uncovered", "Time without information.", "h"),
  ownShare("time_availability", "By time", "Available time over available and unavailable time."),
  ...withEnds(
    ownShare(
      "production_availability",
      "By production",
      "Produced energy over produced and lost energy.",
    ),
  ),
  { ...lost, description: "Energy lost in the time that counts as unavailable or limited." },
  ...lostEnds,
  ownShare("contract_time", "Contract, by time", "Time-based availability under the contract."),
  ownShare(
    "contract_production",
    "Contract, by production",
    "Production-based availability under the contract.",
  ),
];

/** Its frame `categories`; `monthCategories` has the same columns and the month. */
export const categoryColumns: readonly Column[] = [
  addedColumn("category", "utf8", "Category", "Category of IEC 61400-26."),
  addedColumn("counts", "utf8", "Counts as", "How the category counts."),
  addedColumn("contract", "utf8", "In the contract", "How the category counts in the contract."),
  hoursColumn,
  ownShare("share", "Share", "Share of the time."),
  addedColumn("expected", "f64", "Expected", "Energy of the model by the normal ratio.", "MWh"),
  addedColumn("produced", "f64", "Produced", "Energy produced.", "MWh"),
  lost,
  ...lostEnds,
];
