import { type Column, ownColumn, pickColumns } from "../../api/columns/column.ts";
import { coverageList, monthlyIndicesFrame } from "../../api/columns/columns.ts";

const [distance, latitude, longitude] = pickColumns(
  coverageList,
  ["distance_to_request_location", "latitude", "longitude"],
);
const [completeness] = pickColumns(monthlyIndicesFrame, ["completeness"]);

function declareCorrelation(name: string, label: string, description: string): Column {
  return { ...ownColumn(name, "f64", label, description), range: [-1, 1] };
}

/** The frame of `compareReferences()`: a row a candidate, the best first. */
export const referenceColumns: readonly Column[] = [
  ownColumn("rank", "i32", "Rank", "Rank among the candidates; missing without overlap."),
  ownColumn("name", "utf8", "Reference", "Name of the candidate, with its point or turbine."),
  declareCorrelation(
    "monthly_r",
    "Monthly r",
    "Correlation of the monthly means with the production, at the lag.",
  ),
  declareCorrelation("monthly_r_low", "Monthly r, low", "Lower end of its 90 % interval."),
  declareCorrelation("monthly_r_high", "Monthly r, high", "Upper end of its 90 % interval."),
  declareCorrelation(
    "hourly_r",
    "Hourly r",
    "Correlation of the hours with the production, at the lag.",
  ),
  ownColumn("lag", "i32", "Lag", "Whole hours by which production comes later than it.", "h"),
  { ...distance, description: "Great-circle distance from the turbine.", tag: "ours" },
  {
    ...ownColumn("hours", "i32", "Hours", "Hours with a value in both."),
    unit: "h",
    range: [0, null],
  },
  {
    ...ownColumn("months", "i32", "Months", "Months of which at least 98 % have a value in both."),
    range: [0, null],
  },
  ownColumn(
    "trend",
    "f64",
    "Trend",
    "Trend of the annual mean wind over the whole years of its record.",
    "% per decade",
  ),
  ownColumn("trend_low", "f64", "Trend, low", "Lower end of its 90 % interval.", "% per decade"),
  ownColumn("trend_high", "f64", "Trend, high", "Upper end of its 90 % interval.", "% per decade"),
  ownColumn("years", "i32", "Years", "Whole years of its record."),
  {
    ...completeness,
    description: "Share of its record, from first to last, that has a value.",
    optional: false,
  },
  ownColumn("column", "utf8", "Column", "Column that was compared."),
  { ...latitude, tag: "ours" },
  { ...longitude, tag: "ours" },
  ownColumn("notes", "utf8", "Notes", "Warnings, and reasons for its rank."),
];
