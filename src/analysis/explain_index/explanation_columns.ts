import { type Column, pickColumns } from "../../api/columns/column.ts";
import { monthRecord } from "../../api/columns/columns.ts";
import { productionColumns } from "../../frames/production/production.ts";

const [year] = pickColumns(monthRecord, ["year"]);
const [energy] = pickColumns(productionColumns.month, ["energy"]);

function text(name: string, label: string, description: string): Column {
  return { name, dtype: "utf8", notNull: true, label, description, tag: "ours" };
}

function number(name: string, label: string, description: string): Column {
  return { name, dtype: "f64", label, description, tag: "ours" };
}

/** The steps of `explainIndex()`; units differ by row. */
export const stepColumns: readonly Column[] = [
  text("quantity", "Quantity", "What is computed."),
  number("value", "Value", "What the calculation gives."),
  text("unit", "Unit", "Unit of the value."),
  number("served", "Served", "What the service says; null where it says nothing of it."),
  number("gap", "Gap", "Value less what the service says, in the unit of the row."),
  text("calculation", "Calculation", "How it follows from what stands above it."),
];

/** The same calendar month in each year, of `explainIndex()`. */
export const yearsOfMonthColumns: readonly Column[] = [
  year,
  { ...energy, description: "Modelled energy of this calendar month in the year, of one turbine." },
  {
    name: "in_reference",
    dtype: "bool",
    notNull: true,
    label: "In the reference period",
    description: "Whether the year belongs to the reference period.",
    tag: "ours",
  },
];
