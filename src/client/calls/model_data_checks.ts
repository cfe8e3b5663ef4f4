import { type InnerOptions, resolveConnection } from "../connection/default_connection.ts";
import pl, { type DataFrame } from "nodejs-polars";
import { modelDataCsv } from "../../api/columns/columns.ts";
import { DataFormatError, NetworkError, NoDataError } from "../../api/errors.ts";
import type { TableForm } from "../answers/read_answer.ts";
import { renameInHeader } from "../../frames/csv/csv_names.ts";
import { openCsv } from "../../frames/csv/csv_reader.ts";
import { extractEpochs } from "../../frames/frame.ts";
import {
  dayAt,
  monthAt,
  monthNumberOf,
  monthOfNumber,
  startOfDay,
  startOfMonth,
} from "../../time/zones.ts";
import { sha256 } from "../../disk/hashes.ts";
import type { BodyCache, CacheEntry } from "../cache/body_cache.ts";
import { buildCallKey } from "../connection/data_lock.ts";
import { fetchAndRead } from "../http/fetch_answer.ts";
import { checkCall } from "../../api/operations/request_path.ts";

/** Parameters of a call for model data, by wire name. */
export interface ModelDataCall {
  /** Identifier of the turbine. */
  readonly turbine_id: string;
  /** First day. */
  readonly start_date: string;
  /** Day before which data end. */
  readonly end_date: string;
}

/** Months at the end of a series that are fetched again: reanalyses replace their last three. */
const TAIL_MONTHS = 4;

const [time] = modelDataCsv;

/** IANA name of the timestamps' zone. */
export function zoneOf(frame: DataFrame): string {
  return (frame.getColumn(time.name).dtype as unknown as { timeZone: string }).timeZone;
}

/** Fetches model data from the service, whatever cache and lock have; `undefined` if there are none. */
async function fetchHours(
  call: ModelDataCall,
  timeZone: string,
  options: InnerOptions,
  { columns = {} }: TableForm = {},
): Promise<DataFrame | undefined> {
  const hours = await fetchAndRead(
    resolveConnection(options),
    checkCall("model_data", { ...call }),
    options,
    async (body, url) => {
      const reader = openCsv(renameInHeader(modelDataCsv, columns), { file: url, timeZone });
      for await (const part of body.parts) reader.write(part);
      return reader.end().frame;
    },
  ).catch((error) => {
    if (error instanceof NoDataError) return undefined;
    throw error;
  });
  return hours?.value.withColumn(pl.col(time.name).cast(pl.Datetime("us", timeZone)));
}

/**
 * Whether two frames of hours are equal. A column of the service's own may be read as numbers in one month and as texts
 * in the whole series: it is compared only if both have the same type.
 */
function haveSameHours(one: DataFrame, other: DataFrame): boolean {
  if (one.height !== other.height || one.columns.join("\0") !== other.columns.join("\0")) {
    return false;
  }
  const declared = new Set<string>(modelDataCsv.map(({ name }) => name));
  const compared = one.columns.filter((name) =>
    declared.has(name) || one.getColumn(name).dtype.equals(other.getColumn(name).dtype)
  );
  return one.select(...compared).frameEqual(other.select(...compared), true);
}

/** First row at or after an instant, ms since 1970. */
function findRow(epochs: Float64Array, instant: number): number {
  const row = epochs.findIndex((epoch) => epoch >= instant);
  return row === -1 ? epochs.length : row;
}

/**
 * Checks that a body without a stated length is complete: its last day and any later ones are fetched again.
 *
 * @throws {NetworkError} If there are more hours than in the body, or its last day differs
 */
export async function assertNotCut(
  frame: DataFrame,
  timeZone: string,
  call: ModelDataCall,
  options: InnerOptions,
  form: TableForm,
): Promise<void> {
  const refuseCut = (where: string) => {
    throw new NetworkError(
      `Cannot use the model data of ${call.turbine_id}: the answer did not state its length and ended early, ${where}`,
      { operation: "model_data", hint: "Try again later" },
    );
  };
  if (frame.height === 0) {
    const all = await fetchHours(call, timeZone, options, form);
    if (all) {
      refuseCut("after its header. A complete answer without hours would have an error status");
    }
    return;
  }
  const epochs = extractEpochs(frame, time.name);
  const last = epochs[epochs.length - 1];
  const day = dayAt(last, timeZone);
  const start_date = day.toString() < call.start_date ? call.start_date : day.toString();
  const refetched = await fetchHours({ ...call, start_date }, timeZone, options, form);
  const from = findRow(epochs, startOfDay(day, timeZone));
  const lastHours = frame.slice(from, frame.height - from);
  if (!refetched || !haveSameHours(lastHours, refetched)) {
    refuseCut(`after ${new Date(last).toISOString().slice(0, 16)}Z`);
  }
}

/** How far hours may be outside of the requested range, days: services differ on its ends. */
const TOLERATED_DAYS = 1;

/**
 * Refuses hours outside the requested range.
 *
 * @throws {DataFormatError} If some are more than a day outside
 */
export function assertWithin(
  frame: DataFrame,
  timeZone: string,
  { start_date, end_date }: ModelDataCall,
  url: string,
): void {
  if (frame.height === 0) return;
  const stamps = frame.getColumn(time.name).cast(pl.Datetime("us", "UTC")).cast(pl.Int64);
  const ends = [stamps.min(), stamps.max()].map((micros) => dayAt(Number(micros) / 1000, timeZone));
  const tolerated = { days: TOLERATED_DAYS };
  const [first, last] = ends;
  const { compare } = Temporal.PlainDate;
  const inside = compare(first, Temporal.PlainDate.from(start_date).subtract(tolerated)) >= 0 &&
    compare(last, Temporal.PlainDate.from(end_date).add(tolerated)) < 0;
  if (inside) return;
  throw new DataFormatError(
    `Cannot use the answer of ${url}: its hours are from ${first} to ${last}, but the request was for ` +
      `${start_date} to ${end_date}`,
    { operation: "model_data", url, hint: "Tell the provider of the service" },
  );
}

/** Selects a month before the tail: a different one each day, the same one for a series and a day. */
function selectOlderMonth(call: string, day: string, first: number, months: number): number {
  const seed = parseInt(sha256(`${call} ${day}`).slice(0, 8), 16);
  return first + seed % months;
}

/** Decides whether a stored series is still valid: its last four months and one older month are fetched and compared. */
export async function judgeSeries(
  entry: CacheEntry,
  cache: BodyCache,
  call: ModelDataCall,
  options: InnerOptions,
): Promise<{ reuse: boolean; note?: string }> {
  const frame = await cache.readFrame(entry);
  if (!frame || frame.height === 0) return { reuse: false };
  const timeZone = zoneOf(frame);
  const epochs = extractEpochs(frame, time.name);
  const first = monthNumberOf(monthAt(epochs[0], timeZone));
  const last = monthNumberOf(monthAt(epochs[epochs.length - 1], timeZone));
  const tail = last - TAIL_MONTHS + 1;
  if (tail <= first) return { reuse: false }; // the whole series is not longer
  const older = selectOlderMonth(
    buildCallKey(entry.place, entry.operation, entry.parameters),
    Temporal.Now.plainDateISO("UTC").toString(),
    first,
    tail - first,
  );
  const spans: [Temporal.PlainYearMonth, Temporal.PlainYearMonth | undefined][] = [
    [monthOfNumber(tail), undefined],
    [monthOfNumber(older), monthOfNumber(older + 1)],
  ];
  for (const [from, to] of spans) {
    const start_date = [`${from}-01`, call.start_date].toSorted()[1];
    const end_date = to ? `${to}-01` : call.end_date;
    const refetched = await fetchHours({ ...call, start_date, end_date }, timeZone, options);
    const begin = findRow(epochs, startOfMonth(from, timeZone));
    const end = to ? findRow(epochs, startOfMonth(to, timeZone)) : frame.height;
    if (!refetched || !haveSameHours(frame.slice(begin, end - begin), refetched)) {
      const span = to ? `of ${from}` : `from ${from} on`;
      return {
        reuse: false,
        note: `the service has revised or extended the hours ${span} since ${
          entry.fetched_at.slice(0, 16)
        }Z, so all were fetched again`,
      };
    }
  }
  return {
    reuse: true,
    note: `from the cache; its last ${TAIL_MONTHS} months and ${
      monthOfNumber(older)
    } were checked against the service now`,
  };
}
