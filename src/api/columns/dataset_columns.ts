import {
  type Columns,
  type ColumnTable,
  documented,
  listColumns,
  type Quantity,
  type WireDate,
} from "./column_table.ts";

/** Climate dataset record (2.6 of the API text). */
export interface DatasetItem {
  /** Number of the dataset. */
  readonly id: number | bigint;
  /** Identifier with which you order the dataset. */
  readonly service_id: string;
  /** Group the dataset belongs to. */
  readonly data_group: string;
  /** Kind of data. */
  readonly data_type: string;
  /** Short description of the dataset. */
  readonly short_description: string;
  /** Longer description of the dataset. */
  readonly long_description: string;
  /** Address of the page that describes the dataset. */
  readonly url_description: string;
}

/** Climate coverage result (2.5 of the API text). */
export interface CoverageItem {
  /** Great-circle distance from the point to the requested location, km. */
  readonly distance_to_request_location: Quantity<"km">;
  /** Last day with data at the point. */
  readonly last_updated: WireDate;
  /** Latitude of the point, deg, positive north. */
  readonly latitude: Quantity<"deg">;
  /** Longitude of the point, deg, positive east. */
  readonly longitude: Quantity<"deg">;
  /** First day with data at the point. */
  readonly start_year: WireDate;
}

const datasetItemTable: ColumnTable<DatasetItem> = {
  id: documented("i64", "Id", "Number of the dataset."),
  service_id: documented("utf8", "Dataset", "Identifier with which you order the dataset.", {
    key: true,
  }),
  data_group: documented("utf8", "Group", "Group the dataset belongs to."),
  data_type: documented("utf8", "Type", "Kind of data."),
  short_description: documented("utf8", "Name", "Short description of the dataset."),
  long_description: documented("utf8", "Description", "Longer description of the dataset."),
  url_description: documented("utf8", "Link", "Address of the page that describes the dataset."),
};

const coverageItemTable: ColumnTable<CoverageItem> = {
  distance_to_request_location: documented(
    "f64",
    "Distance",
    "Great-circle distance from the point to the requested location.",
    { unit: "km", range: [0, null] },
  ),
  last_updated: documented("date", "Last updated", "Last day with data at the point."),
  latitude: documented("f64", "Latitude", "Latitude of the point, positive north.", {
    unit: "deg",
    range: [-90, 90],
  }),
  longitude: documented("f64", "Longitude", "Longitude of the point, positive east.", {
    unit: "deg",
    range: [-180, 180],
  }),
  start_year: documented(
    "date",
    "Start",
    "First day with data at the point; 1 January if the answer has only a year.",
  ),
};

/** The list of climate datasets. */
export const datasetList: Columns<DatasetItem> = listColumns(datasetItemTable);

/** The points of a dataset nearest to a location. */
export const coverageList: Columns<CoverageItem> = listColumns(coverageItemTable);
