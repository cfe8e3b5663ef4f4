import pl, { type DataFrame } from "nodejs-polars";
import { type Column, pickColumns } from "../../api/columns/column.ts";
import { monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { MIN_SHARE } from "../../frames/production/period_shares.ts";
import { productionColumns } from "../../frames/production/production.ts";
import { MIN_COMPLETENESS } from "../../windindex/index/monthly_energy.ts";
import { type HourlySeries, readComparedSeries, type SideColumns } from "./compared_series.ts";
import { buildLocalMonthNumber, findMonthSpan, listMonths } from "./local_months.ts";

const [completeness] = pickColumns(monthlyIndicesFrame, ["completeness"]);

/** Columns of production, for {@linkcode readComparedSeries}. */
export const productionSide: SideColumns = {
  what: "the production",
  hourly: productionColumns.hour as readonly [Column, Column],
  monthly: productionColumns.month as readonly [Column, Column],
};

const left = { on: "number", how: "left" } as const;

/**
 * Adds up the energy of months from hours: scaled to all hours in complete months, null in others.
 *
 * @param months Months as {@linkcode listMonths} returns them
 * @returns A frame of `number`, `energy` (MWh) and `completeness`
 */
export function sumMonths(series: HourlySeries, months: DataFrame): DataFrame {
  const sums = series.frame.filter(pl.col("power").isNotNull())
    .withColumn(buildLocalMonthNumber(series.timeZone)).groupBy("number").agg(
      pl.col("power").sum().div(pl.lit(1000)).alias("sum"),
      pl.col("power").count().cast(pl.Float64).alias("valid"),
    );
  const share = pl.col("valid").fillNull(pl.lit(0)).div(pl.col("month_hours"));
  return months.join(sums, left).select(
    pl.col("number"),
    pl.when(share.gtEq(pl.lit(MIN_COMPLETENESS))).then(pl.col("sum").div(share))
      .otherwise(pl.lit(null)).alias("energy"),
    share.alias("completeness"),
  );
}

/**
 * Reads production by months, from hours or from months.
 *
 * @param production Hours (`time`, `power` in kW) or months (`month`, `energy` in MWh) of one turbine
 * @param timeZone Zone that sets the months. @default that of the stamps
 * @returns A frame of `number` (months since year 0), `energy` (MWh, scaled to all hours; null where it is not known, of
 * less than 98 % of the hours, or where a monthly energy has its valid hours, of less than half) and `completeness` (share
 * of the hours; null for months that come without one), from the first month to the last
 * @throws {ArgumentError} If columns are missing, of another type, or repeat an hour or a month
 */
export function readMonthlyProduction(production: DataFrame, timeZone?: string) {
  const read = readComparedSeries(production, productionSide, completeness);
  const series = read.kind === "hourly" && timeZone ? { ...read, timeZone } : read;
  if (series.kind === "hourly") {
    const span = findMonthSpan(series.frame.select(buildLocalMonthNumber(series.timeZone)));
    const frame = sumMonths(series, listMonths(span, series.timeZone)).sort("number");
    return { frame, notes: series.notes };
  }
  const valid = pl.col("valid_hours").isNotNull();
  const share = pl.minHorizontal([pl.col("valid_hours").div(pl.col("month_hours")), pl.lit(1)]);
  const partial = pl.col("completeness").lt(pl.lit(MIN_COMPLETENESS)).fillNull(pl.lit(false));
  const unknown = pl.lit(null);
  const frame = listMonths(findMonthSpan(series.frame), timeZone ?? "UTC")
    .join(series.frame, left)
    .sort("number")
    .select(
      pl.col("number"),
      pl.when(valid)
        .then(
          pl.when(share.gtEq(pl.lit(MIN_SHARE))).then(pl.col("energy").div(share))
            .otherwise(unknown),
        )
        .otherwise(pl.when(partial).then(unknown).otherwise(pl.col("energy")))
        .alias("energy"),
      pl.when(valid).then(share).otherwise(pl.col("completeness")).alias("completeness"),
    );
  return { frame, notes: series.notes };
}
