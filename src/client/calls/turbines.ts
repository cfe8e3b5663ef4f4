import type { DataFrame } from "nodejs-polars";
import { turbineList } from "../../api/columns/columns.ts";
import { DataFormatError } from "../../api/errors.ts";
import {
  type TurbineDetailsResource,
  turbineDetailsResource,
} from "../../api/resources/resources.ts";
import {
  lastWindIndex,
  powerControl,
  turbineDetailsFields,
  turbineDetailsFrame,
} from "../../api/columns/turbine_columns.ts";
import { buildFrame, type ColumnValues } from "../../frames/frame.ts";
import { describeFrame } from "../../frames/provenance.ts";
import { monthAsDays } from "../../time/zones.ts";
import { obtainWhole } from "../cache/obtain.ts";
import {
  type CallOptions,
  callOptions,
  connectionOf,
  type FrameOptions,
  frameOptions,
  type InnerOptions,
} from "../connection/default_connection.ts";
import { fanOut, type FanOutOptions, fanOutOptions, turbineIdsOf } from "../answers/fan_out.ts";
import {
  assertEcho,
  checked,
  daysOf,
  jsonOf,
  orEmpty,
  provenanceOf,
  recordsFrame,
} from "../answers/frame_of_answer.ts";
import type { Facts } from "../http/ask.ts";
import { joinedFrame, joinRows } from "../answers/joined_frame.ts";
import { turbineFields } from "../answers/record_fields.ts";
import { shownRecord } from "../answers/shown_record.ts";
import { checkOptions, type OptionNames } from "../../api/check_options.ts";

/** Details of a turbine, as the service has them: a plain object that shows itself as a card. */
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
export async function turbines(options: FrameOptions = {}): Promise<DataFrame> {
  checkOptions("turbines()", options, frameOptions);
  return await orEmpty(turbineList, options, async () => {
    const { facts, value } = await obtainWhole(
      "turbines",
      {},
      options,
      (answer) => recordsFrame(answer, turbineList),
    );
    return describeFrame(value, turbineList, provenanceOf(facts, connectionOf(options)));
  });
}

const TURBINE_DETAILS_OPTIONS: OptionNames<CallOptions & FanOutOptions> = {
  ...callOptions,
  ...fanOutOptions,
};

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
  options?: CallOptions,
): Promise<TurbineDetails>;
/**
 * Details of several turbines as one frame, without their power curves.
 *
 * @param turbineIds Identifiers of the turbines
 * @param options What happens where some fail; connection and signal
 * @returns A frame of `turbine_id`, `name` (String), `latitude`, `longitude` (Float64, deg), `hub_height` (Float64, m),
 * `rated_power` (Float64, kW), `rotor_diameter` (Float64, m), `time_zone` (String), `training_start`, `training_end`
 * (Date), `data_ready` (Boolean), `last_wind_index` (Date, first day of the month), `power_control` (String)
 * @throws {PartialError} If some fail; it holds the frame of the others
 *
 * @example Where the turbines stand
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
  checkOptions("turbineDetails()", options, TURBINE_DETAILS_OPTIONS);
  if (typeof turbineIds === "string") {
    const { details, facts } = await detailsOf(turbineIds, options);
    const source = provenanceOf(facts, connectionOf(options));
    return shownRecord(details, `Turbine ${turbineIds}`, turbineFields, source);
  }
  const ids = turbineIdsOf(turbineIds, "turbine_details", options);
  const fanned = await fanOut(ids, options, async (turbineId, call) => {
    const { details, facts } = await detailsOf(turbineId, call);
    return { frame: rowOf(details, facts), bodies: [facts] };
  });
  const asked = { turbine_id: ids.join(", ") };
  return joinedFrame(fanned, turbineDetailsFrame, asked, options, joinRows);
}

/** Details of a turbine with what is known of their body. */
export async function detailsOf(
  turbineId: string,
  options: InnerOptions,
): Promise<{ details: TurbineDetails; facts: Facts }> {
  const values = { turbine_id: turbineId };
  const { facts, value } = await obtainWhole("turbine_details", values, options, (answer) => {
    const details = checked(jsonOf(answer), turbineDetailsResource, answer);
    assertEcho("turbine_id", details.turbine_id, turbineId, answer.url);
    return details;
  });
  return { details: value, facts };
}

/** Details as a row; the power curve is no single value and left out. */
function rowOf(details: TurbineDetails, facts: Facts): DataFrame {
  const values: Record<string, ColumnValues> = {};
  for (const column of turbineDetailsFields) {
    const value = details[column.name];
    values[column.name] = [
      column.dtype === "date" && value !== null ? daysOf(value, column, facts.url) : value,
    ];
  }
  values[lastWindIndex.name] = [lastMonthOf(details, facts)];
  values[powerControl.name] = [details.power_curve?.power_control ?? null];
  return buildFrame(turbineDetailsFrame, values);
}

function lastMonthOf({ last_wind_index }: TurbineDetails, { url }: Facts): number | null {
  if (last_wind_index === null) return null;
  const { year, month } = last_wind_index;
  try {
    return monthAsDays(Temporal.PlainYearMonth.from({ year, month }, { overflow: "reject" }));
  } catch (cause) {
    throw new DataFormatError(
      `Cannot use the answer of ${url}: last_wind_index is ${year}-${month}, no month`,
      { url, cause },
    );
  }
}
