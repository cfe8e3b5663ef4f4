import { type Column, ownColumn, pickColumns } from "../../api/columns/column.ts";
import { figures, monthState } from "../../api/columns/columns.ts";
import { turbineDetailsFields } from "../../api/columns/turbine_columns.ts";

const [id, name] = pickColumns(turbineDetailsFields, ["turbine_id", "name"]);
const [predicted, abnormality, last12] = pickColumns(figures, [
  "predicted_production",
  "month_abnormality_index",
  "last12_month_index",
]);

const [status] = pickColumns(monthState, ["status"]);

/** The turbines of `summarizeFleet()`. */
export const fleetColumns: readonly Column[] = [
  id,
  name,
  ownColumn(
    "units",
    "i32",
    "Turbines",
    "Number of turbines of the entry; 1 where the service does not say it.",
  ),
  abnormality,
  last12,
  { ...predicted, description: "Predicted energy of all turbines of the entry in the month." },
  {
    ...predicted,
    name: "normal_production",
    label: "Normal",
    description: "Energy of all turbines of the entry in a normal month of the same name.",
    tag: "ours",
  },
  status,
];
