/**
 * Reports made of tables and charts.
 *
 * @example A page on one turbine
 * ```ts
 * import { monthlyIndices, turbineDetails } from "@vindkit/vindkit";
 * import { reportPage } from "@vindkit/vindkit/report";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const details = await turbineDetails("T1");
 * const indices = await monthlyIndices("T1", { from: "2022-01", to: "2023-12" });
 * const page = await reportPage([{ details, indices }], {
 *   title: "Monthly report",
 *   world: "sample",
 *   attribution: [],
 * });
 * assertStringIncludes(page, "SYNTHETIC");
 * ```
 *
 * @module
 */
export type { MonthLike } from "../api/calendar.ts";
export type { TurbineDetailsResource } from "../api/resources.ts";
export type { World } from "../api/world.ts";
export { reportPage, type ReportPageOptions } from "./page.ts";
export type { TurbineReport } from "./turbine_report.ts";
