import pl, { type DataFrame, type Expr } from "nodejs-polars";
import { HOUR } from "../../time/hour_axis.ts";
import { monthOfNumber, startOfMonth } from "../../time/zones.ts";

/** First and last month of something, as positions on the line of all months: years x 12 + months from 0. */
export type MonthSpan = readonly [first: number, last: number];

/** Position of a date's or a local datetime's month on the line of all months, as `number`. */
export function buildMonthNumber(date: Expr): Expr {
  return date.dt.year().cast(pl.Int32).mul(pl.lit(12)).add(date.dt.month().cast(pl.Int32))
    .sub(pl.lit(1)).cast(pl.Int32).alias("number");
}

/** Position of the local month in which an hour starts. (A cast of the stamp to a date would give that in UTC.) */
export function buildLocalMonthNumber(timeZone: string): Expr {
  return buildMonthNumber(pl.col("time").cast(pl.Datetime("us", timeZone)));
}

/** First and last month of a frame with a column `number`. */
export function findMonthSpan(frame: DataFrame): MonthSpan {
  const numbers = frame.getColumn("number");
  return [Number(numbers.min()), Number(numbers.max())];
}

/** "2018-01 to 2018-12". */
export function formatMonthSpan([first, last]: MonthSpan): string {
  return `${monthOfNumber(first)} to ${monthOfNumber(last)}`;
}

/** All months of a span as `number`, with their real `month_hours`: 743 or 745 where the clock changes. */
export function listMonths([first, last]: MonthSpan, timeZone: string): DataFrame {
  const numbers = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const hours = numbers.map((number) => {
    const month = monthOfNumber(number);
    const end = startOfMonth(month.add({ months: 1 }), timeZone);
    return (end - startOfMonth(month, timeZone)) / HOUR;
  });
  return pl.DataFrame([
    pl.Series("number", numbers, pl.Int32),
    pl.Series("month_hours", hours, pl.Float64),
  ]);
}
