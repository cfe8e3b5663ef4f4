import { YEAR_RANGE } from "../calendar.ts";
import { modelDataCsv, turbineList, windIndicesCsv } from "../columns/columns.ts";
import type { OperationTable } from "./operation_declaration.ts";
import { expired, noData, notFound } from "./operation_errors.ts";
import { inPath, optional, type Parameter } from "./parameter.ts";
import { monthlyIndexResource, turbineDetailsResource } from "../resources/resources.ts";
import { dataHeaders, tagHeaders, timeZoneHeader, worldHeader } from "./response_headers.ts";

/** The path parameter of every operation on one turbine. */
export const turbineParameter: Parameter = {
  name: "turbine_id",
  ...inPath,
  type: "identifier",
  example: "T1",
  description: "Identifier of the turbine.",
};

/** Names of the current wind-index operations. */
export type WindIndexId =
  | "turbines"
  | "turbine_details"
  | "model_data"
  | "wind_indices"
  | "monthly_index";

/** The current wind-index operations (4.1 of the API text). */
export const windIndexOperations: OperationTable<WindIndexId> = {
  turbines: {
    path: "/wind-index/calibrated/",
    summary: "Lists the turbines that the licence covers.",
    parameters: [],
    success: { kind: "records", mediaType: "application/json", columns: turbineList },
    headers: [worldHeader, ...tagHeaders],
    errors: [noData, expired],
  },
  turbine_details: {
    path: "/wind-index/calibrated/details/{turbine_id}",
    summary:
      "Returns the details of one turbine, such as location, hub height, power curve and the training window of the calibration.",
    parameters: [turbineParameter],
    success: { kind: "record", mediaType: "application/json", schema: turbineDetailsResource },
    headers: dataHeaders,
    errors: [noData, expired],
  },
  model_data: {
    path: "/wind-index/calibrated/model_data/{turbine_id}",
    summary:
      "Returns the hourly model data at hub height, from which the predicted production is computed.",
    parameters: [
      turbineParameter,
      {
        name: "start_date",
        ...optional,
        type: "date",
        default: "2020-01-01",
        defaultApplies: false,
        example: "2024-01-01",
        description:
          "First day of the data. The API text gives this default, but also says that the data begin at the first available date " +
          "if this parameter is missing. In this case, the answer of our service begins at the first available date.",
      },
      {
        name: "end_date",
        ...optional,
        type: "date",
        default: "2030-12-01",
        example: "2024-01-02",
        description: "Day after the last day of the data.",
      },
    ],
    success: {
      kind: "csv",
      mediaType: "text/csv",
      columns: modelDataCsv,
      note:
        "Timestamps have the UTC offset of the turbine's time zone, so data with a clock change have two offsets. " +
        'Read the timestamps as UTC with `pandas.to_datetime(frame["time"], utc=True)`, then convert them to the ' +
        "turbine's time zone. With `parse_dates`, pandas leaves a column with two offsets as text and reports no error.",
    },
    headers: [...dataHeaders, timeZoneHeader],
    errors: [noData, expired, notFound("no access to turbine", "no_access")],
  },
  wind_indices: {
    path: "/wind-index/calibrated/wind_indices/{turbine_id}",
    summary: "Returns the monthly wind indices of one turbine.",
    parameters: [turbineParameter],
    success: { kind: "csv", mediaType: "text/csv", columns: windIndicesCsv },
    headers: dataHeaders,
    errors: [noData, expired],
  },
  monthly_index: {
    path: "/wind-index/calibrated/wind_indices/{turbine_id}/{year}/{month}/",
    summary: "Returns the wind-index figures of one turbine for one month.",
    parameters: [
      turbineParameter,
      {
        name: "year",
        in: "path",
        type: "integer",
        required: true,
        minimum: YEAR_RANGE[0],
        maximum: YEAR_RANGE[1],
        example: 2024,
        description: "Calendar year. The API text gives no limits for the year.",
        tag: "assumed",
      },
      {
        name: "month",
        in: "path",
        type: "integer",
        required: true,
        minimum: 1,
        maximum: 12,
        example: 5,
        description: "Calendar month. The API text gives no limits for the month.",
        tag: "assumed",
      },
    ],
    success: { kind: "record", mediaType: "application/json", schema: monthlyIndexResource },
    headers: dataHeaders,
    errors: [noData, expired],
  },
};
