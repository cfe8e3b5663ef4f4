import pl, { type Expr } from "nodejs-polars";
import { HOUR } from "../../time/hourly.ts";
import { monthOfNumber, startOfMonth } from "../../time/zones.ts";

/** First and last month, each as months since year 0: year x 12 + month - 1. */
export type MonthSpan = readonly [first: number, last: number];

/** Builds the expression for the month of a date or a local datetime, in months since year 0, as `number`. */
function buildMonthNumber(date: Expr): Expr {
  return date.dt.year().cast(pl.Int32).mul(pl.lit(12)).add(date.dt.month().cast(pl.Int32))
    .sub(pl.lit(1)).cast(pl.Int32).alias("number");
}

/** Builds the expression for the local month in which an hour starts. (A cast of the stamp to a date would give the month in UTC.) */
export function buildLocalMonthNumber(timeZone: string): Expr {
  return buildMonthNumber(pl.col("time").cast(pl.Datetime("us", timeZone)));
}

/** Finds first and last of some months. */
export function findMonthSpan(numbers: readonly number[]): MonthSpan {
  return numbers.reduce<MonthSpan>(
    ([first, last], number) => [Math.min(first, number), Math.max(last, number)],
    [Infinity, -Infinity],
  );
}

/** Formats a span of months: "2018-01 to 2018-12". */
export function formatMonthSpan([first, last]: MonthSpan): string {
  return `${monthOfNumber(first)} to ${monthOfNumber(last)}`;
}

/** Lists all months of a span with their real hours: 743 or 745 where the clock changes. */
export function listMonths(
  [first, last]: MonthSpan,
  timeZone: string,
): { readonly number: number; readonly hours: number }[] {
  return Array.from({ length: last - first + 1 }, (_, i) => {
    const number = first + i;
    const month = monthOfNumber(number);
    const end = startOfMonth(month.add({ months: 1 }), timeZone);
    return { number, hours: (end - startOfMonth(month, timeZone)) / HOUR };
  });
}
