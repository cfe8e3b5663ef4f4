import {
  connect,
  type DataFrame,
  monthlyIndices,
  pl,
  plotMonthlyIndices,
  table,
} from "../../../mod.ts";

/** Months of the chart. */
export const CHART_MONTHS = 24;

/** Most months and rows of the text. */
const [TEXT_MONTHS, TEXT_ROWS] = [12, 36];

const COLUMNS = ["turbine_id", "month", "month_index", "last12_month_index", "status"];

/** Turbines that the chart shows. */
const MAX_TURBINES = 6;

/** The last rows of each turbine: months that have an index. */
function selectLast(known: DataFrame, months: number): DataFrame {
  const all = known.getColumn("month").unique().sort().toArray() as unknown[];
  return known.filter(pl.col("month").gtEq(pl.lit(all.slice(-months)[0])));
}

/**
 * Prints the last months of the index, and draws them.
 *
 * @param data The data directory
 * @param chart Path of the chart; a file there is replaced
 * @returns The table as text: each turbine, of many the last month only
 */
export async function showFirstIndex(
  data: string,
  turbines: readonly string[],
  chart: string,
): Promise<string> {
  await using connection = connect({ data });
  const all = await monthlyIndices([...turbines], { connection });
  const known = all.filter(pl.col("month_index").isNotNull());
  const drawn = known.filter(pl.col("turbine_id").isIn(turbines.slice(0, MAX_TURBINES)));
  await plotMonthlyIndices(selectLast(drawn, CHART_MONTHS)).save(chart);
  const months = Math.max(1, Math.min(TEXT_MONTHS, Math.floor(TEXT_ROWS / turbines.length)));
  return table(selectLast(known, months).select(...COLUMNS)).text();
}
