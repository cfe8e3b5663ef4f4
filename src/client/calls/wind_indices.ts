import pl, { type DataFrame } from "nodejs-polars";
import { assertBegun, type MonthLike, problemWithMonth, toMonth } from "../../api/calendar.ts";
import { fromWire, type Received } from "../../api/columns/column_table.ts";
import {
  month as monthColumn,
  turbineId,
  windIndicesCsv,
  windIndicesFrame,
} from "../../api/columns/columns.ts";
import { type MonthlyIndex, monthlyIndexTable } from "../../api/columns/month_columns.ts";
import { DataFormatError, NetworkError } from "../../api/errors.ts";
import { receivedMonthlyIndex } from "../../api/resources/resources.ts";
import { obtainFrame, obtainWhole } from "../cache/obtain.ts";
import {
  type CallOptions,
  callOptions,
  type FrameOptions,
  frameOptions,
  type InnerOptions,
} from "../connection/default_connection.ts";
import { type FanOutOptions, fanOutOptions } from "../answers/fan_out.ts";
import {
  amongColumns,
  assertEcho,
  assertTurbine,
  buildProvenance,
  checkResource,
  checkTableForm,
  isReadOtherwise,
  readJson,
  tableAdvice,
  type TableForm,
} from "../answers/read_answer.ts";
import type { AnswerFacts } from "../http/fetch_answer.ts";
import { obtainDetails } from "./turbines.ts";
import { callTurbines, joinRows, putInFront, type TurbineFrame } from "../answers/join_frames.ts";
import { monthFields, showRecord } from "../answers/record_fields.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import type { Column } from "../../api/columns/column.ts";
import { STAMP_NAMES } from "../../api/columns/model_columns.ts";
import { holdsNames, namesInHeader, renameInHeader } from "../../frames/csv/csv_names.ts";
import { openCsv } from "../../frames/csv/csv_reader.ts";
import { buildFrame } from "../../frames/frame.ts";
import { readTexts } from "../../frames/read_columns.ts";
import type { Body } from "../http/body.ts";

/** Options of {@linkcode windIndices}. */
export interface WindIndicesOptions
  extends FrameOptions, FanOutOptions, Pick<TableForm, "columns"> {}

const WIND_INDICES_OPTIONS = declareOptions<WindIndicesOptions>()(
  "columns",
  {},
  frameOptions,
  fanOutOptions,
);

/**
 * The wind indices of one turbine or several as the service sends them, one row per month. Use it for the service's
 * own table; `monthlyIndices()` gives the same figures with dates and for a range, `monthlyIndex()` one month as a
 * record.
 *
 * @param turbineIds Identifier of a turbine, or a list of them
 * @param options `onFailure` (`"throw"`, or `"collect"`: `failures()` lists those that fail); `onNoData` (`"throw"`,
 * or `"empty"` for a frame without rows); `columns`: names in the service's table if they differ from ours;
 * connection and signal
 * @returns A frame of `year` and `month` (Int32), the six figures (Float64; indices in %, `predicted_production` in MWh),
 * and, if the service has them, `status`, `completeness`, `revision` and the 90 % interval
 * `predicted_production_low` and `predicted_production_high` (MWh); further columns follow. For a list
 * `turbine_id` (String) comes first
 * @throws {NoDataError} If the licence has no such turbine, or it has no indices yet
 * @throws {PartialError} If some turbines of a list fail; it has the frame of the others
 *
 * @example
 * ```ts
 * import { windIndices } from "@vindkit/vindkit";
 * import { assert } from "@std/assert";
 *
 * const all = await windIndices("T1");
 * assert(all.columns.includes("last12_month_index"));
 * ```
 */
export async function windIndices(
  turbineIds: string | readonly string[],
  options: WindIndicesOptions = {},
): Promise<DataFrame> {
  readOptions("windIndices()", options, WIND_INDICES_OPTIONS);
  checkIndicesColumns("windIndices()", options);
  return await callTurbines(turbineIds, options, {
    operation: "wind_indices",
    columns: windIndicesFrame,
    ownColumns: windIndicesCsv,
    obtain: (id, call) => obtainIndices(id, call, options),
    join: (parts) =>
      joinRows(parts.map(({ turbineId, value }) => putInFront(value.frame, turbineId))),
  });
}

/** Obtains the rows of a turbine, with the facts about the answer. */
export async function obtainIndices(
  id: string,
  options: CallOptions,
  form: TableForm = {},
): Promise<TurbineFrame> {
  const { facts, value } = await obtainFrame(
    "wind_indices",
    { [turbineId.name]: id },
    options,
    async (body, url) => {
      const frame = await readIndices(body, url, form);
      assertTurbine(frame, id, url);
      if (!body.framed) await assertUpToDate(frame, id, { ...options, within: body.deadline });
      return frame;
    },
    { otherwise: isReadOtherwise(form) },
  );
  return { frame: value, bodies: [facts] };
}

/**
 * Checks that a table without a stated length is complete: it reaches the last month that the turbine's details name.
 *
 * @throws {NetworkError} If it ends earlier
 */
async function assertUpToDate(frame: DataFrame, id: string, options: InnerOptions): Promise<void> {
  const { last_wind_index } = (await obtainDetails(id, options)).details;
  if (!last_wind_index) return;
  const [year, month] = windIndicesCsv.map(({ name }) => name);
  const reached = frame.filter(
    pl.col(year).eq(pl.lit(last_wind_index.year)).and(
      pl.col(month).eq(pl.lit(last_wind_index.month)),
    ),
  );
  if (reached.height > 0) return;
  throw new NetworkError(
    `Cannot use the wind indices of ${id}: the answer did not state its length and ends before ` +
      `${last_wind_index.year}-${last_wind_index.month}, the last month with an index`,
    { operation: "wind_indices", hint: "Try again later" },
  );
}

/**
 * The wind-index figures of one turbine and month, as a record that shows itself as a card. For several months or
 * turbines use `monthlyIndices()`, a frame with dates; `windIndices()` gives the whole table as the service sends it.
 *
 * @param turbineId Identifier of the turbine
 * @param month The month, `"2023-05"`
 * @param options Connection and signal
 * @throws {ArgumentError} If the month is not valid or has not begun
 * @throws {NoDataError} If there is no such turbine or month
 * @throws {DataFormatError} If the answer is about another turbine or month
 *
 * @example
 * ```ts
 * import { monthlyIndex } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const may = await monthlyIndex("T1", "2024-05");
 * assertEquals([may.year, may.month], [2024, 5]);
 * ```
 */
export async function monthlyIndex(
  turbineId: string,
  month: MonthLike,
  options: CallOptions = {},
): Promise<Received<MonthlyIndex>> {
  readOptions("monthlyIndex()", options, callOptions);
  const wantedMonth = toMonth(month);
  assertBegun(wantedMonth, "month");
  const { record, facts } = await obtainMonth(turbineId, wantedMonth, options);
  const source = buildProvenance(facts, options);
  return showRecord(record, `Wind index of ${turbineId}, ${wantedMonth}`, monthFields, source);
}

/** Obtains the figures of a month, with the facts about the answer. */
export async function obtainMonth(
  id: string,
  wanted: Temporal.PlainYearMonth,
  options: CallOptions,
): Promise<{ record: Received<MonthlyIndex>; facts: AnswerFacts }> {
  const parameters = { [turbineId.name]: id, year: wanted.year, month: wanted.month };
  const { facts, value } = await obtainWhole("monthly_index", parameters, options, (answer) => {
    const row = checkResource(readJson(answer), receivedMonthlyIndex, answer);
    assertEcho(turbineId.name, row.turbine_id, id, answer.url);
    assertEcho("year", row.year, wanted.year, answer.url);
    assertEcho("month", row.month, wanted.month, answer.url);
    return fromWire(monthlyIndexTable, row);
  });
  return { record: value, facts };
}

/** A month as another service may send it, instead of year and month. */
const dateOfMonth: Column = {
  ...monthColumn,
  name: "date",
  aliases: [...STAMP_NAMES, "period", "month"],
  dtype: "utf8",
};

/**
 * Checks the names that a caller gives for a table of indices.
 *
 * @throws {ArgumentError} If one is not the name of a column
 */
export function checkIndicesColumns(call: string, options: TableForm): void {
  checkTableForm(call, options, ...amongColumns([...windIndicesCsv, dateOfMonth]));
}

/** Reads the body of wind indices. */
async function readIndices(
  body: Body,
  url: string,
  { columns = {} }: TableForm = {},
): Promise<DataFrame> {
  const [year, month, ...rest] = renameInHeader(windIndicesCsv, columns);
  const [date] = renameInHeader([dateOfMonth], columns);
  const figures = rest.filter(({ optional }) => !optional);
  const reader = openCsv(
    (
      names,
    ) => [
      ...holdsNames(names, [year, month].map(namesInHeader), true) ? [year, month] : [date],
      ...rest,
    ],
    { file: url, required: figures, advice: tableAdvice },
  );
  for await (const part of body.parts) reader.write(part);
  const frame = splitDates(reader.end().frame, url);
  assertMonths(frame, url);
  return frame;
}

/** Replaces a column of dates by columns of years and months. */
function splitDates(frame: DataFrame, url: string): DataFrame {
  if (!frame.columns.includes(dateOfMonth.name)) return frame;
  const months = readTexts(frame, dateOfMonth.name).map((text, row) => {
    const [, year, month] = FIRST_OF_MONTH.exec(text ?? "") ?? [];
    if (month !== undefined) return { year: Number(year), month: Number(month) };
    throw new DataFormatError(
      `Cannot use the answer of ${url}: in row ${row + 1}, ${
        JSON.stringify(text)
      } is neither a month nor the first day of one. Tell the provider of the service`,
      { operation: "wind_indices", url },
    );
  });
  const calendar = windIndicesCsv.slice(0, 2);
  const [years, numbers] = [months.map(({ year }) => year), months.map(({ month }) => month)];
  const split = buildFrame(calendar, { [calendar[0].name]: years, [calendar[1].name]: numbers });
  return pl.DataFrame([...split.getColumns(), ...frame.drop(dateOfMonth.name).getColumns()]);
}

/** A month, or midnight of its first day. */
const FIRST_OF_MONTH = /^(\d{4})-(\d{2})(?:-01(?:[T ]00:00.*)?)?$/;

/**
 * Refuses a table with a duplicate or invalid month: no rule says which row counts.
 *
 * @throws {DataFormatError} If a month is duplicated or invalid
 */
function assertMonths(frame: DataFrame, url: string): void {
  const [yearColumn, monthColumn] = windIndicesCsv;
  const years = frame.getColumn(yearColumn.name).toArray() as (number | null)[];
  const months = frame.getColumn(monthColumn.name).toArray() as (number | null)[];
  const seen = new Set<string>();
  for (const [row, year] of years.entries()) {
    const name = `${year}-${String(months[row]).padStart(2, "0")}`;
    const problem = seen.has(name)
      ? "is duplicated"
      : year === null || months[row] === null || problemWithMonth(name) !== null
      ? "is not a month"
      : undefined;
    if (problem) {
      throw new DataFormatError(
        `Cannot use the answer of ${url}: in row ${row + 1}, ${name} ${problem}`,
        {
          operation: "wind_indices",
          url,
          hint: "Tell the provider of the service",
        },
      );
    }
    seen.add(name);
  }
}
