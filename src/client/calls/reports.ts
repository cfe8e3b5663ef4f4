import type { DataFrame } from "nodejs-polars";
import { assertBegun, type MonthLike, toMonth } from "../../api/calendar.ts";
import { reportMonthList, reportTurbineList } from "../../api/columns/columns.ts";
import { wireName } from "../../api/columns/column.ts";
import type { MonthlyReportResource } from "../../api/resources/report_resource.ts";
import { formatMonthLabel } from "../../time/zones.ts";
import { z } from "zod";
import { obtainWhole } from "../cache/obtain.ts";
import {
  type CallOptions,
  callOptions,
  type FrameOptions,
  frameOptions,
} from "../connection/default_connection.ts";
import {
  assertEcho,
  buildProvenance,
  checkResource,
  obtainRecords,
  readJson,
} from "../answers/read_answer.ts";
import { reportFields, showRecord } from "../answers/record_fields.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";

/**
 * A monthly report with the fields of our service. Another service may lack any of them or send it in another form,
 * because the API text does not show them. The report shows itself as a card.
 *
 * `turbine_id`, `name` and `period` (year and month) identify it; `revision`, `status` and `completeness` give its
 * state. `indices` has the figures of the month with their intervals, `history` the figures of twelve months.
 * `reference_period` defines 100 %, `calibration` and `intervals` describe the method, and `notes` has remarks.
 */
export type MonthlyReport = Partial<MonthlyReportResource>;

/** Any object: the API text shows no fields to check. */
const anyReport = z.custom<MonthlyReport>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "an object is expected",
);

/**
 * Lists the turbines that have monthly reports, with the month of the latest one. `turbines()` lists all turbines of
 * the licence, `readTurbines()` reads turbines from the file of a public register.
 *
 * @param options `onNoData` (`"throw"`, or `"empty"` for a frame without rows); connection and signal
 * @returns A frame of `turbine_id` (String) and `last_available_report` (Date, first day of the month)
 * @throws {NoDataError} If no turbine has reports
 *
 * @example
 * ```ts
 * import { reportTurbines } from "@vindkit/vindkit";
 * import { assert } from "@std/assert";
 *
 * assert((await reportTurbines()).height > 0);
 * ```
 */
export async function reportTurbines(options: FrameOptions = {}): Promise<DataFrame> {
  readOptions("reportTurbines()", options, frameOptions);
  return await obtainRecords("report_turbines", {}, reportTurbineList, options);
}

/**
 * Lists the months of a turbine's reports.
 *
 * @param turbineId Identifier of the turbine
 * @param options `onNoData` (`"throw"`, or `"empty"` for a frame without rows); connection and signal
 * @returns A frame of `month` (Date, its first day)
 * @throws {NotFoundError} If the licence has no such turbine
 *
 * @example
 * ```ts
 * import { reportMonths } from "@vindkit/vindkit";
 * import { assert } from "@std/assert";
 *
 * assert((await reportMonths("T1")).height >= 240);
 * ```
 */
export async function reportMonths(
  turbineId: string,
  options: FrameOptions = {},
): Promise<DataFrame> {
  readOptions("reportMonths()", options, frameOptions);
  const values = { turbine_id: turbineId };
  return await obtainRecords("report_months", values, reportMonthList, options, findMonth);
}

/** A month as text, with the rest of a day or a timestamp. */
const MONTH_TEXT = /^\d{4}-(0[1-9]|1[0-2])(-01(T00:00.*)?)?$/;

/**
 * Finds the month of an item, which the API text declares as an object without naming its fields: the text itself, the
 * declared field, else the only text like a month, or the pair `year` and `month`.
 */
function findMonth(item: unknown): unknown {
  const name = wireName(reportMonthList[0]);
  if (typeof item === "string") return { [name]: item };
  if (typeof item !== "object" || item === null) return item;
  const { year, month } = item as Readonly<Record<string, unknown>>;
  if (Number.isInteger(year) && Number.isInteger(month)) {
    return { [name]: formatMonthLabel({ year, month } as { year: number; month: number }) };
  }
  if (typeof month === "string") return item;
  const texts = Object.values(item).filter((value) =>
    typeof value === "string" && MONTH_TEXT.test(value)
  );
  return texts.length === 1 ? { [name]: texts[0] } : item;
}

/** Options of {@linkcode monthlyReport}. */
export interface MonthlyReportOptions extends CallOptions {
  /** Revision of the report; -1 is the latest. @default -1, set by the service */
  revision?: number;
}

const MONTHLY_REPORT_OPTIONS = declareOptions<MonthlyReportOptions>()("revision", {}, callOptions);

/**
 * The monthly report of a turbine.
 *
 * @param turbineId Identifier of the turbine
 * @param month The month, `"2023-05"`
 * @param options Revision; connection and signal
 * @throws {ArgumentError} If the month is not valid or has not begun
 * @throws {NotFoundError} If there is no such turbine, report or revision
 *
 * @example
 * ```ts
 * import { monthlyReport } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const report = await monthlyReport("T1", "2024-05");
 * assertEquals(report.period, "2024-05");
 * ```
 */
export async function monthlyReport(
  turbineId: string,
  month: MonthLike,
  options: MonthlyReportOptions = {},
): Promise<MonthlyReport> {
  readOptions("monthlyReport()", options, MONTHLY_REPORT_OPTIONS);
  const wantedMonth = toMonth(month);
  assertBegun(wantedMonth, "month");
  const period = wantedMonth.toString();
  const values = { turbine_id: turbineId, period, revision: options.revision };
  const { facts, value } = await obtainWhole("monthly_report", values, options, (answer) => {
    const report = checkResource(readJson(answer), anyReport, answer);
    // The API text shows no fields: if identifying fields are present, they must match the request.
    if (report.turbine_id !== undefined) {
      assertEcho("turbine_id", report.turbine_id, turbineId, answer.url);
    }
    if (report.period !== undefined) assertEcho("period", report.period, period, answer.url);
    return { ...report }; // parsed objects have no prototype: String() of one would throw
  });
  const source = buildProvenance(facts, options);
  return showRecord(value, `Report of ${turbineId}, ${period}`, reportFields, source);
}
