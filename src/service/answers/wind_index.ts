import { taggedJson, taggedText } from "../tagged.ts";
import { stringify } from "@std/csv";
import { modelDataCsv, monthRecord, turbineId, windIndicesCsv } from "../../api/columns.ts";
import { type Column, wireName } from "../../api/column.ts";
import type { OperationId } from "../../api/operation.ts";
import type { TurbineDetailsResource } from "../../api/resources.ts";
import { TIME_ZONE_HEADER } from "../../api/world.ts";
import { HOUR } from "../../frames/hour_axis.ts";
import { monthLabel, startOfDay } from "../../frames/zones.ts";
import { type Answer, type Call, numberOf, textOf } from "../call.ts";
import { coversTurbine } from "../licences.ts";
import { modelCsv } from "../model_csv.ts";
import { originHeaders } from "../origin_headers.ts";
import { Refusal } from "../refusal.ts";
import { streamSlice } from "../stream_slice.ts";
import type { StoredMonth, StoredTurbine } from "../store/site_record.ts";

/** A turbine that the licence covers. */
export async function turbineOf(
  call: Call,
  otherwise: "no_data" | "no_access" | "not_found",
): Promise<StoredTurbine> {
  const id = textOf(call, turbineId.name);
  const stored = await call.store.turbine(id);
  if (stored && coversTurbine(call.licence, stored)) return stored;
  throw new Refusal(otherwise, `no turbine "${id}" among those of the licence`);
}

/** Last month with figures. */
export function lastMonth(months: readonly StoredMonth[]): StoredMonth | undefined {
  return months.findLast((month) => month.month_index !== null);
}

const turbines: Answer = async (call) => {
  const all = await call.store.turbines();
  const own = all.filter((stored) => coversTurbine(call.licence, stored));
  if (own.length === 0) throw new Refusal("no_data", "the licence covers no turbine");
  return taggedJson(
    own.map(({ turbine }) => ({ [turbineId.name]: turbine.id })),
    await originHeaders(call.store),
  );
};

const turbineDetails: Answer = async (call) => {
  const stored = await turbineOf(call, "no_data");
  const { turbine, calibration, serviceId } = stored;
  const last = lastMonth(await call.store.months(turbine.id));
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
  };
  return taggedJson(details, await originHeaders(call.store, [serviceId]));
};

function csvHeaders(origin: Record<string, string>): Record<string, string> {
  return { ...origin, "content-type": "text/csv; charset=utf-8" };
}

const modelData: Answer = async (call) => {
  const { turbine, modelFile, serviceId } = await turbineOf(call, "no_access");
  if (!modelFile) throw new Refusal("no_data", `${turbine.id} is not calibrated yet`);
  const { path, offsets, start } = await modelCsv(call.files, modelFile, turbine.timeZone);
  const rows = offsets.length - 1;
  const rowAt = (date: unknown, absent: number) => {
    if (date === undefined) return absent;
    const day = startOfDay(Temporal.PlainDate.from(date as string), turbine.timeZone);
    return Math.min(rows, Math.max(0, Math.ceil((day - start) / HOUR)));
  };
  const from = rowAt(call.parameters.start_date, 0);
  const to = rowAt(call.parameters.end_date, rows);
  if (from >= to) throw new Refusal("no_data", `${turbine.id} has no hours between these dates`);
  const header = new TextEncoder().encode(modelDataCsv.map(wireName).join(",") + "\n");
  const body = from === 0
    ? streamSlice(path, 0, offsets[to])
    : withHeader(header, streamSlice(path, offsets[from], offsets[to]));
  const length = offsets[to] - offsets[from] + header.length;
  return new Response(body, {
    headers: {
      ...csvHeaders(await originHeaders(call.store, [serviceId])),
      [TIME_ZONE_HEADER]: turbine.timeZone,
      "content-length": String(length),
      etag: `"${modelFile}.${turbine.timeZone}.${from}-${to}"`, // the file is named by its content
    },
  });
};

function withHeader(
  header: Uint8Array,
  rows: ReadableStream<Uint8Array>,
): ReadableStream<Uint8Array> {
  return rows.pipeThrough(
    new TransformStream({ start: (controller) => controller.enqueue(header) }),
  );
}

const windIndices: Answer = async (call) => {
  const { turbine, serviceId } = await turbineOf(call, "no_data");
  const months = await call.store.months(turbine.id);
  if (months.length === 0) throw new Refusal("no_data", `${turbine.id} has no indices yet`);
  const csv = stringify(months as unknown as Record<string, unknown>[], {
    columns: windIndicesCsv.map(wireName),
  });
  const headers = csvHeaders(await originHeaders(call.store, [serviceId]));
  return taggedText(csv.replaceAll("\r\n", "\n"), headers);
};

/** Columns of a month by their wire names. */
export function onWire(
  month: StoredMonth,
  columns: readonly Column[],
): Record<string, string | number | null> {
  return Object.fromEntries(
    columns.map((column) => [wireName(column), month[column.name as keyof StoredMonth]]),
  );
}

const monthlyIndex: Answer = async (call) => {
  const { turbine, serviceId } = await turbineOf(call, "no_data");
  const [year, number] = [numberOf(call, "year"), numberOf(call, "month")];
  const month = await call.store.month(turbine.id, year, number);
  if (!month || month.completeness === 0) {
    throw new Refusal(
      "no_data",
      `${turbine.id} has no index of ${monthLabel({ year, month: number })}`,
    );
  }
  return taggedJson(
    { ...onWire(month, monthRecord), [turbineId.name]: turbine.id },
    await originHeaders(call.store, [serviceId]),
  );
};

type WindIndexId = Extract<
  OperationId,
  "turbines" | "turbine_details" | "model_data" | "wind_indices" | "monthly_index"
>;

/** Answers of the current wind-index group. */
export const windIndexAnswers: Record<WindIndexId, Answer> = {
  turbines,
  turbine_details: turbineDetails,
  model_data: modelData,
  wind_indices: windIndices,
  monthly_index: monthlyIndex,
};
