import { YEAR_RANGE } from "../calendar.ts";
import { coverageList, datasetList } from "../columns/columns.ts";
import type { Quantity } from "../columns/column_table.ts";
import type { OperationTable } from "./operation_declaration.ts";
import {
  expired,
  invalidFileType,
  noAccess,
  noData,
  notFound,
  tooManyRequests,
} from "./operation_errors.ts";
import { orderWords } from "./order_words.ts";
import {
  inPath,
  inQuery,
  listParameters,
  optional,
  type Parameter,
  type ParameterTable,
} from "./parameter.ts";
import {
  cacheControlHeader,
  contentDispositionHeader,
  dataHeaders,
  tagHeaders,
  worldHeader,
} from "./response_headers.ts";

/** File types of climate data; `csv` and the file in `zipcsv` are tab-separated. */
export const fileTypes: readonly ["zipcsv", "csv", "zipraw"] = ["zipcsv", "csv", "zipraw"];

/** A file type of climate data. */
export type FileType = "zipcsv" | "csv" | "zipraw";

const archive = "application/zip";

/** Media type of each file type as our service sends it; the API text declares an archive for all of them. */
export const fileMediaTypes: Readonly<Record<FileType, string>> = {
  zipcsv: archive,
  csv: "text/tab-separated-values",
  zipraw: archive,
};

const orderId: Parameter = {
  name: "order_id",
  ...inPath,
  type: "identifier",
  example: "0f2c6c1e-2f4d-4c07-9a53-6a1d3a1a7f10",
  description: "Identifier of the order.",
};

/** Parameters of an order or a direct download, by wire name. */
export interface ClimateParameters {
  /** Identifier of the dataset. */
  readonly service_id: string;
  /** Latitude, deg. */
  readonly lat: Quantity<"deg">;
  /** Longitude, deg. */
  readonly lon: Quantity<"deg">;
  /** First year of the series, included. */
  readonly start_year: number;
  /** Last year of the series, included. */
  readonly end_year: number;
  /** Format of the file. */
  readonly filetype: FileType;
}

/** Common declaration of the first and the last year. */
const year = {
  in: "query",
  type: "integer",
  required: true,
  minimum: YEAR_RANGE[0],
  maximum: YEAR_RANGE[1],
  example: 2023,
  tag: "assumed",
} as const;

/** The parameters of an order or a direct download. */
export const climateParameterTable: ParameterTable<ClimateParameters> = {
  service_id: {
    ...inPath,
    type: "identifier",
    example: "era5",
    description: "Identifier of the dataset.",
  },
  lat: {
    ...inQuery,
    type: "number",
    minimum: -90,
    maximum: 90,
    example: 55.5,
    unit: "deg",
    description: "Latitude in decimal degrees.",
  },
  lon: {
    ...inQuery,
    type: "number",
    minimum: -180,
    maximum: 180,
    example: 7.75,
    unit: "deg",
    description: "Longitude in decimal degrees.",
  },
  start_year: {
    ...year,
    description: "First year in the series. The API text gives no limits for this year.",
  },
  end_year: {
    ...year,
    description: "Last year in the series. The API text gives no limits for this year.",
  },
  filetype: {
    ...inQuery,
    type: "string",
    values: fileTypes,
    example: "csv",
    description: "Format of the file.",
    refusal: "invalid_file_type",
  },
};

const climateParameters = listParameters(climateParameterTable);

const serviceId = climateParameters[0];

/** Latitude of a location. */
export const latitudeParameter: Parameter = climateParameters[1];

/** Longitude of a location. */
export const longitudeParameter: Parameter = climateParameters[2];

/** Names of the climate-data operations. */
export type ClimateDataId =
  | "datasets"
  | "coverage"
  | "place_order"
  | "order_status"
  | "download_climate";

/** The climate-data operations (4.2 of the API text). */
export const climateDataOperations: OperationTable<ClimateDataId> = {
  datasets: {
    path: "/onlinedata-services/climate/datasets",
    summary: "Lists the climate datasets.",
    parameters: [],
    success: { kind: "records", mediaType: "application/json", columns: datasetList },
    headers: [worldHeader, ...tagHeaders],
    errors: [noData, expired],
  },
  coverage: {
    path: "/onlinedata-services/climate/coverage/{service_id}",
    summary: "Lists the grid points of a dataset that are nearest to a location.",
    parameters: [
      serviceId,
      latitudeParameter,
      longitudeParameter,
      {
        name: "num_points",
        ...optional,
        type: "integer",
        default: 1,
        minimum: 1,
        maximum: 9,
        example: 4,
        description: "Number of points.",
      },
      {
        name: "max_distance",
        ...optional,
        type: "integer",
        default: 150,
        minimum: 1,
        maximum: 500,
        example: 150,
        unit: "km",
        description: "Search radius around the location.",
      },
    ],
    success: { kind: "records", mediaType: "application/json", columns: coverageList },
    headers: dataHeaders,
    errors: [
      expired,
      noAccess,
      notFound("no data found within the specified radius", "no_data"),
    ],
  },
  place_order: {
    path: "/onlinedata-services/climate/order/{service_id}",
    summary: "Orders the climate series of one grid point. The service adds the order to a queue.",
    parameters: climateParameters,
    success: {
      kind: "string",
      mediaType: "application/json",
      description: "Identifier of the order.",
      names: orderId.name,
    },
    headers: [cacheControlHeader],
    errors: [
      expired,
      noAccess,
      notFound("no data found", "no_data"),
      invalidFileType,
    ],
    changes: true,
  },
  order_status: {
    path: "/onlinedata-services/climate/status/{order_id}",
    summary: "Returns the status of an order: a word, or the address for the download of the data.",
    parameters: [orderId],
    success: {
      kind: "string",
      mediaType: "application/json",
      description: `${Object.keys(orderWords).join(", ")}, or a URL.`,
    },
    headers: [cacheControlHeader],
    errors: [expired, notFound("no data found", "not_found")],
  },
  download_climate: {
    path: "/onlinedata-services/climatedownload/{service_id}",
    summary: "Returns the climate series of one grid point as a file.",
    parameters: climateParameters,
    success: {
      kind: "file",
      mediaType: archive,
      mediaTypes: fileMediaTypes,
      description: "Zipped or plain CSV with the data of one point.",
    },
    headers: [...dataHeaders, contentDispositionHeader],
    errors: [
      expired,
      noAccess,
      notFound("no data found", "no_data"),
      invalidFileType,
      tooManyRequests,
    ],
  },
};
