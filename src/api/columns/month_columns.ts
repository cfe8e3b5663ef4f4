import { addedColumn, type Column } from "./column.ts";
import {
  type Columns,
  type ColumnTable,
  declareAs,
  documented,
  listColumns,
  nullable,
  type Quantity,
} from "./column_table.ts";
import { turbineId, type TurbineItem, turbineItemTable } from "./turbine_columns.ts";

/** A calendar month in the turbine's time zone. */
export interface CalendarMonth {
  /** Calendar year. */
  readonly year: number;
  /** Calendar month, 1 to 12. */
  readonly month: number;
}

/** The six figures of a month, in the order the API text lists them. */
export interface MonthFigures {
  /** Energy over one twelfth of a normal year, %. */
  readonly month_index: Quantity<"%"> | null;
  /** Energy over the energy of a normal month of the same name, %. */
  readonly month_abnormality_index: Quantity<"%"> | null;
  /** Energy of the last twelve months over a normal year, %. */
  readonly last12_month_index: Quantity<"%"> | null;
  /** Energy of the last calendar quarter complete at this month over the same normal quarter, %. */
  readonly last_full_quarter_index: Quantity<"%"> | null;
  /** Energy of the last calendar year complete at this month over a normal year, %. */
  readonly last_full_year_index: Quantity<"%"> | null;
  /** Modelled energy of the month, MWh. */
  readonly predicted_production: Quantity<"MWh"> | null;
}

/** The 90 % interval of the predicted production, if the service states it. */
export interface PredictedInterval {
  /** Lower end, MWh. */
  readonly predicted_production_low?: Quantity<"MWh"> | null;
  /** Upper end, MWh. */
  readonly predicted_production_high?: Quantity<"MWh"> | null;
}

/** Facts that our service adds to the figures of every month; another service may leave them out. */
export interface MonthState extends PredictedInterval {
  /** `preliminary` while an hour of it may still be replaced. */
  readonly status?: "final" | "preliminary";
  /** Share of valid hours. */
  readonly completeness?: number;
  /** Revision of the figures, counted from 1. */
  readonly revision?: number;
}

/** A row of the wind_indices CSV. */
export interface WindIndicesRow extends CalendarMonth, MonthFigures, MonthState {}

/**
 * The figures of one month; names as in frames. A plain object that shows itself as a card.
 *
 * `turbine_id`, `year` and `month` identify it. In % of a normal year or part of one: `month_index`,
 * `month_abnormality_index`, `last12_month_index`, `last_full_quarter_index`, `last_full_year_index`; in MWh:
 * `predicted_production` and its 90 % interval, `predicted_production_low` and `predicted_production_high`. Its state:
 * `status`, `completeness`, `revision`.
 */
export interface MonthlyIndex extends TurbineItem, WindIndicesRow {}

/** Columns of the calendar month. */
export const calendarMonthTable: ColumnTable<CalendarMonth> = {
  year: documented("i32", "Year", "Calendar year in the turbine's time zone.", { key: true }),
  month: documented("i32", "Month", "Calendar month, 1 to 12, in the turbine's time zone.", {
    key: true,
    range: [1, 12],
  }),
};

function index(label: string, description: string) {
  return nullable("f64", label, description, { unit: "%", range: [0, null] });
}

/** Columns of the six figures. */
export const monthFigureTable: ColumnTable<MonthFigures> = {
  month_index: {
    ...index(
      "Month index",
      "Modelled energy of the month over one twelfth of a normal year.",
    ),
    wire: "monthIndex",
  },
  month_abnormality_index: index(
    "Month abnormality index",
    "Modelled energy of the month over the energy of a normal month of the same name.",
  ),
  last12_month_index: index(
    "Last 12 months index",
    "Modelled energy of the twelve months that end with this one over the energy of a normal year.",
  ),
  last_full_quarter_index: index(
    "Last full quarter index",
    "Modelled energy of the last calendar quarter complete at this month over the energy of a normal quarter of the same name.",
  ),
  last_full_year_index: index(
    "Last full year index",
    "Modelled energy of the last calendar year complete at this month over the energy of a normal year.",
  ),
  predicted_production: nullable(
    "f64",
    "Predicted production",
    "Modelled energy of the month, of one turbine.",
    { unit: "MWh", range: [0, null] },
  ),
};

const added = declareAs({ tag: "ours", optional: true });

/** One end of the interval of the predicted production. */
function bound(label: string, side: string) {
  const description = `${side} end of the 90 % interval of the predicted production.`;
  return added("f64", label, description, { unit: "MWh", range: [0, null] });
}

/** Columns of the interval. */
export const intervalTable: ColumnTable<PredictedInterval> = {
  predicted_production_low: bound("Predicted production, low", "Lower"),
  predicted_production_high: bound("Predicted production, high", "Upper"),
};

/** Columns of the state, the interval last. */
export const monthStateTable: ColumnTable<MonthState> = {
  status: added(
    "utf8",
    "Status",
    "`final`, or `preliminary` while the reanalysis may still be replaced.",
    { notNull: true, values: ["final", "preliminary"] },
  ),
  completeness: added("f64", "Completeness", "Share of the month's hours that are valid.", {
    notNull: true,
    range: [0, 1],
  }),
  revision: added("i32", "Revision", "Revision of the month's figures, counted from 1.", {
    notNull: true,
    range: [1, null],
  }),
  ...intervalTable,
};

/** Columns of the wind_indices CSV. */
export const windIndicesTable: ColumnTable<WindIndicesRow> = {
  ...calendarMonthTable,
  ...monthFigureTable,
  ...monthStateTable,
};

/** Columns of the monthly wind-index result (2.3 of the API text). */
export const monthlyIndexTable: ColumnTable<MonthlyIndex> = {
  ...turbineItemTable,
  ...windIndicesTable,
};

/** The six figures of a month as a list. */
export const figures: Columns<MonthFigures> = listColumns(monthFigureTable);

/** The 90 % interval of the predicted production as a list: lower and upper end. */
export const predictedInterval: Columns<PredictedInterval> = listColumns(intervalTable);

/** Additions of our service to every month as a list: state, completeness, revision and interval. */
export const monthState: Columns<MonthState> = listColumns(monthStateTable);

/** The monthly wind-index result as a list. */
export const monthRecord: Columns<MonthlyIndex> = listColumns(monthlyIndexTable);

/** First day of a calendar month, which stands for the month in frames. */
export const month: Column = addedColumn(
  "month",
  "date",
  "Month",
  "First day of the calendar month, in the turbine's time zone.",
);

/** Rows of the wind_indices CSV, whose layout the API text does not show. */
export const windIndicesCsv: Columns<WindIndicesRow> = [
  ...[...listColumns(calendarMonthTable), ...figures]
    .map((column) => ({ ...column, wire: column.name, tag: "assumed" as const })),
  ...monthState,
];

/** The frame of `windIndices()` for several turbines. */
export const windIndicesFrame: readonly Column[] = [turbineId, ...windIndicesCsv];

/** The frame of `monthlyIndices()`: one row a turbine and month. */
export const monthlyIndicesFrame: readonly Column[] = [turbineId, month, ...figures, ...monthState];
