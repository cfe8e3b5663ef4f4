import { type Column, ownColumn } from "../../api/columns/column.ts";
import { month, time } from "../../api/columns/columns.ts";
import { calendarMonth, monthColumnName } from "../../show/text/month.ts";

/** The findings of `checkQuality()`: one row each, in order of time. */
export const findingColumns: readonly Column[] = [
  ownColumn("kind", "utf8", "Finding", "What was found: a gap, a standstill, a shift and so on."),
  { ...time, name: "from", label: "From", description: "Start of the finding.", tag: "ours" },
  { ...time, name: "to", label: "To", description: "End of the finding.", tag: "ours" },
  ownColumn("hours", "f64", "Hours", "Hours of the finding; for gaps, missing hours.", "h"),
  ownColumn("message", "utf8", "What", "What was found, in words."),
  ownColumn("remedy", "utf8", "Remedy", "What to do about it; nothing was repaired."),
];

/** Columns of the calendar months, January first: `jan` to `dec`. */
export const monthShareColumns: readonly Column[] = Array.from({ length: 12 }, (_, i) => {
  const name = calendarMonth(`2000-${String(i + 1).padStart(2, "0")}`);
  return {
    name: monthColumnName(i + 1),
    dtype: "f64",
    range: [0, 1],
    label: name.slice(0, 3),
    description:
      `Share of the real hours of ${name} that have a value, of all of them also where the record ` +
      "begins or ends in it; missing outside of the record.",
    tag: "ours",
  };
});

/** The completeness of `checkQuality()`: a row a year, a column a month. */
export const completenessColumns: readonly Column[] = [
  ownColumn("year", "i32", "Year", "Calendar year."),
  ...monthShareColumns,
];

/** The lags of `checkQuality()`: a row for each month with enough values. */
export const lagColumns: readonly Column[] = [
  month,
  ownColumn("lag", "f64", "Lag", "By how much production comes later than the model.", "h"),
  ownColumn("lag_low", "f64", "Lag, low", "Lower end of its 90 % interval.", "h"),
  ownColumn("lag_high", "f64", "Lag, high", "Upper end of its 90 % interval.", "h"),
  {
    name: "correlation",
    dtype: "f64",
    range: [-1, 1],
    label: "Correlation",
    description: "Correlation of production and model at that lag.",
    tag: "ours",
  },
];
