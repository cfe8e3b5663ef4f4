import type { DataFrame } from "nodejs-polars";
import { turbineList } from "../../api/columns/columns.ts";
import { DataFormatError } from "../../api/errors.ts";
import { receivedTurbineDetails, type TurbineDetails } from "../../api/resources/resources.ts";
import {
  calibrationReason,
  calibrationVerdict,
  lastWindIndex,
  powerControl,
  turbineDetailsFields,
  turbineDetailsFrame,
} from "../../api/columns/turbine_columns.ts";
import { buildFrame, type ColumnValues } from "../../frames/frame.ts";
import { monthAsDays } from "../../time/zones.ts";
import { obtainWhole } from "../cache/obtain.ts";
import {
  type CallOptions,
  callOptions,
  type FrameOptions,
  frameOptions,
  type InnerOptions,
} from "../connection/default_connection.ts";
import { type FanOutOptions, fanOutOptions } from "../answers/fan_out.ts";
import {
  assertEcho,
  buildProvenance,
  checkResource,
  obtainRecords,
  parseDays,
  readJson,
} from "../answers/read_answer.ts";
import type { AnswerFacts } from "../http/fetch_answer.ts";
import { callTurbines, joinRows } from "../answers/join_frames.ts";
import { showRecord, turbineFields } from "../answers/record_fields.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";

/** Details of a turbine as the service sends them: a plain object that shows itself as a card. */
export type { TurbineDetails };

/**
 * Lists the turbines of the licence. `reportTurbines()` lists only those that have monthly reports, and
 * `readTurbines()` reads turbines from the file of a public register.
 *
 * @param options `onNoData` (`"throw"`, or `"empty"` for a frame without rows); connection and signal
 * @returns A frame of `turbine_id` (String)
 * @throws {NoDataError} If the licence covers no turbine
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
export async function turbines(options: FrameOptions = {}): Promise<DataFrame> {
  readOptions("turbines()", options, frameOptions);
  return await obtainRecords("turbines", {}, turbineList, options);
}

const TURBINE_DETAILS_OPTIONS = declareOptions<CallOptions & FanOutOptions>()(
  "",
  {},
  callOptions,
  fanOutOptions,
);

/**
 * Details of a turbine: place, hub height (m), rated power (kW), power curve, training window.
 *
 * @param turbineId Identifier of the turbine
 * @param options Connection and signal
 * @throws {NoDataError} If the licence has no such turbine
 * @throws {DataFormatError} If the answer is about another turbine
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
  options?: CallOptions,
): Promise<TurbineDetails>;
/**
 * Details of several turbines as one frame, without their power curves.
 *
 * @param turbineIds Identifiers of the turbines
 * @param options `onFailure` (`"throw"`, or `"collect"`: `failures()` lists those that fail); connection and signal
 * @returns A frame of `turbine_id`, `name` (String), `latitude`, `longitude` (Float64, deg), `hub_height` (Float64, m),
 * `rated_power` (Float64, kW), `rotor_diameter` (Float64, m), `time_zone` (String), `training_start`, `training_end`
 * (Date), `data_ready` (Boolean), `last_wind_index` (Date, first day of the month), `power_control`,
 * `calibration_verdict`, `calibration_reason` (String)
 * @throws {PartialError} If some fail; it has the frame of the others
 *
 * @example Hub heights of two turbines
 * ```ts
 * import { turbineDetails } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const fleet = await turbineDetails(["T1", "T2"]);
 * assertEquals(fleet.getColumn("hub_height").toArray().length, 2);
 * ```
 */
export async function turbineDetails(
  turbineIds: readonly string[],
  options?: CallOptions & FanOutOptions,
): Promise<DataFrame>;
export async function turbineDetails(
  turbineIds: string | readonly string[],
  options: CallOptions & FanOutOptions = {},
): Promise<TurbineDetails | DataFrame> {
  readOptions("turbineDetails()", options, TURBINE_DETAILS_OPTIONS);
  if (typeof turbineIds === "string") {
    const { details, facts } = await obtainDetails(turbineIds, options);
    const source = buildProvenance(facts, options);
    return showRecord(details, `Turbine ${turbineIds}`, turbineFields, source);
  }
  return await callTurbines(turbineIds, options, {
    operation: "turbine_details",
    columns: turbineDetailsFrame,
    obtain: async (turbineId, call) => {
      const { details, facts } = await obtainDetails(turbineId, call);
      return { frame: buildRow(details, facts), bodies: [facts] };
    },
    join: (parts) => joinRows(parts.map(({ value }) => value.frame)),
  });
}

/** Obtains the details of a turbine, with the facts about the answer. */
export async function obtainDetails(
  turbineId: string,
  options: InnerOptions,
): Promise<{ details: TurbineDetails; facts: AnswerFacts }> {
  const values = { turbine_id: turbineId };
  const { facts, value } = await obtainWhole("turbine_details", values, options, (answer) => {
    const details = checkResource(readJson(answer), receivedTurbineDetails, answer);
    assertEcho("turbine_id", details.turbine_id, turbineId, answer.url);
    return details;
  });
  return { details: value, facts };
}

/** Builds a row of details; the power curve is left out, since it is not a single value. */
function buildRow(details: TurbineDetails, facts: AnswerFacts): DataFrame {
  const values: Record<string, ColumnValues> = {};
  for (const column of turbineDetailsFields) {
    const value = details[column.name];
    values[column.name] = [
      column.dtype === "date" && value !== null ? parseDays(value, column, facts.url) : value,
    ];
  }
  values[lastWindIndex.name] = [readLastMonth(details, facts)];
  values[powerControl.name] = [details.power_curve?.power_control ?? null];
  for (const { name } of [calibrationVerdict, calibrationReason]) {
    const value = details[name];
    values[name] = [typeof value === "string" ? value : null];
  }
  return buildFrame(turbineDetailsFrame, values);
}

function readLastMonth({ last_wind_index }: TurbineDetails, { url }: AnswerFacts): number | null {
  if (last_wind_index === null) return null;
  const { year, month } = last_wind_index;
  try {
    return monthAsDays(Temporal.PlainYearMonth.from({ year, month }, { overflow: "reject" }));
  } catch (cause) {
    throw new DataFormatError(
      `Cannot use the answer of ${url}: last_wind_index is ${year}-${month}, not a month. Tell the provider of the service`,
      { url, cause },
    );
  }
}
