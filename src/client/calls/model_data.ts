import pl, { type DataFrame } from "nodejs-polars";
import { modelDataCsv, modelDataFrame, time, zoneColumns } from "../../api/columns/columns.ts";
import { STATUS_CODE } from "@std/http/status";
import { DataFormatError, NoDataError, ServiceError } from "../../api/errors.ts";
import { type DayRange, readDayRange, type TimeRange } from "../../show/options/range.ts";
import { TIME_ZONE_HEADER } from "../../api/world.ts";
import { renameInHeader } from "../../frames/csv/csv_names.ts";
import { openCsv } from "../../frames/csv/csv_reader.ts";
import { extractEpochs } from "../../frames/frame.ts";
import { startOfDay } from "../../time/zones.ts";
import { obtainFrame } from "../cache/obtain.ts";
import {
  type FrameOptions,
  frameOptions,
  type InnerOptions,
} from "../connection/default_connection.ts";
import { type FanOutOptions, fanOutOptions, type FanOutResult } from "../answers/fan_out.ts";
import {
  amongColumns,
  assertTurbine,
  checkTableForm,
  isReadOtherwise,
  readZone,
  tableAdvice,
  type TableForm,
  tableForm,
} from "../answers/read_answer.ts";
import type { Body } from "../http/body.ts";
import { callTurbines, joinRows, putInFront, type TurbineFrame } from "../answers/join_frames.ts";
import {
  assertNotCut,
  assertWithin,
  judgeSeries,
  type ModelDataCall,
  zoneOf,
} from "./model_data_checks.ts";
import { obtainDetails } from "./turbines.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";

const [timeZone, localTime] = zoneColumns;

/**
 * Joins the hours of several turbines. A column has one zone: if there are several, the timestamps are in UTC, with zone and
 * local time in further columns.
 */
function joinHours(parts: FanOutResult<TurbineFrame>["done"]): DataFrame {
  const zones = parts.map(({ value }) => zoneOf(value.frame));
  const hasOneZone = zones.every((zone) => zone === zones[0]);
  const stamp = pl.col(time.name);
  return joinRows(parts.map(({ turbineId, value: { frame } }, i) =>
    putInFront(
      frame,
      turbineId,
      hasOneZone ? [[time, stamp]] : [
        [time, stamp.dt.convertTimeZone("UTC")],
        [timeZone, pl.lit(zones[i])],
        [localTime, stamp.dt.strftime("%Y-%m-%dT%H:%M:%S%:z")],
      ],
    )
  ));
}

/** Options of {@linkcode modelData}. */
export interface ModelDataOptions extends FrameOptions, FanOutOptions, TimeRange, TableForm {}

/** Requested range if a side is open: longer than any record, with dates that every library can read. */
const WHOLE = { start: "1940-01-01", end: "2100-01-01" } as const;

const MODEL_DATA_OPTIONS = declareOptions<ModelDataOptions>()(
  "from to",
  {},
  frameOptions,
  fanOutOptions,
  tableForm,
);

/**
 * The model behind the prediction, hour by hour: calibrated wind at hub height and the power that follows from it.
 *
 * With `cache: "use"` the stored series is used if its last four months and one older month, fetched again, are
 * unchanged; otherwise all is fetched again, and a note of the frame says so.
 *
 * @param turbineIds Identifier of a turbine, or a list of them
 * @param options `from` and `to`, both included: years, months, days or hours; `onFailure` (`"throw"`, or
 * `"collect"`: `failures()` lists those that fail); `onNoData` (`"throw"`, or `"empty"` for a frame without rows);
 * `columns` and `timeZone`: names and zone of a table if they differ from ours; connection, signal, cache
 * @returns A frame of `time` (Datetime in the turbine's zone, or in UTC if the service names no known zone; start of the hour), `wind_speed` (m/s), `wind_direction`
 * (deg), `temperature` (degC), `air_density` (kg/m3) and `power` (kW), all Float64; further columns follow. For a list
 * `turbine_id` (String) comes first; if the turbines are in several zones, `time` is in UTC, and `time_zone`
 * and `local_time` (String, with offset) follow it
 * @throws {ArgumentError} If a bound is not a time, or `from` is after `to`
 * @throws {NoAccessError} If the licence has no such turbine
 * @throws {NoDataError} If there are no hours in the range
 * @throws {PartialError} If some turbines of a list fail; it has the frame of the others
 *
 * @example A day of hours
 * ```ts
 * import { modelData } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const hours = await modelData("T1", { from: "2024-01-01", to: "2024-01-01" });
 * assertEquals(hours.height, 24);
 * ```
 *
 * @example Two turbines in one frame
 * ```ts
 * import { modelData } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const both = await modelData(["T1", "T2"], { from: "2024-01-01", to: "2024-01-01" });
 * assertEquals(both.columns[0], "turbine_id");
 * assertEquals(both.height, 48);
 * ```
 */
export async function modelData(
  turbineIds: string | readonly string[],
  options: ModelDataOptions = {},
): Promise<DataFrame> {
  readOptions("modelData()", options, MODEL_DATA_OPTIONS);
  checkTableForm("modelData()", options, ...amongColumns(modelDataCsv));
  const range = readDayRange(options);
  // The text contradicts itself on the defaults: both dates are always sent.
  const span = {
    start_date: range.first?.toString() ?? WHOLE.start,
    end_date: range.end?.toString() ?? WHOLE.end,
  };
  return await callTurbines(turbineIds, options, {
    operation: "model_data",
    parameters: span,
    columns: modelDataFrame,
    ownColumns: modelDataCsv,
    obtain: (turbine_id, call) => obtainHours({ turbine_id, ...span }, range, call, options),
    join: joinHours,
  });
}

async function obtainHours(
  call: ModelDataCall,
  range: DayRange,
  options: InnerOptions,
  form: TableForm,
): Promise<TurbineFrame> {
  const { facts, value } = await obtainFrame(
    "model_data",
    { ...call },
    options,
    (body, url) => readHours(body, url, call, options, form),
    {
      judge: (entry, cache) => judgeSeries(entry, cache, call, options),
      otherwise: isReadOtherwise(form),
    },
  );
  const { frame, notes } = cutToRange(value, call, range);
  return { frame, bodies: [{ ...facts, notes: [...facts.notes ?? [], ...notes] }] };
}

/**
 * Cuts a frame to the requested range: services know whole days only, and some also send the day at which the range
 * ends. Hours of other days than requested are noted.
 */
function cutToRange(
  frame: DataFrame,
  { turbine_id, start_date, end_date }: ModelDataCall,
  { firstHour, endHour }: DayRange,
): { readonly frame: DataFrame; readonly notes: readonly string[] } {
  const timeZone = zoneOf(frame);
  const [firstDay, endDay] = [start_date, end_date].map((day) =>
    startOfDay(Temporal.PlainDate.from(day), timeZone)
  );
  const [first, end] = [firstHour?.(timeZone) ?? firstDay, endHour?.(timeZone) ?? endDay];
  const epochs = extractEpochs(frame, time.name);
  const isInside = (epoch: number) => epoch >= first && epoch < end;
  if (epochs.every(isInside)) return { frame, notes: [] };
  const more = epochs.filter((epoch) => epoch < firstDay || epoch >= endDay).length;
  const leftOut =
    `${more} hours outside the request are left out: they are before ${start_date} or from ${end_date} on`;
  const notes = more > 0 ? [leftOut] : [];
  const inside = Array.from(epochs, isInside);
  if (inside.includes(true)) return { frame: frame.filter(pl.Series("inside", inside)), notes };
  throw new NoDataError(
    `Cannot get model data of ${turbine_id}: the answer has no hours in the requested range. Request a range for which the turbine has model data`,
    { operation: "model_data" },
  );
}

/** Finds the name of the turbine's zone: from the answer, else from the details. */
async function findZoneName(
  { headers }: Body,
  turbineId: string,
  options: InnerOptions,
): Promise<string | null> {
  const zone = headers.get(TIME_ZONE_HEADER);
  if (zone !== null) return zone;
  try {
    return (await obtainDetails(turbineId, options)).details.time_zone;
  } catch (error) {
    const isUnknown = error instanceof DataFormatError || error instanceof NoDataError ||
      error instanceof ServiceError && error.status === STATUS_CODE.NotFound;
    if (isUnknown) return null; // the timestamps may have offsets
    throw error;
  }
}

/** Reads the body of model data. */
export async function readHours(
  body: Body,
  url: string,
  call: ModelDataCall,
  options: InnerOptions,
  form: TableForm = {},
): Promise<DataFrame> {
  const nested = { ...options, within: body.deadline };
  const zoneName = await findZoneName(body, call.turbine_id, nested);
  const turbineZone = readZone(zoneName ?? undefined);
  const timeZone = readZone(form.timeZone) ?? turbineZone; // of timestamps without offset
  const declared = renameInHeader(modelDataCsv, form.columns ?? {});
  const zoneAdvice = timeZone === undefined
    ? `The time zone of the turbine is ${
      JSON.stringify(zoneName)
    }, which is not an IANA time zone. ${tableAdvice.zone}`
    : tableAdvice.zone;
  const reader = openCsv(declared, {
    file: url,
    timeZone,
    advice: { ...tableAdvice, zone: zoneAdvice },
  });
  for await (const part of body.parts) reader.write(part);
  const { frame } = reader.end();
  const zone = turbineZone ?? timeZone ?? "UTC"; // without one, timestamps without offset were refused
  const zoned = frame.withColumn(pl.col(time.name).cast(pl.Datetime("us", zone)));
  assertTurbine(zoned, call.turbine_id, url);
  assertWithin(zoned, zone, call, url);
  if (!body.framed) await assertNotCut(zoned, zone, call, nested, form);
  return zoned;
}
