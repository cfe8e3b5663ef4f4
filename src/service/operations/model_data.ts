import { wireName } from "../../api/columns/column.ts";
import { modelDataCsv } from "../../api/columns/columns.ts";
import { TIME_ZONE_HEADER } from "../../api/world.ts";
import { operationOf } from "../../api/operations/operations.ts";
import { HOUR } from "../../time/hourly.ts";
import { startOfDay } from "../../time/zones.ts";
import { ifNoneMatch } from "@std/http/etag";
import type { Answer, Call } from "./call.ts";
import type { StoredFile } from "../../storage/files/files.ts";
import { findGzipped } from "../../storage/files/gzip_file.ts";
import { type ModelCsv, openModelCsv } from "../fulfilment/model_csv.ts";
import { acceptsGzip } from "../responses/accepts_gzip.ts";
import { logFailure } from "../../storage/failures/failure_log.ts";
import { Refusal } from "../../storage/jobs/refusal.ts";
import { streamSlice } from "../responses/stream_slice.ts";
import { buildOriginHeaders, CSV } from "./origin_headers.ts";
import { findTurbine } from "./licensed_turbines.ts";

const HEADER = new TextEncoder().encode(modelDataCsv.map(wireName).join(",") + "\n");

/** Rows of a CSV, from one to before another. */
interface RowSpan {
  readonly from: number;
  readonly to: number;
}

/** The end that the API text gives requests without one. */
const noEnd = operationOf("model_data").parameters.find(({ name }) => name === "end_date")!.default;

/** Refuses days of which the last is not after the first. */
function checkDays({ parameters: { start_date, end_date = noEnd } }: Call): void {
  if (start_date === undefined || end_date === noEnd || start_date < end_date!) return;
  throw new Refusal(
    "invalid_argument",
    `start_date ${start_date} is not before end_date ${end_date}, which is excluded`,
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

/** The gzipped CSV; it is made at its first use, and again where it is damaged. `undefined` where that fails, as on a full disk. */
async function gzipCsv(
  { files, jobs, licence }: Call,
  { file }: ModelCsv,
): Promise<StoredFile | undefined> {
  const found = await findGzipped(files, file);
  if (found) return found;
  const { name } = file;
  const turn = licence.serialNumber;
  try {
    await jobs.run({ kind: "gzip_file", parameters: { name }, turn, urgent: true });
  } catch (error) {
    logFailure(`${name} could not be gzipped, it is sent as it is`, error);
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
  if (!csv) throw new Error(`Cannot open the CSV of ${model}: it was removed as it was rendered`);
  return csv;
}

/** Hourly model of a turbine: rows of a file that was rendered once. */
export const modelData: Answer = async (call) => {
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
  // not if the client asks whether its plain copy is still valid.
  const whole = from === 0 && to === csv.offsets.length - 1;
  const gzipped = stored && whole && acceptsGzip(call.headers.get("accept-encoding")) &&
      ifNoneMatch(call.headers.get("if-none-match"), `"${tag}"`)
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
