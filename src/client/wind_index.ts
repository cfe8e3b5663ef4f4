import pl, { type DataFrame } from "nodejs-polars";
import { type DateLike, type MonthLike, toDate, toMonth, YEAR_RANGE } from "../api/calendar.ts";
import { modelDataCsv, monthRecord, turbineList, windIndicesCsv } from "../api/columns.ts";
import { wireName } from "../api/column.ts";
import { ArgumentError, DataFormatError } from "../api/errors.ts";
import { type TurbineDetailsResource, turbineDetailsResource } from "../api/resources.ts";
import { TIME_ZONE_HEADER } from "../api/world.ts";
import { readCsv } from "../frames/csv.ts";
import { describeFrame } from "../frames/provenance.ts";
import { isTimeZone } from "../frames/zones.ts";
import { operationOf } from "../api/operations.ts";
import { ask } from "./ask.ts";
import { type CallOptions, connectionOf } from "./default_connection.ts";
import { assertEcho, checked, jsonOf, provenanceOf, recordsFrame } from "./frame_of_answer.ts";

/** Details of a turbine, as the service has them. */
export type TurbineDetails = TurbineDetailsResource;

/**
 * Lists the turbines of the licence.
 *
 * @param options Connection and signal
 * @returns A frame of `turbine_id` (String)
 * @throws {NoDataError} If the licence covers none
 * @throws {LicenceError} If the key is missing, unknown or expired
 *
 * @example
 * ```ts
 * import { turbines } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const all = await turbines();
 * assertEquals(all.getColumn("turbine_id").toArray()[0], "T1");
 * ```
 */
export async function turbines(options: CallOptions = {}): Promise<DataFrame> {
  const answer = await ask("turbines", {}, options);
  const provenance = await provenanceOf(answer, connectionOf(options));
  return describeFrame(recordsFrame(answer, turbineList), turbineList, provenance);
}

/**
 * Details of a turbine: place, hub height (m), rated power (kW), power curve, training window.
 *
 * @param turbineId Identifier of the turbine
 * @param options Connection and signal
 * @throws {NoDataError} If the licence has no such turbine
 * @throws {DataFormatError} If the answer speaks of another turbine
 *
 * @example
 * ```ts
 * import { turbineDetails } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const details = await turbineDetails("T1");
 * assertEquals(details.time_zone, "Europe/Copenhagen");
 * assertEquals(details.hub_height, 80);
 * ```
 */
export async function turbineDetails(
  turbineId: string,
  options: CallOptions = {},
): Promise<TurbineDetails> {
  const answer = await ask("turbine_details", { turbine_id: turbineId }, options);
  const details = checked(jsonOf(answer), turbineDetailsResource, answer);
  assertEcho("turbine_id", details.turbine_id, turbineId, answer.url);
  return details;
}

/** Options of {@linkcode modelData}. */
export interface ModelDataOptions extends CallOptions {
  /** First day. @default the first one with data */
  start?: DateLike;
  /** Day before which data end: itself not included. @default the last one with data */
  end?: DateLike;
}

/**
 * The model behind the prediction, hour by hour: calibrated wind at hub height and the power that follows from it.
 *
 * @param turbineId Identifier of the turbine
 * @param options `start`, and `end` which is exclusive; connection and signal
 * @returns A frame of `time` (Datetime in the turbine's zone, start of the hour), `wind_speed` (m/s), `wind_direction`
 * (deg), `temperature` (degC), `air_density` (kg/m3) and `power` (kW), all Float64; other columns are kept
 * @throws {ArgumentError} If a date is none, or the start is not before the end
 * @throws {NoAccessError} If the licence has no such turbine
 * @throws {NoDataError} If there are no hours between the dates
 *
 * @example A day of hours
 * ```ts
 * import { modelData } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const hours = await modelData("T1", { start: "2024-01-01", end: "2024-01-02" });
 * assertEquals(hours.height, 24);
 * ```
 */
export async function modelData(
  turbineId: string,
  options: ModelDataOptions = {},
): Promise<DataFrame> {
  // The text contradicts itself on the defaults: both dates are always sent.
  const start = toDate(options.start ?? `${YEAR_RANGE[0]}-01-01`, "start").toString();
  const end = toDate(options.end ?? `${YEAR_RANGE[1]}-01-01`, "end").toString();
  if (start >= end) {
    throw new ArgumentError(`Cannot get model data: start ${start} is not before end ${end}`);
  }
  const answer = await ask(
    "model_data",
    { turbine_id: turbineId, start_date: start, end_date: end },
    options,
  );
  const said = answer.headers.get(TIME_ZONE_HEADER) ??
    (await turbineDetails(turbineId, options)).time_zone;
  if (!isTimeZone(said)) {
    throw new DataFormatError(
      `Cannot place the hours of ${turbineId}: its time zone ${
        JSON.stringify(said)
      } is no IANA time zone`,
    );
  }
  const { frame } = readCsv(answer.bytes, modelDataCsv, { file: answer.url, timeZone: said });
  const [time] = modelDataCsv;
  const zoned = frame.withColumn(pl.col(time.name).cast(pl.Datetime("us", said)));
  return describeFrame(zoned, modelDataCsv, await provenanceOf(answer, connectionOf(options)));
}

/**
 * The wind indices of a turbine as the service keeps them, one row a month.
 *
 * @param turbineId Identifier of the turbine
 * @param options Connection and signal
 * @returns A frame of `year` and `month` (Int32), the six figures (Float64; indices in %, `predicted_production` in MWh),
 * and, where the service has them, `status`, `completeness`, `revision`; other columns are kept
 * @throws {NoDataError} If the licence has no such turbine, or it has no indices yet
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
  turbineId: string,
  options: CallOptions = {},
): Promise<DataFrame> {
  const answer = await ask("wind_indices", { turbine_id: turbineId }, options);
  const { frame } = readCsv(answer.bytes, windIndicesCsv, { file: answer.url });
  const provenance = await provenanceOf(answer, connectionOf(options));
  return describeFrame(frame, windIndicesCsv, provenance);
}

/** The figures of one month; names as in frames. */
export interface MonthlyIndex {
  /** Identifier of the turbine. */
  readonly turbine_id: string;
  /** Calendar year. */
  readonly year: number;
  /** Calendar month, 1 to 12. */
  readonly month: number;
  /** Energy over one twelfth of a normal year, %. */
  readonly month_index: number | null;
  /** Energy over that of a normal month of the same name, %. */
  readonly month_abnormality_index: number | null;
  /** Energy of the last twelve months over a normal year, %. */
  readonly last12_month_index: number | null;
  /** Energy of the last full calendar quarter over a normal one, %. */
  readonly last_full_quarter_index: number | null;
  /** Energy of the last full calendar year over a normal year, %. */
  readonly last_full_year_index: number | null;
  /** Modelled energy of the month, MWh. */
  readonly predicted_production: number | null;
  /** `final` or `preliminary`, where the service says so. */
  readonly status?: string | null;
  /** Share of valid hours, where the service says so. */
  readonly completeness?: number | null;
  /** Revision, where the service says so. */
  readonly revision?: number | null;
}

/**
 * The wind-index figures of one turbine and month.
 *
 * @param turbineId Identifier of the turbine
 * @param month The month, `"2023-05"`
 * @param options Connection and signal
 * @throws {ArgumentError} If the month is none
 * @throws {NoDataError} If there is no such turbine or month
 * @throws {DataFormatError} If the answer speaks of another turbine or month
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
): Promise<MonthlyIndex> {
  const wanted = toMonth(month);
  const parameters = { turbine_id: turbineId, year: wanted.year, month: wanted.month };
  const answer = await ask("monthly_index", parameters, options);
  const { success } = operationOf("monthly_index");
  if (success.kind !== "record") throw new Error("monthly_index answers with a record");
  const record = checked(jsonOf(answer), success.schema, answer) as Record<string, unknown>;
  for (const [field, asked] of Object.entries(parameters)) {
    assertEcho(field, record[field], asked, answer.url);
  }
  return Object.fromEntries(
    monthRecord.filter((column) => record[wireName(column)] !== undefined)
      .map((column) => [column.name, record[wireName(column)]]),
  ) as unknown as MonthlyIndex;
}
