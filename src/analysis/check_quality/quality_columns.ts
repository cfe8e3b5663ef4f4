import type { Column } from "../../api/columns/column.ts";
import { month, time } from "../../api/columns/columns.ts";
import { calendarMonth, monthColumnName } from "../../show/text/month.ts";

function declareHours(name: string, label: string, description: string): Column {
  return { name, dtype: "f64", unit: "h", label, description, tag: "ours" };
}

function declareText(name: string, label: string, description: string): Column {
  return { name, dtype: "utf8", label, description, tag: "ours" };
}

/** The findings of `checkQuality()`: one row each, in order of time. */
export const findingColumns: readonly Column[] = [
  declareText("kind", "Finding", "What was found: a gap, a standstill, a shift and so on."),
  { ...time, name: "from", label: "From", description: "Start of the finding.", tag: "ours" },
  { ...time, name: "to", label: "To", description: "End of the finding.", tag: "ours" },
  declareHours(
    "hours",
    "Hours",
    "Hours of the finding; for gaps, missing hours.",
  ),
  declareText("message", "What", "What was found, in words."),
  declareText("remedy", "Remedy", "What to do about it; nothing was repaired."),
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
  { name: "year", dtype: "i32", label: "Year", description: "Calendar year.", tag: "ours" },
  ...monthShareColumns,
];

/** The lags of `checkQuality()`: a row for each month with enough values. */
export const lagColumns: readonly Column[] = [
  month,
  declareHours("lag", "Lag", "By how much production comes later than the model."),
  declareHours("lag_low", "Lag, low", "Lower end of its 90 % interval."),
  declareHours("lag_high", "Lag, high", "Upper end of its 90 % interval."),
  {
    name: "correlation",
    dtype: "f64",
    range: [-1, 1],
    label: "Correlation",
    description: "Correlation of production and model at that lag.",
    tag: "ours",
  },
];
