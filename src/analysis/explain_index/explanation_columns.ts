import { type Column, ownColumn, pickColumns } from "../../api/columns/column.ts";
import { monthlyIndicesFrame, monthRecord } from "../../api/columns/columns.ts";
import { productionColumns } from "../../frames/production/production.ts";

const [month] = pickColumns(monthlyIndicesFrame, ["month"]);
const [year] = pickColumns(monthRecord, ["year"]);
const [energy] = pickColumns(productionColumns.month, ["energy"]);

/** The steps of `explainIndex()`; units differ by row. */
export const stepColumns: readonly Column[] = [
  ownColumn("quantity", "utf8", "Quantity", "What is computed."),
  ownColumn("value", "f64", "Value", "What the calculation gives."),
  ownColumn("unit", "utf8", "Unit", "Unit of the value."),
  ownColumn(
    "served",
    "f64",
    "Served",
    "Value of the service; null without one, and where it is 0.",
  ),
  ownColumn(
    "gap",
    "f64",
    "Gap",
    "Value less that of the service, % of that; null without one, and where it is 0.",
    "%",
  ),
  ownColumn("calculation", "utf8", "Calculation", "Calculation from the rows above."),
];

/** The same calendar month in each year, of `explainIndex()`. */
export const yearsOfMonthColumns: readonly Column[] = [
  { ...month, description: "The calendar month in the year." },
  year,
  { ...energy, description: "Modelled energy of this calendar month in the year, of one turbine." },
  ownColumn(
    "in_reference",
    "bool",
    "In the reference period",
    "Whether the year belongs to the reference period.",
  ),
];
