import { buildTaggedJson, buildTaggedText } from "../responses/tagged_answer.ts";
import { stringify } from "@std/csv";
import { windIndicesCsv } from "../../api/columns/columns.ts";
import { wireName } from "../../api/columns/column.ts";
import { toWire } from "../../api/columns/column_table.ts";
import { monthlyIndexTable } from "../../api/columns/month_columns.ts";
import type { TurbineItem } from "../../api/columns/turbine_columns.ts";
import type { WindIndexId } from "../../api/operations/wind_index.ts";
import type { TurbineDetailsResource } from "../../api/resources/resources.ts";
import { formatMonthLabel } from "../../time/zones.ts";
import { type Answer, numberOf } from "./call.ts";
import { Refusal } from "../../storage/jobs/refusal.ts";
import { buildOriginHeaders, CSV } from "./origin_headers.ts";
import { modelData } from "./model_data.ts";
import { findTurbine } from "./licensed_turbines.ts";
import { answerTurbineList } from "./turbine_list.ts";
import { sitesOf } from "../../sites/keep/sites.ts";

const turbines: Answer = async (call) => {
  const toItems = (ids: readonly string[]) =>
    ids.map((turbine_id): TurbineItem => ({ turbine_id }));
  return await answerTurbineList(call, toItems, "the licence covers no turbine");
};

const turbineDetails: Answer = async (call) => {
  const stored = await findTurbine(call, "no_data");
  const { turbine, calibration } = stored;
  const [last] = await sitesOf(call.store).lastMonths([turbine.id]);
  const details: TurbineDetailsResource = {
    turbine_id: turbine.id,
    name: turbine.name,
    latitude: turbine.latitude,
    longitude: turbine.longitude,
    hub_height: turbine.hubHeight,
    rated_power: turbine.ratedPower,
    rotor_diameter: turbine.rotorDiameter,
    time_zone: turbine.timeZone,
    training_start: calibration?.trainingStart ?? null,
    training_end: calibration?.trainingEnd ?? null,
    data_ready: calibration !== null,
    last_wind_index: last ? { month: last.month, year: last.year } : null,
    power_curve: {
      power_control: turbine.powerControl,
      power: turbine.powerCurve.map((point) => ({ ...point })),
    },
    elevation: turbine.elevation,
    units: turbine.units,
    calibrated: typeof calibration?.trainingStart === "string",
  };
  return buildTaggedJson(details, await buildOriginHeaders(call.store, stored));
};

const windIndices: Answer = async (call) => {
  const { turbine, ...origin } = await findTurbine(call, "no_data");
  const months = await sitesOf(call.store).months(turbine.id);
  if (months.length === 0) throw new Refusal("no_data", `${turbine.id} has no indices yet`);
  const csv = stringify(months.map((month) => ({ ...month })), {
    columns: windIndicesCsv.map(wireName),
  });
  return buildTaggedText(csv.replaceAll("\r\n", "\n"), {
    ...await buildOriginHeaders(call.store, origin),
    ...CSV,
  });
};

const monthlyIndex: Answer = async (call) => {
  const { turbine, ...origin } = await findTurbine(call, "no_data");
  const [year, number] = [numberOf(call, "year"), numberOf(call, "month")];
  const month = await sitesOf(call.store).month(turbine.id, year, number);
  if (!month || month.completeness === 0) {
    const [last] = await sitesOf(call.store).lastMonths([turbine.id]);
    throw new Refusal(
      "no_data",
      `${turbine.id} has no index of ${formatMonthLabel({ year, month: number })}` +
        (last ? `; the last one is of ${formatMonthLabel(last)}` : ""),
    );
  }
  return buildTaggedJson(
    toWire(monthlyIndexTable, { ...month, turbine_id: turbine.id }),
    await buildOriginHeaders(call.store, origin),
  );
};

/** Answers of the current wind-index group. */
export const windIndexAnswers: Record<WindIndexId, Answer> = {
  turbines,
  turbine_details: turbineDetails,
  model_data: modelData,
  wind_indices: windIndices,
  monthly_index: monthlyIndex,
};
