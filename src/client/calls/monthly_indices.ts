import type { DataFrame } from "nodejs-polars";
import type { Column } from "../../api/columns/column.ts";
import {
  figures,
  monthlyIndicesFrame,
  monthState,
  windIndicesCsv,
} from "../../api/columns/columns.ts";
import type { MonthFigures, MonthState } from "../../api/columns/month_columns.ts";
import { DataFormatError, NoDataError, VindkitError } from "../../api/errors.ts";
import { type MonthRange, readMonthRange, type TimeRange } from "../../show/options/range.ts";
import { buildFrame, type ColumnValues } from "../../frames/frame.ts";
import { monthAsDays, monthNumberOf, monthOfNumber } from "../../time/zones.ts";
import {
  type FrameOptions,
  frameOptions,
  type InnerOptions,
} from "../connection/default_connection.ts";
import {
  callEach,
  type FanOutOptions,
  fanOutOptions,
  type FanOutResult,
} from "../answers/fan_out.ts";
import type { AnswerFacts } from "../http/fetch_answer.ts";
import { callTurbines, type TurbineFrame, type TurbinePart } from "../answers/join_frames.ts";
import type { TableForm } from "../answers/read_answer.ts";
import { checkIndicesColumns, obtainIndices, obtainMonth } from "./wind_indices.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";

/** Options of {@linkcode monthlyIndices}. */
export interface MonthlyIndicesOptions
  extends FrameOptions, FanOutOptions, TimeRange, Pick<TableForm, "columns"> {}

/** Looks up a figure of a month by its column; `undefined` if the service does not send it. */
type FigureLookup = (
  name: keyof MonthFigures | keyof MonthState,
) => number | string | bigint | boolean | null | undefined;

/** The months of a turbine that have figures. */
interface TurbineMonths extends TurbinePart {
  /** Figures by the number of their month, see `monthNumberOf()`. */
  readonly months: ReadonlyMap<number, FigureLookup>;
}

const OPTIONS = declareOptions<MonthlyIndicesOptions>()(
  "from to columns",
  {},
  frameOptions,
  fanOutOptions,
);

/**
 * The wind indices of one turbine or several, month by month. The usual choice: a frame with dates, for any range of
 * months; `windIndices()` gives the whole table as the service sends it, `monthlyIndex()` one month of one turbine as a
 * record. Months without data are rows with nulls.
 *
 * It takes one request per turbine if the service's table has the figures; otherwise it sends the documented request
 * for a single month once for each month of the range.
 *
 * @param turbineIds Identifier of a turbine, or a list of them
 * @param options `from` and `to`, both included: months or years; `onFailure` (`"throw"`, or `"collect"`:
 * `failures()` lists those that fail); `onNoData` (`"throw"`, or `"empty"` for a frame without rows); `columns`:
 * names in the service's table if they differ from ours; connection and signal
 * @returns A frame of `turbine_id` (String), `month` (Date, its first day), the six figures (Float64; indices in %,
 * `predicted_production` in MWh), `status` (String), `completeness` (Float64, 0 to 1), `revision` (Int32)
 * and the 90 % interval of the prediction, `predicted_production_low` and `predicted_production_high` (Float64, MWh);
 * null if a service does not send them
 * @throws {ArgumentError} If a bound is not a month or year, or `from` is after `to`
 * @throws {NoDataError} If the licence has no such turbine, or it has no indices yet
 * @throws {PartialError} If some turbines of a list fail; it has the frame of the others
 *
 * @example Two years of a turbine
 * ```ts
 * import { monthlyIndices } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const index = await monthlyIndices("T1", { from: "2022-01", to: "2023-12" });
 * assertEquals(index.height, 24);
 * ```
 */
export async function monthlyIndices(
  turbineIds: string | readonly string[],
  options: MonthlyIndicesOptions = {},
): Promise<DataFrame> {
  readOptions("monthlyIndices()", options, OPTIONS);
  const span = readMonthRange(options);
  const { from, to } = span;
  checkIndicesColumns("monthlyIndices()", options);
  return await callTurbines(turbineIds, options, {
    operation: "wind_indices",
    parameters: {
      ...(from ? { from: from.toString() } : {}),
      ...(to ? { to: to.toString() } : {}),
    },
    columns: monthlyIndicesFrame,
    obtain: (id, call) => obtainMonths(id, span, call, options),
    join: (parts) => buildMonthsFrame(parts, span),
  });
}

async function obtainMonths(
  turbineId: string,
  span: MonthRange,
  options: InnerOptions,
  form: TableForm,
): Promise<TurbineMonths> {
  let table: TurbineFrame;
  try {
    table = await obtainIndices(turbineId, options, form);
  } catch (error) {
    // The API text shows no layout of the table; with other columns the documented single months are used.
    const isOther = error instanceof VindkitError && error.code === "columns";
    if (!isOther || form.columns) throw error;
    return await obtainSingleMonths(turbineId, span, options, error);
  }
  const { frame: csv, bodies } = table;
  const values = (column: Column) =>
    csv.columns.includes(column.name) ? csv.getColumn(column.name).toArray() : undefined;
  const [yearColumn, monthColumn] = windIndicesCsv;
  const years = values(yearColumn) as number[];
  const numbers = (values(monthColumn) as number[]).map((month, row) =>
    monthNumberOf({ year: years[row], month })
  );
  const valuesByName = new Map(
    [...figures, ...monthState].map((column) => [column.name, values(column)]),
  );
  const months = new Map<number, FigureLookup>();
  for (const [row, number] of numbers.entries()) {
    if (isWithin(number, span)) {
      months.set(number, (name) => valuesByName.get(name)?.[row]);
    }
  }
  return { months, bodies };
}

function isWithin(number: number, { from, to }: MonthRange): boolean {
  return !(from && number < monthNumberOf(from)) && !(to && number > monthNumberOf(to));
}

/** Obtains the months of a range with one request each. */
async function obtainSingleMonths(
  turbineId: string,
  { from, to }: MonthRange,
  options: InnerOptions,
  reason: DataFormatError,
): Promise<TurbineMonths> {
  if (!from || !to) {
    throw new DataFormatError(`${reason.message}. Vindkit can request each month separately`, {
      ...reason.url === undefined ? {} : { url: reason.url },
      operation: "wind_indices",
      hint: "Give both from and to",
      cause: reason,
    });
  }
  const months = new Map<number, FigureLookup>();
  const bodies: AnswerFacts[] = [];
  let noData: NoDataError | undefined;
  const count = monthNumberOf(to) - monthNumberOf(from) + 1;
  const wantedMonths = Array.from({ length: count }, (_, i) => from.add({ months: i }));
  for (
    const outcome of await callEach(
      wantedMonths,
      options,
      (month, call) => obtainMonth(turbineId, month, call),
    )
  ) {
    if ("error" in outcome) {
      if (!(outcome.error instanceof NoDataError)) throw outcome.error;
      noData = outcome.error; // a month without data is a row of nulls
      continue;
    }
    const { record, facts } = outcome.value;
    months.set(monthNumberOf(outcome.item), (name) => record[name]);
    bodies.push(facts);
  }
  if (bodies.length === 0) throw noData!;
  const notes = ["the service's table lacks these columns, so each month was requested separately"];
  bodies[0] = { ...bodies[0], notes: [...bodies[0].notes ?? [], ...notes] };
  return { months, bodies };
}

/** Builds a row for every month of each turbine from its first to its last, with nulls for months without figures. */
function buildMonthsFrame(
  turbines: FanOutResult<TurbineMonths>["done"],
  { from, to }: MonthRange,
): DataFrame {
  // Built for all turbines at once: a series for each column of each turbine would take most of the time.
  const ids: string[] = [];
  const dates: number[] = [];
  const lookups: (FigureLookup | undefined)[] = [];
  const days = new Map<number, number>();
  for (const { turbineId, value: { months } } of turbines) {
    const numbers = [...months.keys()];
    const last = to ? monthNumberOf(to) : Math.max(...numbers);
    for (let number = from ? monthNumberOf(from) : Math.min(...numbers); number <= last; number++) {
      if (!days.has(number)) days.set(number, monthAsDays(monthOfNumber(number)));
      ids.push(turbineId);
      dates.push(days.get(number)!);
      lookups.push(months.get(number));
    }
  }
  const [idColumn, dateColumn] = monthlyIndicesFrame;
  const columns: Record<string, ColumnValues> = {
    [idColumn.name]: ids,
    [dateColumn.name]: dates,
  };
  for (const { name } of [...figures, ...monthState]) {
    columns[name] = lookups.map((month) => month?.(name) ?? null);
  }
  return buildFrame(monthlyIndicesFrame, columns);
}
