import {
  type Columns,
  type ColumnTable,
  documented,
  listColumns,
  type WireDate,
} from "./column_table.ts";
import { month } from "./month_columns.ts";
import { type TurbineItem, turbineItemTable } from "./turbine_columns.ts";

/** Turbine list item of the reports (2.8 of the API text). */
export interface ReportTurbineItem extends TurbineItem {
  /** Month of the last available report. */
  readonly last_available_report: WireDate;
}

/** Month item of a turbine's reports (2.8 of the API text). */
export interface ReportMonthItem {
  /** The month, YYYY-MM. */
  readonly month: WireDate;
}

const reportTurbineItemTable: ColumnTable<ReportTurbineItem> = {
  ...turbineItemTable,
  last_available_report: documented(
    "date",
    "Last report",
    "First day of the month of the last available report.",
    { monthly: true },
  ),
};

const reportMonthItemTable: ColumnTable<ReportMonthItem> = {
  month: {
    dtype: "date",
    label: month.label,
    description: "First day of the month of a report.",
    notNull: true,
    key: true,
    monthly: true,
    tag: "assumed",
  },
};

/** The turbines that have reports. */
export const reportTurbineList: Columns<ReportTurbineItem> = listColumns(reportTurbineItemTable);

/** The months of a turbine's reports. */
export const reportMonthList: Columns<ReportMonthItem> = listColumns(reportMonthItemTable);
