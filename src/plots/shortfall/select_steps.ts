import pl, { type DataFrame } from "nodejs-polars";
import { type MonthLike, toMonth } from "../../api/calendar.ts";
import { pickColumns } from "../../api/columns/column.ts";
import { month as monthColumn, monthRecord } from "../../api/columns/columns.ts";
import { ArgumentError } from "../../api/errors.ts";
import { checkFrame, isFrame } from "../../show/check_frame.ts";
import { formatSpan } from "../parts/months.ts";
import { readMonthColumn, readTextColumn } from "../parts/read_columns.ts";

const MADE_BY = "checkPerformance()";

const [yearColumn] = pickColumns(monthRecord, ["year"]);

/** Steps over the whole time, and of each of its months or years: a result of `checkPerformance()`. */
export interface ShortfallSteps {
  /** Frame with `step` and `energy` (MWh) of the whole time. */
  readonly steps: DataFrame;
  /** The same for each `month` or `year`. */
  readonly stepsByPeriod: DataFrame;
}

/**
 * Selects the steps of a month, or of the whole time.
 *
 * @throws {ArgumentError} If there is no such month, or several and none is chosen
 */
export function selectSteps(
  given: DataFrame | ShortfallSteps,
  wanted: MonthLike | undefined,
  what: string,
) {
  const whole = isFrame(given) ? given : given?.steps;
  const each = isFrame(given) ? given : given?.stepsByPeriod;
  checkFrame(whole, `plot ${what}`, MADE_BY);
  checkFrame(each, `plot ${what}`, MADE_BY);
  const names = Reflect.ownKeys(each);
  const periods = names.includes(monthColumn.name)
    ? readMonthColumn(each, monthColumn.name, what)
    : names.includes(yearColumn.name)
    ? readTextColumn(each, yearColumn.name).map(String)
    : [];
  const all = [...new Set(periods)].sort();
  if (wanted === undefined) {
    if (whole === each && all.length > 1) {
      throw new ArgumentError(
        `Cannot plot ${what}: the frame has the steps of ${all.length} periods, ${all[0]} to ` +
          `${all.at(-1)}. Choose a month with { month: "${all[0]}" }, or give the whole check`,
      );
    }
    return { frame: whole, time: all.length === 0 ? "" : formatSpan(all) };
  }
  const month = toMonth(wanted).toString();
  if (!all.includes(month)) {
    throw new ArgumentError(
      `Cannot plot ${what} of ${month}: the steps ${
        all.length === 0 ? "have no months" : `are those of ${all[0]} to ${all.at(-1)}`
      }. Choose one of them`,
    );
  }
  const own = pl.col(monthColumn.name).dt.strftime("%Y-%m").eq(pl.lit(month));
  return { frame: each.filter(own), time: formatSpan([month]) };
}
