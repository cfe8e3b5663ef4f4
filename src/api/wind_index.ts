import { modelDataCsv, turbineList, windIndicesCsv } from "./columns.ts";
import type { Operation } from "./operation.ts";
import { expired, invalidArgument, noData, notFound } from "./operation_errors.ts";
import type { Parameter } from "./parameter.ts";
import { monthlyIndexResource, turbineDetailsResource } from "./resources.ts";

/** The path parameter of every operation on one turbine. */
export const turbineParameter: Parameter = {
  name: "turbine_id",
  in: "path",
  type: "identifier",
  required: true,
  description: "Identifier of the turbine.",
  tag: "documented",
};

/** The current wind-index operations (4.1 of the API text). */
export const windIndexOperations: readonly Operation[] = [
  {
    id: "turbines",
    group: "wind-index",
    path: "/wind-index/calibrated/",
    summary: "Lists the turbines of the licence.",
    parameters: [],
    success: { kind: "records", mediaType: "application/json", columns: turbineList },
    errors: [noData, expired],
    deprecated: false,
    key: true,
  },
  {
    id: "turbine_details",
    group: "wind-index",
    path: "/wind-index/calibrated/details/{turbine_id}",
    summary: "Details of one turbine: place, hub height, power curve, training window.",
    parameters: [turbineParameter],
    success: { kind: "record", mediaType: "application/json", schema: turbineDetailsResource },
    errors: [noData, expired, invalidArgument],
    deprecated: false,
    key: true,
  },
  {
    id: "model_data",
    group: "wind-index",
    path: "/wind-index/calibrated/model_data/{turbine_id}",
    summary: "The model behind the prediction, hour by hour, at the site and at hub height.",
    parameters: [
      turbineParameter,
      {
        name: "start_date",
        in: "query",
        type: "date",
        required: false,
        default: "2020-01-01",
        defaultApplies: false,
        description: "Loads data starting at that date. The text also says that without it the " +
          "first available date is used; our service does so.",
        tag: "documented",
      },
      {
        name: "end_date",
        in: "query",
        type: "date",
        required: false,
        default: "2030-12-01",
        description: "Loads data before that date.",
        tag: "documented",
      },
    ],
    success: { kind: "csv", mediaType: "text/csv", columns: modelDataCsv },
    errors: [noData, expired, notFound("no access to turbine", "no_access"), invalidArgument],
    deprecated: false,
    key: true,
  },
  {
    id: "wind_indices",
    group: "wind-index",
    path: "/wind-index/calibrated/wind_indices/{turbine_id}",
    summary: "The wind indices of one turbine, month by month.",
    parameters: [turbineParameter],
    success: { kind: "csv", mediaType: "text/csv", columns: windIndicesCsv },
    errors: [noData, expired, invalidArgument],
    deprecated: false,
    key: true,
  },
  {
    id: "monthly_index",
    group: "wind-index",
    path: "/wind-index/calibrated/wind_indices/{turbine_id}/{year}/{month}/",
    summary: "The wind-index figures of one turbine and month.",
    parameters: [
      turbineParameter,
      {
        name: "year",
        in: "path",
        type: "integer",
        required: true,
        minimum: 1940,
        maximum: 2100,
        description: "Calendar year. The text names no bounds.",
        tag: "assumed",
      },
      {
        name: "month",
        in: "path",
        type: "integer",
        required: true,
        minimum: 1,
        maximum: 12,
        description: "Calendar month. The text names no bounds.",
        tag: "assumed",
      },
    ],
    success: { kind: "record", mediaType: "application/json", schema: monthlyIndexResource },
    errors: [noData, expired, invalidArgument],
    deprecated: false,
    key: true,
  },
];
