import { stringify } from "@std/csv";
import { modelDataCsv, windIndicesCsv } from "../../api/columns/columns.ts";
import { wireName } from "../../api/columns/column.ts";
import { toWire } from "../../api/columns/column_table.ts";
import { monthlyIndexTable } from "../../api/columns/month_columns.ts";
import type { TurbineItem } from "../../api/columns/turbine_columns.ts";
import type { WindIndexId } from "../../api/operations/wind_index.ts";
import type { TurbineDetailsResource } from "../../api/resources/resources.ts";
import { formatMonthLabel, startOfDay } from "../../time/zones.ts";
import { type Answer, buildOriginHeaders, type Call, CSV, numberOf } from "./call.ts";
import { Refusal } from "../../storage/jobs/refusal.ts";
import { findTurbine } from "./licensed_turbines.ts";
import { answerTurbineList } from "./turbine_list.ts";
import { computeLastingError } from "../../windindex/uncertainty/error_terms.ts";
import { judgeCalibration } from "../../windindex/calibration/judge_calibration.ts";
import { sitesOf } from "../../sites/keep/sites.ts";
import { TIME_ZONE_HEADER } from "../../api/world.ts";
import { operationOf } from "../../api/operations/operations.ts";
import { HOUR } from "../../time/hourly.ts";
import { ifMatch, ifNoneMatch } from "@std/http/etag";
import type { StoredFile } from "../../storage/files/files.ts";
import { findGzipped } from "../../storage/files/gzip_file.ts";
import { type ModelCsv, openModelCsv } from "../fulfilment/model_csv.ts";
import { logFailure } from "../../storage/failures/failure_log.ts";
import { streamSlice } from "../responses/stream_slice.ts";
import { acceptsGzip, buildTaggedJson, buildTaggedText } from "../responses/http_headers.ts";

const HEADER = new TextEncoder().encode(modelDataCsv.map(wireName).join(",") + "\n");

/** Range of rows of a CSV, without its end. */
interface RowSpan {
  readonly from: number;
  readonly to: number;
}

/** Default end of a range in the API text. */
const noEnd = operationOf("model_data").parameters.find(({ name }) => name === "end_date")!.default;

/** Refuses a range whose last day is not after the first. */
function checkDays({ parameters: { start_date, end_date = noEnd } }: Call): void {
  if (start_date === undefined || end_date === noEnd || start_date < end_date!) return;
  throw new Refusal(
    "invalid_argument",
    `start_date ${start_date} is not before end_date ${end_date}; end_date itself is excluded`,
  );
}

function findRows(call: Call, { offsets, start }: ModelCsv, timeZone: string): RowSpan {
  const rows = offsets.length - 1;
  const rowAt = (date: unknown, absent: number) => {
    if (date === undefined) return absent;
    const day = startOfDay(Temporal.PlainDate.from(date as string), timeZone);
    return Math.min(rows, Math.max(0, Math.ceil((day - start) / HOUR)));
  };
  return {
    from: rowAt(call.parameters.start_date, 0),
    to: rowAt(call.parameters.end_date, rows),
  };
}

function streamRows(
  { licence }: Call,
  { file, offsets }: ModelCsv,
  { from, to }: RowSpan,
): ReadableStream<Uint8Array> {
  const rows = streamSlice(file, from === 0 ? 0 : offsets[from], offsets[to], {
    turn: licence.serialNumber,
  });
  return from === 0 ? rows : rows.pipeThrough(
    new TransformStream({ start: (controller) => controller.enqueue(HEADER) }),
  );
}

/** The gzipped CSV, made at its first use, and again if it is damaged. `undefined` if that fails, as on a full disk. */
async function gzipCsv(
  { files, jobs, licence }: Call,
  { file }: ModelCsv,
): Promise<StoredFile | undefined> {
  const stored = await findGzipped(files, file);
  if (stored) return stored;
  const { name } = file;
  const turn = licence.serialNumber;
  try {
    await jobs.run({ kind: "gzip_file", parameters: { name }, turn, urgent: true });
  } catch (error) {
    logFailure("a file could not be gzipped and is sent uncompressed", error, { of: name });
  }
  return await findGzipped(files, file);
}

async function renderCsv(
  { files, jobs, licence }: Call,
  model: string,
  timeZone: string,
): Promise<ModelCsv> {
  const parameters = { model, timeZone };
  const turn = licence.serialNumber;
  await jobs.run({ kind: "render_model_csv", parameters, turn, urgent: true });
  const csv = await openModelCsv(files, model, timeZone);
  if (!csv) {
    throw new Error(
      `Cannot open the CSV of ${model}: the file was removed after it was rendered. Try again`,
    );
  }
  return csv;
}

/** Hourly model of a turbine: rows of a file that was rendered once. */
const modelData: Answer = async (call) => {
  const { turbine, modelFile, ...origin } = await findTurbine(call, "no_access");
  if (!modelFile) throw new Refusal("no_data", `${turbine.id} is not calibrated yet`);
  const { timeZone } = turbine;
  const stored = await openModelCsv(call.files, modelFile, timeZone);
  checkDays(call);
  const csv = stored ?? await renderCsv(call, modelFile, timeZone);
  const span = findRows(call, csv, timeZone);
  const { from, to } = span;
  if (from >= to) throw new Refusal("no_data", `${turbine.id} has no hours between these dates`);
  const tag = `${csv.file.hash}.${from}-${to}`;
  const headers = {
    ...await buildOriginHeaders(call.store, origin),
    ...CSV,
    [TIME_ZONE_HEADER]: timeZone,
    "vary": "accept-encoding",
  };
  // The gzipped file only for the whole series, not if the CSV was rendered just now (gzipping would add to the wait), and
  // not if the client asks about its plain copy.
  const isWholeSeries = from === 0 && to === csv.offsets.length - 1;
  const gzipped = stored && isWholeSeries && acceptsGzip(call.headers.get("accept-encoding")) &&
      ifNoneMatch(call.headers.get("if-none-match"), `"${tag}"`) &&
      !ifMatch(call.headers.get("if-match"), `"${tag}"`)
    ? await gzipCsv(call, csv)
    : undefined;
  if (gzipped) {
    const { size } = gzipped;
    return new Response(streamSlice(gzipped, 0, size, { turn: call.licence.serialNumber }), {
      headers: {
        ...headers,
        "content-encoding": "gzip",
        "content-length": String(size),
        etag: `"${gzipped.hash}"`,
      },
    });
  }
  const bytes = csv.offsets[to] - csv.offsets[from] + HEADER.length;
  return new Response(streamRows(call, csv, span), {
    headers: { ...headers, "content-length": String(bytes), etag: `"${tag}"` },
  });
};

const turbines: Answer = async (call) => {
  const toItems = (ids: readonly string[]) =>
    ids.map((turbine_id): TurbineItem => ({ turbine_id }));
  return await answerTurbineList(call, toItems, "the licence does not cover any turbine");
};

const turbineDetails: Answer = async (call) => {
  const stored = await findTurbine(call, "no_data");
  const { turbine, calibration } = stored;
  const judgement = calibration && judgeCalibration(calibration);
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
    reference_from: calibration?.referenceYears[0] ?? null,
    reference_to: calibration?.referenceYears.at(-1) ?? null,
    calibration_verdict: judgement?.verdict ?? null,
    calibration_reason: judgement?.reason ?? null,
    lasting_error: calibration && judgement
      ? 100 *
        Math.sqrt(
          computeLastingError(calibration.pointDistance ?? 0, calibration.calibration.k).variance,
        )
      : null,
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
        (last ? `; the last index is of ${formatMonthLabel(last)}` : ""),
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
