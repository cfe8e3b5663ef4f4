import { type Column, ownColumn } from "../../api/columns/column.ts";

const energy = (name: string, label: string, description: string): Column =>
  ownColumn(name, "f64", label, description, "MWh");
const percent = (name: string, label: string, description: string): Column =>
  ownColumn(name, "f64", label, description, "%");

/** The periods of `proveIndex()`: a row a month, or a year of annual production. */
export const proofPeriods: readonly Column[] = [
  ownColumn("period", "utf8", "Period", "Month, such as 2018-05, or year."),
  energy("produced", "Produced", "Energy produced in the hours compared."),
  energy("predicted", "Predicted", "Energy predicted without the period."),
  energy("low", "Low", "Lower end of the 90 % interval; null for a year."),
  energy("high", "High", "Upper end of the 90 % interval; null for a year."),
  ownColumn("hit", "bool", "Hit", "Whether the interval has the produced energy; null for a year."),
  percent("index", "Index", "Predicted over produced energy, less 100 %."),
  percent("one_factor", "One factor", "The same by one factor on the wind speed."),
  percent("monthly_regression", "Regression", "By a line of mean power on mean wind speed."),
  percent("mean_of_the_others", "Mean", "By the mean power of the other periods."),
];

/** The methods of `proveIndex()`: a row each. */
export const proofMethods: readonly Column[] = [
  ownColumn("method", "utf8", "Method", "How a period is predicted from the others."),
  percent("error", "Mean error", "Mean absolute error of the periods."),
  percent("worst", "Largest", "Largest absolute error of a period."),
  percent("bias", "Bias", "Mean error of the periods."),
];

/** Errors after some months of production: a row for each number of months. */
export const proofLengths: readonly Column[] = [
  ownColumn("months", "i32", "Months", "Months of production, from any month of the year on."),
  percent("year_half", "Year, half", "Error of a normal year that half of the worlds keep."),
  percent("year_most", "Year, 90 %", "Error of a normal year that nine of ten worlds keep."),
  percent("month_half", "Month, half", "The same of a month of another year: half of them."),
  percent("month_most", "Month, 90 %", "The same of a month of another year: nine of ten."),
];
