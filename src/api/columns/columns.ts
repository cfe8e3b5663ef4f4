import type { Column } from "./column.ts";

/** Identifier of a turbine. */
export const turbineId: Column = {
  name: "turbine_id",
  dtype: "utf8",
  notNull: true,
  label: "Turbine",
  description: "Identifier of the turbine, as the service knows it.",
  tag: "documented",
};

/** First day of a calendar month: how frames carry months. */
export const month: Column = {
  name: "month",
  dtype: "date",
  label: "Month",
  description: "First day of the calendar month, in the turbine's time zone.",
  tag: "ours",
};

const year: Column = {
  name: "year",
  dtype: "i32",
  notNull: true,
  label: "Year",
  description: "Calendar year in the turbine's time zone.",
  tag: "documented",
};

const monthNumber: Column = {
  name: "month",
  dtype: "i32",
  notNull: true,
  range: [1, 12],
  label: "Month",
  description: "Calendar month, 1 to 12, in the turbine's time zone.",
  tag: "documented",
};

function index(name: string, label: string, description: string, wire?: string): Column {
  return {
    name,
    ...(wire ? { wire } : {}),
    dtype: "f64",
    unit: "%",
    range: [0, null],
    label,
    description,
    tag: "documented",
  };
}

/** The six figures of a month, in the order the API text lists them. */
export const figures: readonly Column[] = [
  index(
    "month_index",
    "Month index",
    "Modelled energy of the month over one twelfth of a normal year.",
    "monthIndex",
  ),
  index(
    "month_abnormality_index",
    "Month abnormality index",
    "Modelled energy of the month over that of a normal month of the same name.",
  ),
  index(
    "last12_month_index",
    "Last 12 months index",
    "Modelled energy of the twelve months that end with this one over that of a normal year.",
  ),
  index(
    "last_full_quarter_index",
    "Last full quarter index",
    "Modelled energy of the last calendar quarter complete at this month over that of a normal quarter of the same name.",
  ),
  index(
    "last_full_year_index",
    "Last full year index",
    "Modelled energy of the last calendar year complete at this month over that of a normal year.",
  ),
  {
    name: "predicted_production",
    dtype: "f64",
    unit: "MWh",
    range: [0, null],
    label: "Predicted production",
    description: "Modelled energy of the month, of one turbine.",
    tag: "documented",
  },
];

/** One end of the interval of the predicted production. */
function bound(name: string, label: string, side: string): Column {
  return {
    name,
    dtype: "f64",
    unit: "MWh",
    range: [0, null],
    label,
    description: `${side} end of the 90 % interval of the predicted production.`,
    tag: "ours",
    optional: true,
  };
}

/** The 90 % interval of the predicted production: lower and upper end. */
export const predictedInterval: readonly [Column, Column] = [
  bound("predicted_production_low", "Predicted production, low", "Lower"),
  bound("predicted_production_high", "Predicted production, high", "Upper"),
];

/** Columns that our service adds to every month: state, completeness, revision and interval. */
export const monthState: readonly Column[] = [
  {
    name: "status",
    dtype: "utf8",
    label: "Status",
    description: "`final`, or `preliminary` while the reanalysis may still be replaced.",
    tag: "ours",
    optional: true,
  },
  {
    name: "completeness",
    dtype: "f64",
    range: [0, 1],
    label: "Completeness",
    description: "Share of the month's hours that are valid.",
    tag: "ours",
    optional: true,
  },
  {
    name: "revision",
    dtype: "i32",
    range: [1, null],
    label: "Revision",
    description: "Revision of the month's figures, counted from 1.",
    tag: "ours",
    optional: true,
  },
  ...predictedInterval,
];

/** Turbine list item (2.1 of the API text). */
export const turbineList: readonly Column[] = [turbineId];

/** Monthly wind-index result, a JSON record (2.3 of the API text). */
export const monthRecord: readonly Column[] = [
  turbineId,
  year,
  monthNumber,
  ...figures,
  ...monthState,
];

/** Rows of the wind_indices CSV, whose layout the API text does not show. */
export const windIndicesCsv: readonly Column[] = [
  { ...year, tag: "assumed" },
  { ...monthNumber, tag: "assumed" },
  ...figures.map((column): Column => ({ ...column, wire: column.name, tag: "assumed" })),
  ...monthState,
];

/** The frame of `windIndices()` for several turbines. */
export const windIndicesFrame: readonly Column[] = [turbineId, ...windIndicesCsv];

/** The frame of `monthlyIndices()`: one row a turbine and month. */
export const monthlyIndicesFrame: readonly Column[] = [turbineId, month, ...figures, ...monthState];

/** Stamp of an hourly value. */
export const time: Column = {
  name: "time",
  dtype: "datetime",
  label: "Time",
  description: "Start of the hour.",
  tag: "assumed",
};

/** Rows of the model_data CSV, whose layout the API text does not show. */
export const modelDataCsv: readonly Column[] = [
  time,
  {
    name: "wind_speed",
    dtype: "f64",
    unit: "m/s",
    range: [0, 75],
    decimals: 3,
    label: "Wind speed",
    description: "Calibrated wind speed at hub height at the stamp.",
    tag: "assumed",
  },
  {
    name: "wind_direction",
    dtype: "f64",
    unit: "deg",
    range: [0, 360],
    decimals: 1,
    label: "Wind direction",
    description: "Direction the wind comes from at the stamp, clockwise from north.",
    tag: "assumed",
    optional: true,
  },
  {
    name: "temperature",
    dtype: "f64",
    unit: "degC",
    range: [-80, 60],
    decimals: 2,
    label: "Temperature",
    description: "Air temperature at the stamp.",
    tag: "assumed",
    optional: true,
  },
  {
    name: "air_density",
    dtype: "f64",
    unit: "kg/m3",
    range: [0.6, 1.7],
    decimals: 4,
    label: "Air density",
    description: "Air density at hub height at the stamp.",
    tag: "assumed",
    optional: true,
  },
  {
    name: "power",
    dtype: "f64",
    unit: "kW",
    range: [0, null],
    decimals: 3,
    label: "Power",
    description: "Modelled mean power of the hour that begins at the stamp.",
    tag: "assumed",
  },
];

/** Columns that stand in for the zone where an answer has turbines of several zones. */
export const zoneColumns: readonly Column[] = [
  {
    name: "time_zone",
    dtype: "utf8",
    label: "Time zone",
    description: "IANA time zone of the turbine.",
    tag: "ours",
  },
  {
    name: "local_time",
    dtype: "utf8",
    label: "Local time",
    description: "Start of the hour in the turbine's zone, ISO 8601 with offset.",
    tag: "ours",
  },
];

/** The frame of `modelData()` for several turbines. */
export const modelDataFrame: readonly Column[] = [turbineId, ...modelDataCsv];

/** Climate dataset record (2.6 of the API text). */
export const datasetList: readonly Column[] = [
  {
    name: "id",
    dtype: "i64",
    label: "Id",
    description: "Number of the dataset.",
    tag: "documented",
  },
  {
    name: "service_id",
    dtype: "utf8",
    notNull: true,
    label: "Dataset",
    description: "Identifier to order the dataset by.",
    tag: "documented",
  },
  {
    name: "data_group",
    dtype: "utf8",
    label: "Group",
    description: "Group the dataset belongs to.",
    tag: "documented",
  },
  {
    name: "data_type",
    dtype: "utf8",
    label: "Type",
    description: "Kind of data.",
    tag: "documented",
  },
  {
    name: "short_description",
    dtype: "utf8",
    label: "Name",
    description: "What the dataset is, in a few words.",
    tag: "documented",
  },
  {
    name: "long_description",
    dtype: "utf8",
    label: "Description",
    description: "What the dataset is, in a paragraph.",
    tag: "documented",
  },
  {
    name: "url_description",
    dtype: "utf8",
    label: "Link",
    description: "Address of the dataset's own description.",
    tag: "documented",
  },
];

/** Climate coverage result (2.5 of the API text). */
export const coverageList: readonly Column[] = [
  {
    name: "distance_to_request_location",
    dtype: "f64",
    unit: "km",
    range: [0, null],
    label: "Distance",
    description: "Great-circle distance from the point to the location asked for.",
    tag: "documented",
  },
  {
    name: "last_updated",
    dtype: "date",
    label: "Last updated",
    description: "Last day with data at the point.",
    tag: "documented",
  },
  {
    name: "latitude",
    dtype: "f64",
    unit: "deg",
    range: [-90, 90],
    label: "Latitude",
    description: "Latitude of the point, positive north.",
    tag: "documented",
  },
  {
    name: "longitude",
    dtype: "f64",
    unit: "deg",
    range: [-180, 180],
    label: "Longitude",
    description: "Longitude of the point, positive east.",
    tag: "documented",
  },
  {
    name: "start_year",
    dtype: "date",
    label: "Start",
    description: "First day with data at the point; a bare year on the wire is its 1 January.",
    tag: "documented",
  },
];

/** Turbine list item of the reports (2.8 of the API text). */
export const reportTurbineList: readonly Column[] = [
  turbineId,
  {
    name: "last_available_report",
    dtype: "date",
    label: "Last report",
    description: "First day of the month of the last available report.",
    tag: "documented",
  },
];

/** Month item of a turbine's reports (2.8 of the API text). */
export const reportMonthList: readonly Column[] = [{
  ...month,
  description: "First day of the month of a report.",
  notNull: true,
  tag: "assumed",
}];
