import type { DataFrame } from "nodejs-polars";
import { type Column, ownColumn } from "../../api/columns/column.ts";
import { monthRecord, time, windIndicesCsv } from "../../api/columns/columns.ts";
import { figures, type MonthState } from "../../api/columns/month_columns.ts";
import {
  ConfigurationError,
  DataFormatError,
  LicenceError,
  NoDataError,
  NotCachedError,
  VindkitError,
} from "../../api/errors.ts";
import type { OperationId } from "../../api/operations/operation.ts";
import { operationOf } from "../../api/operations/operations.ts";
import { checkCall } from "../../api/operations/request_path.ts";
import { readClimateFile } from "../../frames/climate_file.ts";
import { buildRows, extractEpochs } from "../../frames/frame.ts";
import { describeFrame } from "../../frames/provenance.ts";
import { readOptions } from "../../show/options/read_options.ts";
import { startProgress } from "../../show/progress.ts";
import {
  formatMonthLabel,
  monthAsDays,
  monthAt,
  monthNumberOf,
  monthOfNumber,
  startOfMonth,
} from "../../time/zones.ts";
import { callEach } from "../answers/fan_out.ts";
import { buildRecordsFrame, readJson } from "../answers/read_answer.ts";
import { BodyCache } from "../cache/body_cache.ts";
import type { LockedBody } from "../connection/data_lock.ts";
import {
  type CallOptions,
  callOptions,
  type InnerOptions,
  resolveConnection,
} from "../connection/default_connection.ts";
import { readWhole, storedBody } from "../http/body.ts";
import { fetchAndRead, findFetchTime } from "../http/fetch_answer.ts";
import { readIndices } from "./indices_table.ts";
import { readHours } from "./model_data.ts";
import { type ModelDataCall, zoneOf } from "./model_data_checks.ts";
import { findRevisedMonths, type KeyedRows, type RevisedMonth } from "./revised_months.ts";

/** A difference between a locked body and the service's. */
interface Finding extends Partial<RevisedMonth> {
  readonly body: LockedBody;
  /** Remark, such as why nothing could be compared. */
  readonly note?: string;
  /** What is not known if the month is missing: where the bodies differ, or whether they differ at all. */
  readonly unknown?: "where" | "whether";
}

/** Figures of a month that also cover other months, so they change whenever one of those months changes. */
const trailing: readonly string[] = figures.map(({ name }) => name)
  .filter((name) => name.startsWith("last"));

/** Difference from the locked figure as a share of it: infinite if the figure vanished, NaN if it is new. */
function computeSize({ before = NaN, now = NaN }: Finding): number {
  if (Number.isNaN(now) && !Number.isNaN(before)) return Infinity;
  return before === now ? 0 : Math.abs(now - before) / Math.abs(before);
}

/** Sorts findings by the size of their difference, the largest first: figures that vanished before all, new ones last. */
function sortFindings(findings: readonly Finding[]): Finding[] {
  const size = (finding: Finding) => {
    const found = computeSize(finding);
    return Number.isNaN(found) ? -1 : found;
  };
  return findings.toSorted((a, b) => size(b) - size(a));
}

/** Digits that two figures need to be told apart, at least four. */
function formatPair(before: number, now: number): string {
  for (let digits = 4;; digits++) {
    const [a, b] = [before, now].map((value) => String(Number(value.toPrecision(digits))));
    if (a !== b || digits === 15) return `${a} to ${b}`;
  }
}

/** Name of a month in a sentence: of a turbine, or of a place's climate. */
function nameMonth({ body, month }: Finding): string {
  const { turbine_id, service_id } = body.parameters;
  return `${formatMonthLabel(monthOfNumber(month!))} of ${turbine_id ?? service_id}`;
}

function countBodies(count: number, kind = ""): string {
  return `${count} ${kind}${count === 1 ? "body" : "bodies"}`;
}

/**
 * Says in a sentence what changed among the months that were used.
 *
 * @param findings Differences, the largest first
 * @param used Months that the revised bodies had when they were locked, named as by {@linkcode keyMonth}
 */
function describeRevision(
  findings: readonly Finding[],
  used: ReadonlySet<string>,
): string {
  const dated = findings.filter(({ month }) => month !== undefined);
  const ofUsed = dated.filter((finding) => used.has(keyMonth(finding.body, finding.month!)));
  const own = ofUsed.filter(({ column }) => !trailing.includes(column!));
  const count = (some: readonly Finding[]) =>
    new Set(some.map(({ body, month }) => keyMonth(body, month!)));
  const [changed, touched, all] = [own, ofUsed, dated].map(count);
  const [differing, open] = (["where", "whether"] as const).map((unknown) =>
    findings.filter((finding) => finding.unknown === unknown).length
  );
  const [largest] = own;
  const shown = largest &&
    (own.find(({ body, month, column }) =>
      body === largest.body && month === largest.month && column === "month_index"
    ) ?? largest);
  const parts = [
    ...(changed.size > 0
      ? [
        `${changed.size} of the ${used.size} months in the locked answers changed${
          changed.size > 1 ? ", most" : ":"
        } ` +
        `${nameMonth(shown)}, ${shown.column} ` +
        (shown.before === undefined || Number.isNaN(shown.before + shown.now!)
          ? "is missing in one of them"
          : formatPair(shown.before, shown.now!)),
      ]
      : differing + open === 0
      ? ["no month that was used changed"]
      : []),
    ...(differing > 0
      ? [`${countBodies(differing)} differ${differing === 1 ? "s" : ""}, where is unknown`]
      : []),
    ...(open > 0 ? [`${countBodies(open)} could not be compared`] : []),
    ...(touched.size > changed.size
      ? [
        `${touched.size - changed.size} more only in figures of twelve months, a quarter or a year`,
      ]
      : []),
    ...(all.size > touched.size
      ? [`${all.size - touched.size} new since the lock was written`]
      : []),
  ];
  return parts.join("; ");
}

/** Names a month of a body; a turbine's month has the same name in its hours and in its indices. */
function keyMonth({ parameters, operation }: LockedBody, month: number): string {
  return `${parameters.turbine_id ?? `${operation} ${JSON.stringify(parameters)}`} ${month}`;
}

/** Columns of the frame of `checkData()`. */
const revisionColumns: readonly Column[] = [
  ownColumn("operation", "utf8", "Operation", "Operation of the API."),
  ownColumn("parameters", "utf8", "Parameters", "Parameters that were sent."),
  ownColumn("month", "date", "Month", "Month; null where the answer has no months."),
  ownColumn("figure", "utf8", "Figure", "Column; null where the difference is not in a figure."),
  ownColumn("locked", "f64", "Locked", "Mean of the month in the locked body."),
  ownColumn("now", "f64", "Now", "Mean of the month that the service has now."),
  ownColumn("difference", "f64", "Difference", "Now less locked."),
  ownColumn(
    "changed_rows",
    "i32",
    "Changed rows",
    "Rows of the month that differ, new and vanished.",
  ),
  ownColumn("note", "utf8", "Note", "Remark, such as why nothing could be compared."),
];

/** Comparison of a locked body with what the service has now. */
interface BodyComparison {
  readonly outcome: "as locked" | "revised" | "not known";
  readonly findings: readonly Finding[];
  /** Months of a revised body when it was locked, named as by `keyMonth()`. */
  readonly used?: readonly string[];
}

/**
 * Lists what the service has revised since the data lock was written. `checkQuality()` looks for faults in a series
 * instead, `checkConnection()` tests address and key.
 *
 * Every body of the lock is fetched again and compared, and a sentence below the frame says what changed among the
 * months that were used. The lock does not change.
 *
 * @param options Connection with a lock. @default the default one, after `lockData()`
 * @returns A frame of `operation`, `parameters` (String), `month` (Date), `figure` (String), `locked`, `now`,
 * `difference` (Float64, means of the month), `changed_rows` (Int32) and `note` (String), one row for each month and figure
 * that differs, figures that vanished first, then the largest relative difference; no rows if nothing does
 * @throws {ConfigurationError} If the connection has no lock
 *
 * @example Nothing was revised
 * ```ts
 * import { checkData, connect, lockData, monthlyIndices } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const folder = await Deno.makeTempDir();
 * const sample = connect({ sample: true, home: folder });
 * const connection = await lockData(`${folder}/analysis.lock.json`, { connection: sample });
 * await monthlyIndices("T1", { from: "2024-01", to: "2024-12", connection });
 * assertEquals((await checkData({ connection })).height, 0);
 * await connection.close();
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function checkData(options: CallOptions = {}): Promise<DataFrame> {
  readOptions("checkData()", options, callOptions);
  const connection = resolveConnection(options);
  const { lock } = connection;
  if (!lock) {
    throw new ConfigurationError("Cannot check the data: the connection has no data lock", {
      hint: 'Call lockData("analysis.lock.json") first',
    });
  }
  if ((options.cache ?? connection.cache) === "only") {
    throw new NotCachedError(
      "Cannot check the data offline: they are compared with the service's",
      {
        hint: 'Call it without cache: "only"',
      },
    );
  }
  const cache = await BodyCache.open(connection.home);
  using progress = startProgress("Locked bodies", {
    total: lock.bodies.length,
    silent: !connection.progress,
  });
  const outcomes = await callEach(
    lock.bodies,
    options,
    (body, call) => compareBody(body, cache, call),
    () => progress.advance(),
  );
  const verdicts = outcomes.map((outcome) => {
    if ("error" in outcome) throw outcome.error; // a licence that ended concerns all bodies
    return outcome.value;
  });
  const findings = sortFindings(verdicts.flatMap((verdict) => verdict.findings));
  const used = new Set(verdicts.flatMap((verdict) => verdict.used ?? []));
  const count = (wanted: BodyComparison["outcome"]) =>
    verdicts.filter(({ outcome }) => outcome === wanted).length;
  const rows = findings.map(({ body, month, column, before, now, rows, note }) => ({
    operation: body.operation,
    parameters: Object.entries(body.parameters).map(([name, value]) => `${name}=${value}`).join(
      " ",
    ),
    month: month === undefined ? null : monthAsDays(monthOfNumber(month)),
    figure: column,
    locked: before,
    now,
    difference: (now ?? NaN) - (before ?? NaN),
    changed_rows: rows,
    note,
  }));
  const frame = buildRows(revisionColumns, rows);
  return describeFrame(frame, revisionColumns, {
    operation: "checkData",
    parameters: {},
    fetchedAt: findFetchTime(connection.target),
    sha256: [],
    world: connection.target,
    attribution: [],
    notes: [
      ...(findings.length > 0 ? [describeRevision(findings, used)] : []),
      `${countBodies(verdicts.length, "locked ")}: ${count("as locked")} as locked, ` +
      `${count("revised")} revised, ${count("not known")} not known`,
    ],
  });
}

async function compareBody(
  body: LockedBody,
  cache: BodyCache,
  options: InnerOptions,
): Promise<BodyComparison> {
  const id = body.operation;
  const { place } = resolveConnection(options);
  try {
    const { facts, value } = await fetchAndRead(
      resolveConnection(options),
      checkCall(id, body.parameters),
      options,
      readWhole,
    );
    if (body.no_data !== undefined) {
      return {
        outcome: "revised",
        findings: [{ body, note: "the service had no data, it has now", unknown: "where" }],
      };
    }
    if (facts.sha256 === body.sha256) return { outcome: "as locked", findings: [] };
    const entry = await cache.findEntry(place, id, body.parameters, body.sha256);
    const old = entry && await cache.readBytes(entry);
    if (!old) {
      const note = "it differs; where is unknown, since the locked body is not in the cache";
      return { outcome: "revised", findings: [{ body, note, unknown: "where" }] };
    }
    const rowsOf = (bytes: Uint8Array<ArrayBuffer>, headers: Headers) =>
      readRows(id, bytes, headers, body, options).catch((error) => {
        if (error instanceof DataFormatError) return undefined; // the caller had named its columns
        throw error;
      });
    const before = await rowsOf(old, new Headers(entry.headers));
    const now = await rowsOf(value, facts.headers);
    const months = new Set(Array.from(before?.months ?? []));
    const used = [...months].map((month) => keyMonth(body, month));
    return { outcome: "revised", findings: listFindings(body, before, now), used };
  } catch (error) {
    if (!(error instanceof VindkitError) || error instanceof LicenceError) throw error;
    if (error instanceof NoDataError && body.no_data !== undefined) {
      return { outcome: "as locked", findings: [] };
    }
    // An error of one body does not end the check of the others.
    return { outcome: "not known", findings: [{ body, note: error.message, unknown: "whether" }] };
  }
}

function listFindings(
  body: LockedBody,
  before: KeyedRows | undefined,
  now: KeyedRows | undefined,
): Finding[] {
  if (!before || !now) return [{ body, note: "it differs", unknown: "where" }];
  const [year, month] = windIndicesCsv;
  const revision: keyof MonthState = "revision"; // it counts, and is no figure
  const keys = [time.name, year.name, month.name, revision];
  const months = findRevisedMonths(before, now, keys);
  return months.length > 0
    ? months.map((found) => ({ body, ...found }))
    : [{ body, note: "its text differs, its figures do not" }];
}

/** Rows of months; the month is the key of each row. */
function buildMonthlyRows(frame: DataFrame): KeyedRows {
  const [year, month] = windIndicesCsv;
  const years = frame.getColumn(year.name).toArray() as number[];
  const numbers = (frame.getColumn(month.name).toArray() as number[])
    .map((number, row) => monthNumberOf({ year: years[row], month: number }));
  return { frame, keys: numbers, months: numbers };
}

/** Reads a body as rows with keys and months; `undefined` if it is not a table of hours or months. */
async function readRows(
  id: OperationId,
  bytes: Uint8Array<ArrayBuffer>,
  headers: Headers,
  { parameters }: LockedBody,
  options: InnerOptions,
): Promise<KeyedRows | undefined> {
  const body = storedBody(bytes, headers);
  const url = operationOf(id).path;
  if (id === "wind_indices") return buildMonthlyRows(await readIndices(body, url));
  if (id === "monthly_index") {
    const answer = { operation: operationOf(id), url, bytes, excerpt: () => "" };
    return buildMonthlyRows(buildRecordsFrame(answer, monthRecord, [readJson(answer)]));
  }
  if (id === "model_data") {
    const frame = await readHours(body, url, parameters as unknown as ModelDataCall, options);
    return buildHourlyRows(frame, zoneOf(frame));
  }
  if (id === "download_climate" && parameters.filetype !== "zipraw") {
    return buildHourlyRows((await readClimateFile(bytes, url)).frame, "UTC");
  }
  return undefined;
}

function buildHourlyRows(frame: DataFrame, timeZone: string): KeyedRows {
  const keys = extractEpochs(frame, time.name);
  const months = new Int32Array(keys.length);
  for (let row = 0, end = -Infinity, number = 0; row < keys.length; row++) {
    if (keys[row] >= end) {
      const month = monthAt(keys[row], timeZone);
      number = monthNumberOf(month);
      end = startOfMonth(month.add({ months: 1 }), timeZone);
    }
    months[row] = number;
  }
  return { frame, keys, months };
}
