import {
  type Columns,
  type ColumnTable,
  listColumns,
  requireColumns,
} from "../../api/columns/column_table.ts";
import { monthStateTable, windIndicesTable } from "../../api/columns/month_columns.ts";
import type { StoredMonth } from "./site_record.ts";

/** A number that the store counts itself. */
const counted = { ...monthStateTable.revision, optional: false } as const;

/** The columns of a stored month; those of the table `months` beside the turbine. */
export const storedMonthTable: ColumnTable<StoredMonth> = {
  ...requireColumns(windIndicesTable),
  calibration: counted,
  edition: counted,
};

/** Its columns in their order. */
export const storedColumns: Columns<StoredMonth> = listColumns(
  storedMonthTable,
);

/** Names of the columns in queries. */
export const MONTH_COLUMNS: string = storedColumns.map(({ name }) => name).join(", ");
