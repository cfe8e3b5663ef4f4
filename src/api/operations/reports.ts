import { reportMonthList, reportTurbineList } from "../columns/columns.ts";
import type { OperationTable } from "./operation_declaration.ts";
import { expired, noData, notFound } from "./operation_errors.ts";
import { inPath, optional } from "./parameter.ts";
import { monthlyReportResource } from "../resources/report_resource.ts";
import { dataHeaders, tagHeaders, worldHeader } from "./response_headers.ts";
import { turbineParameter } from "./wind_index.ts";

/** Names of the wind-index report operations. */
export type ReportId = "report_turbines" | "report_months" | "monthly_report";

/** The wind-index report operations (4.3 of the API text). */
export const reportOperations: OperationTable<ReportId> = {
  report_turbines: {
    path: "/onlinedata-services/windindex/calibrated/report/",
    summary: "Lists the turbines that have reports, each with the month of the latest report.",
    parameters: [],
    success: { kind: "records", mediaType: "application/json", columns: reportTurbineList },
    headers: [worldHeader, ...tagHeaders],
    errors: [noData, expired],
  },
  report_months: {
    path: "/onlinedata-services/windindex/calibrated/report/{turbine_id}",
    summary: "Lists the months for which a turbine has a report.",
    parameters: [turbineParameter],
    success: { kind: "records", mediaType: "application/json", columns: reportMonthList },
    headers: dataHeaders,
    errors: [noData, expired, notFound("turbine not found", "not_found")],
  },
  monthly_report: {
    path: "/onlinedata-services/windindex/calibrated/report/{turbine_id}/{period}",
    summary: "Returns the monthly report of a turbine.",
    parameters: [
      turbineParameter,
      {
        name: "period",
        ...inPath,
        type: "year_month",
        example: "2024-05",
        description: "Month of the report, YYYY-MM.",
      },
      {
        name: "revision",
        in: "query",
        type: "integer",
        required: false,
        default: -1,
        minimum: -1,
        maximum: 2 ** 31 - 1, // revisions are counted in 32 bits
        description:
          "Revision of the report, or -1 for the latest revision. The API text gives no limits for the revision.",
        tag: "assumed",
      },
      {
        name: "format",
        ...optional,
        type: "string",
        default: "json",
        values: ["json"],
        description: "Format of the report.",
      },
    ],
    success: { kind: "record", mediaType: "application/json", schema: monthlyReportResource },
    headers: dataHeaders,
    errors: [noData, expired, notFound("report not found", "not_found")],
  },
};
