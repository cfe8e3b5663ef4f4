import { type Column, pickColumns } from "../../api/columns/column.ts";
import { monthlyIndicesFrame, monthRecord } from "../../api/columns/columns.ts";
import { productionColumns } from "../../frames/production/production.ts";

const [month] = pickColumns(monthlyIndicesFrame, ["month"]);
const [year] = pickColumns(monthRecord, ["year"]);
const [energy] = pickColumns(productionColumns.month, ["energy"]);

function declareText(name: string, label: string, description: string): Column {
  return { name, dtype: "utf8", notNull: true, label, description, tag: "ours" };
}

function declareNumber(name: string, label: string, description: string): Column {
  return { name, dtype: "f64", label, description, tag: "ours" };
}

/** The steps of `explainIndex()`; units differ by row. */
export const stepColumns: readonly Column[] = [
  declareText("quantity", "Quantity", "What is computed."),
  declareNumber("value", "Value", "What the calculation gives."),
  declareText("unit", "Unit", "Unit of the value."),
  declareNumber("served", "Served", "Value of the service; null without one, and where it is 0."),
  {
    ...declareNumber(
      "gap",
      "Gap",
      "Value less that of the service, % of that; null without one, and where it is 0.",
    ),
    unit: "%",
  },
  declareText("calculation", "Calculation", "Calculation from the rows above."),
];

/** The same calendar month in each year, of `explainIndex()`. */
export const yearsOfMonthColumns: readonly Column[] = [
  { ...month, description: "The calendar month in the year." },
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
