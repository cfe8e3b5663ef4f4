import {
  type Columns,
  type ColumnTable,
  listColumns,
  type Quantity,
  type WireDate,
} from "./column_table.ts";

/** Climate dataset record (2.6 of the API text). */
export interface DatasetItem {
  /** Number of the dataset. */
  readonly id: number | bigint;
  /** Identifier to order the dataset by. */
  readonly service_id: string;
  /** Group the dataset belongs to. */
  readonly data_group: string;
  /** Kind of data. */
  readonly data_type: string;
  /** What the dataset is, in a few words. */
  readonly short_description: string;
  /** What the dataset is, in a paragraph. */
  readonly long_description: string;
  /** Address of the dataset's own description. */
  readonly url_description: string;
}

/** Climate coverage result (2.5 of the API text). */
export interface CoverageItem {
  /** Great-circle distance from the point to the location asked for, km. */
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
  id: {
    dtype: "i64",
    notNull: true,
    label: "Id",
    description: "Number of the dataset.",
    tag: "documented",
  },
  service_id: {
    dtype: "utf8",
    notNull: true,
    key: true,
    label: "Dataset",
    description: "Identifier to order the dataset by.",
    tag: "documented",
  },
  data_group: {
    dtype: "utf8",
    notNull: true,
    label: "Group",
    description: "Group the dataset belongs to.",
    tag: "documented",
  },
  data_type: {
    dtype: "utf8",
    notNull: true,
    label: "Type",
    description: "Kind of data.",
    tag: "documented",
  },
  short_description: {
    dtype: "utf8",
    notNull: true,
    label: "Name",
    description: "What the dataset is, in a few words.",
    tag: "documented",
  },
  long_description: {
    dtype: "utf8",
    notNull: true,
    label: "Description",
    description: "What the dataset is, in a paragraph.",
    tag: "documented",
  },
  url_description: {
    dtype: "utf8",
    notNull: true,
    label: "Link",
    description: "Address of the dataset's own description.",
    tag: "documented",
  },
};

const coverageItemTable: ColumnTable<CoverageItem> = {
  distance_to_request_location: {
    dtype: "f64",
    notNull: true,
    unit: "km",
    range: [0, null],
    label: "Distance",
    description: "Great-circle distance from the point to the location asked for.",
    tag: "documented",
  },
  last_updated: {
    dtype: "date",
    notNull: true,
    label: "Last updated",
    description: "Last day with data at the point.",
    tag: "documented",
  },
  latitude: {
    dtype: "f64",
    notNull: true,
    unit: "deg",
    range: [-90, 90],
    label: "Latitude",
    description: "Latitude of the point, positive north.",
    tag: "documented",
  },
  longitude: {
    dtype: "f64",
    notNull: true,
    unit: "deg",
    range: [-180, 180],
    label: "Longitude",
    description: "Longitude of the point, positive east.",
    tag: "documented",
  },
  start_year: {
    dtype: "date",
    notNull: true,
    label: "Start",
    description: "First day with data at the point; a bare year on the wire is its 1 January.",
    tag: "documented",
  },
};

/** The list of climate datasets. */
export const datasetList: Columns<DatasetItem> = listColumns(datasetItemTable);

/** The points of a dataset nearest to a location. */
export const coverageList: Columns<CoverageItem> = listColumns(coverageItemTable);
