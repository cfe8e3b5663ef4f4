import {
  connect,
  type DataFrame,
  monthlyIndices,
  pl,
  plotMonthlyIndices,
  table,
} from "../../../mod.ts";

/** Months that are shown. */
const MONTHS = 24;

/** Columns of the text. */
const COLUMNS = ["turbine_id", "month", "month_index", "last12_month_index", "status"];

/** Turbines that the chart shows. */
const MAX_TURBINES = 6;

/**
 * Prints the last months of the index, and draws them.
 *
 * @param data The data directory
 * @param turbines The turbines
 * @param chart Path of the chart; a file there is replaced
 * @returns The table as text
 */
export async function showFirstIndex(
  data: string,
  turbines: readonly string[],
  chart: string,
): Promise<string> {
  await using connection = connect({ data });
  const all = await monthlyIndices(turbines.slice(0, MAX_TURBINES), { connection });
  const known = all.filter(pl.col("month_index").isNotNull());
  const last = (known.getColumn("month").unique().sort().toArray() as unknown[]).slice(-MONTHS)[0];
  const frame: DataFrame = known.filter(pl.col("month").gtEq(pl.lit(last)));
  await plotMonthlyIndices(frame).save(chart);
  const first = frame.filter(pl.col("turbine_id").eq(pl.lit(turbines[0]))).select(...COLUMNS);
  return table(first.tail(12)).text();
}
