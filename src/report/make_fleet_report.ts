import pl, { type DataFrame } from "nodejs-polars";
import { type PriceOptions, readPrice } from "../analysis/series/prices.ts";
import type { Answer } from "../analysis/series/answer.ts";
import { compareActual } from "../analysis/compare_actual/compare_actual.ts";
import { type MonthLike, toMonth } from "../api/calendar.ts";
import { time } from "../api/columns/columns.ts";
import { describeValue } from "../api/error_text.ts";
import { ArgumentError, NoDataError, VindkitError } from "../api/errors.ts";
import { readTurbineIds } from "../client/answers/fan_out.ts";
import { modelData } from "../client/calls/model_data.ts";
import { monthlyIndices } from "../client/calls/monthly_indices.ts";
import { type MonthlyReport, monthlyReport } from "../client/calls/reports.ts";
import { type TurbineDetails, turbineDetails } from "../client/calls/turbines.ts";
import {
  type CallOptions,
  callOptions,
  resolveConnection,
} from "../client/connection/default_connection.ts";
import { describeResult } from "../frames/origin/describe_result.ts";
import { provenance } from "../frames/origin/provenance.ts";
import { selectPeriod } from "../frames/select_period.ts";
import { declareOptions, readOptions } from "../show/options/read_options.ts";
import { startProgress } from "../show/progress.ts";
import { checkTurbine } from "./check_turbine.ts";
import { messages } from "./content/messages.ts";
import { readMonthRows } from "./content/months.ts";
import { HISTORY_MONTHS } from "./content/turbine_content.ts";
import type { TurbineReport, TurbineWithoutData } from "./content/turbine_report.ts";
import { buildFleetPages, type FleetReportOptions } from "./fleet_report.ts";
import { rememberPages, type ReportFile, writePages } from "./report_pages.ts";

/** Yields results in the order of the items, with at most `width` running at the same time. */
async function* runInOrder<T, R>(
  items: AsyncIterable<T> | Iterable<T>,
  width: number,
  act: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const underWay: Promise<R>[] = [];
  for await (const item of items) {
    const result = act(item);
    result.catch(() => {}); // rethrown when it is awaited
    underWay.push(result);
    if (underWay.length >= width) yield await underWay.shift()!;
  }
  while (underWay.length > 0) yield await underWay.shift()!;
}

/** Turbines that are fetched ahead. */
const MAX_AHEAD = 16;

/** Options of {@linkcode makeFleetReport}. */
export interface MakeFleetReportOptions
  extends CallOptions, PriceOptions, Omit<FleetReportOptions, "month" | "world" | "generatedAt"> {
  /**
   * Creation time, an instant in ISO 8601. @default now; with a data lock, the latest fetch time of its figures, so the
   * same lock makes the same files
   */
  readonly generatedAt?: string | undefined;
  /** Month of the report. @default the last month with production, or with figures */
  readonly month?: MonthLike | undefined;
  /**
   * Production by turbine, from `readProduction()`, or the reason why it cannot be read, which the report shows. Turbines
   * that are not in the report are ignored.
   * @default none
   */
  readonly production?: ReadonlyMap<string, DataFrame | string>;
  /**
   * Answers by turbine, such as `proveIndex()`; each gets a section on the turbine's page. Answers about turbines without a
   * page are left out. @default none
   */
  readonly answers?: ReadonlyMap<string, readonly Answer[]>;
  /** Called with the figures of each turbine as soon as they are known, in the order of the identifiers. */
  readonly onTurbine?: (turbine: TurbineReport | TurbineWithoutData) => void;
}

/** A report with complete figures; `saveReport()` renders its files one by one as it writes them. */
export interface FleetReport extends AsyncIterable<ReportFile> {
  /** Month of the report, such as "2023-12". */
  readonly month: string;
  /** Turbines with a page. */
  readonly turbines: readonly TurbineReport[];
  /** Turbines without a page, with the reason. */
  readonly withoutData: readonly TurbineWithoutData[];
  /** Identifiers of `production` that are not in the report. */
  readonly unusedProduction: readonly string[];
  /** Identifiers of `answers` that have no page in the report. */
  readonly unusedAnswers: readonly string[];
}

type Details = TurbineDetails | TurbineWithoutData;

/** Loads the details of a turbine, or why they are missing: a failure does not stop the report on the others. */
async function loadDetails(id: string, call: CallOptions): Promise<Details> {
  try {
    return await turbineDetails(id, call);
  } catch (error) {
    if (!(error instanceof VindkitError)) throw error;
    return { turbineId: id, reason: error.message };
  }
}

/** Refuses a report without any turbine: it would be empty, and might replace a good one. */
function assertSomeDetails(all: readonly Details[]): void {
  const [first] = all;
  if ("reason" in first && all.every((details) => "reason" in details)) {
    throw new NoDataError(`Cannot make a report: no turbine has details. ${first.reason}`);
  }
}

/** The last month of any turbine; `undefined` if the service names none. */
function findLastMonth(all: readonly Details[]): Temporal.PlainYearMonth | undefined {
  const months = all.flatMap((details) =>
    "reason" in details || !details.last_wind_index
      ? []
      : [Temporal.PlainYearMonth.from(details.last_wind_index as { year: number; month: number })]
  );
  return months.sort(Temporal.PlainYearMonth.compare).at(-1);
}

/** Refuses a month without any figure, and says why: the report would consist of dashes. */
function refuseEmptyMonth(
  month: Temporal.PlainYearMonth,
  { last, reason }: { last?: Temporal.PlainYearMonth | undefined; reason?: string | undefined },
): never {
  const later = last !== undefined && Temporal.PlainYearMonth.compare(month, last) > 0;
  throw new NoDataError(
    `Cannot report on ${month}: no turbine has figures for this month` +
      (reason === undefined ? "" : `. ${reason}`) +
      (reason !== undefined || last === undefined
        ? ""
        : `. The last month with figures is ${last}`) +
      (later ? ". Give that month or an earlier month" : ""),
  );
}

/** Whether a turbine has a figure for a month. */
function hasFigures(member: TurbineReport | TurbineWithoutData, month: string): boolean {
  return !("reason" in member) &&
    readMonthRows(member.indices).number("month_abnormality_index", month) !== null;
}

/** Computes a result; returns the message of an error. */
function attempt<T>(compute: () => T): T | string {
  try {
    return compute();
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    return error.message;
  }
}

/** Compares production with prediction; without a common month the turbine still gets its page. */
async function compareProduction(
  details: TurbineDetails,
  production: DataFrame,
  indices: DataFrame,
  call: CallOptions & PriceOptions,
): Promise<Pick<TurbineReport, "comparison" | "performance" | "noComparison" | "noPerformance">> {
  const { price: _price, currency: _currency, ...modelCall } = call;
  try {
    const performance = await checkTurbine(details.turbine_id, production, {
      ...{ details, indices, ...call },
    });
    return { comparison: performance.frames.comparison, performance };
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    const predicted = production.columns.includes(time.name)
      ? await modelData(details.turbine_id, modelCall)
      : indices;
    const comparison = attempt(() => compareActual(production, predicted));
    return typeof comparison === "string"
      ? { noComparison: comparison }
      : { comparison, noPerformance: error.message };
  }
}

/** Smallest elapsed share of a month whose production can be judged. */
const MIN_MONTH = 0.8;

/** The last month of a production; with hours, the last that is mostly over. */
function findLastProduced(production: DataFrame | string): Temporal.PlainYearMonth | undefined {
  if (typeof production === "string") return undefined;
  const [stamp, value] = production.columns;
  const measured = production.filter(pl.col(value).isNotNull()).getColumn(stamp);
  if (measured.length === 0 || stamp === "year") return undefined;
  const day = Temporal.PlainDate.from(
    String(measured.cast(pl.Utf8).get(measured.length - 1)).slice(0, 10),
  );
  const month = day.toPlainYearMonth();
  return stamp !== time.name || day.day >= MIN_MONTH * month.daysInMonth
    ? month
    : month.subtract({ months: 1 });
}

/** Loads the service's report on the turbine's last month in view. Services without one are still useful. */
async function loadServiceReport(
  { turbine_id: id, last_wind_index: last }: TurbineDetails,
  to: Temporal.PlainYearMonth,
  call: CallOptions,
): Promise<MonthlyReport | string | undefined> {
  const end = last && Temporal.PlainYearMonth.from(last as { year: number; month: number });
  if (!end) return undefined;
  try {
    return await monthlyReport(id, Temporal.PlainYearMonth.compare(end, to) < 0 ? end : to, call);
  } catch (error) {
    if (!(error instanceof VindkitError)) throw error;
    return error.message;
  }
}

const selectMonths = (
  indices: DataFrame,
  { from, to }: { readonly from: Temporal.PlainYearMonth; readonly to: Temporal.PlainYearMonth },
) => selectPeriod(indices, { from: from.toString(), to: to.toString() });

/** Loads the data that the report shows for a turbine. */
async function loadTurbine(
  details: TurbineDetails,
  production: DataFrame | string | undefined,
  range: { readonly from: Temporal.PlainYearMonth; readonly to: Temporal.PlainYearMonth },
  call: CallOptions,
  price: PriceOptions,
): Promise<TurbineReport | TurbineWithoutData> {
  const turbineId = details.turbine_id;
  if (!details.data_ready) {
    return { turbineId, details, reason: messages.card.notReady };
  }
  try {
    const isCompared = production instanceof Object;
    const [all, service] = await Promise.all([
      monthlyIndices(turbineId, isCompared ? call : { ...range, ...call }),
      loadServiceReport(details, range.to, call),
    ]);
    // The check uses all months, so its intervals are the same everywhere; the report shows only some.
    const indices = isCompared ? selectMonths(all, range) : all;
    const base = { details, indices, service };
    if (!production) return base;
    if (!isCompared) return { ...base, noComparison: production };
    if (production.columns.includes("year")) {
      return { ...base, noComparison: messages.missing.annual };
    }
    return { ...base, ...await compareProduction(details, production, all, { ...call, ...price }) };
  } catch (error) {
    if (!(error instanceof VindkitError)) throw error;
    return { turbineId, details, reason: error.message };
  }
}

/** When the latest figures of a report were fetched. */
function findLatestFetch(
  members: readonly (TurbineReport | TurbineWithoutData)[],
): string | undefined {
  const times = members.flatMap((member) => {
    const sources = [member.details, "indices" in member ? member.indices : undefined];
    return sources.flatMap((source) =>
      source ? provenance(source).flatMap(({ fetchedAt = [] }) => fetchedAt) : []
    );
  });
  return times.sort().at(-1);
}

const OPTIONS = declareOptions<MakeFleetReportOptions>()(
  "month production answers onTurbine fleet generatedAt share price currency",
  {},
  callOptions,
);

/**
 * Makes the monthly report of turbines from their identifiers: loads details, indices and, if production is given,
 * the prediction of the model. The report names turbines without data.
 *
 * @param turbineIds Identifier of a turbine, or a list of them
 * @param options Month, production, `price` of a MWh; fleet as of `fleetReport()`; connection and signal
 * @returns The report, for `saveReport()`, with the data of each turbine
 * @throws {ArgumentError} If there is no turbine, one is duplicated, or the month cannot be read
 * @throws {NoDataError} If no turbine has details, or none an index of the month
 *
 * @example Two turbines in a month, in a folder
 * ```ts
 * import { makeFleetReport, saveReport } from "@vindkit/vindkit/report";
 * import { assertEquals } from "@std/assert";
 *
 * const report = await makeFleetReport(["T1", "T8"], { month: "2023-12" });
 * assertEquals(report.withoutData.map(({ turbineId }) => turbineId), ["T8"]);
 *
 * const folder = await Deno.makeTempDir();
 * const { files } = await saveReport(report, folder);
 * assertEquals(files, 6);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function makeFleetReport(
  turbineIds: string | readonly string[],
  options: MakeFleetReportOptions = {},
): Promise<FleetReport> {
  const {
    month: given,
    production = new Map(),
    answers,
    onTurbine = () => {},
    generatedAt,
    connection: _,
    signal,
    cache,
    price,
    currency,
    ...rendering
  } = readOptions("makeFleetReport()", options, OPTIONS);
  const connection = resolveConnection(options);
  readPrice(options); // once, and not as the reason of each turbine
  const ids = readTurbineIds(turbineIds, "turbine_details", {});
  if (!((production as unknown) instanceof Map)) {
    throw new ArgumentError(
      'Cannot make a report: "production" is ' + describeValue(production) +
        '. Give a Map of frames by turbine, such as new Map([["T1", frame]])',
    );
  }
  const requested = given === undefined ? undefined : toMonth(given);
  const call = { connection, signal, cache };
  using progress = startProgress(messages.progress, {
    total: ids.length,
    unit: "turbines",
    silent: !connection.progress,
  });
  const all = await Array.fromAsync(runInOrder(ids, MAX_AHEAD, (id) => loadDetails(id, call)));
  assertSomeDetails(all);
  const last = findLastMonth(all);
  const [produced] = [...production].flatMap(([id, one]) =>
    ids.includes(id) ? findLastProduced(one) ?? [] : []
  ).sort(Temporal.PlainYearMonth.compare).reverse();
  const earlier = produced && last && Temporal.PlainYearMonth.compare(produced, last) < 0
    ? produced
    : last;
  const to = requested ?? earlier;
  if (to === undefined) {
    throw new NoDataError(
      "Cannot make a report: no turbine has an index yet. Try again when monthlyIndices() has months of a turbine",
    );
  }
  if (last && Temporal.PlainYearMonth.compare(to, last) > 0) refuseEmptyMonth(to, { last });
  const range = { from: to.subtract({ months: HISTORY_MONTHS - 1 }), to };
  const loaded = runInOrder(
    all,
    MAX_AHEAD,
    async (details) =>
      "reason" in details ? details as TurbineWithoutData : await loadTurbine(
        ...[details, production.get(details.turbine_id), range, call] as const,
        { price, currency },
      ),
  );
  const members: (TurbineReport | TurbineWithoutData)[] = [];
  for await (const member of loaded) {
    const turbineAnswers = "reason" in member ? undefined : answers?.get(member.details.turbine_id);
    members.push(turbineAnswers ? { ...member, answers: turbineAnswers } as TurbineReport : member);
    progress.advance();
    onTurbine(member);
  }
  const month = to.toString();
  const withoutData = members.filter((member) => "reason" in member);
  if (!members.some((member) => hasFigures(member, month))) {
    const [first] = withoutData;
    const all = withoutData.length === members.length;
    refuseEmptyMonth(to, all ? { reason: `${first.turbineId}: ${first.reason}` } : { last });
  }
  const turbines = members.filter((member) => !("reason" in member)) as TurbineReport[];
  const madeAt = generatedAt ?? (connection.lock && findLatestFetch(members));
  const pages = () =>
    buildFleetPages(members, {
      ...rendering,
      generatedAt: madeAt,
      month,
      world: connection.target,
    });
  const report: FleetReport = {
    month,
    turbines,
    withoutData,
    unusedProduction: [...production.keys()].filter((id) => !ids.includes(id)),
    unusedAnswers: [...answers?.keys() ?? []].filter((id) =>
      !turbines.some(({ details }) => details.turbine_id === id)
    ),
    [Symbol.asyncIterator]: () => writePages(pages),
  };
  return describeResult(rememberPages(report, pages), () => ({
    title: messages.card.title(month),
    facts: [
      { label: messages.labels.entries, value: String(members.length) },
      { label: messages.card.withPage, value: String(turbines.length) },
    ],
    summary: [messages.card.next],
    tables: [],
    notes: withoutData.map(({ turbineId, reason }) => messages.card.withoutPage(turbineId, reason)),
    origin: turbines.length > 0 ? provenance(turbines[0].indices) : [],
  }));
}
