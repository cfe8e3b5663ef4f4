/**
 * The monthly report of a fleet, as HTML, Markdown and JSON.
 *
 * @example A report on two turbines of the sample, in a folder
 * ```ts
 * import { monthlyIndices, turbineDetails } from "@vindkit/vindkit";
 * import { fleetReport, saveReport } from "@vindkit/vindkit/report";
 * import { assertEquals } from "@std/assert";
 *
 * async function* reports() {
 *   for (const id of ["T1", "T2"]) {
 *     const details = await turbineDetails(id);
 *     const indices = await monthlyIndices(id, { from: "2022-01", to: "2023-12" });
 *     yield { details, indices };
 *   }
 * }
 *
 * const folder = await Deno.makeTempDir();
 * const { files } = await saveReport(fleetReport(reports(), { month: "2023-12" }), folder);
 * assertEquals(files, 9);
 * await Deno.remove(folder, { recursive: true });
 * ```
 *
 * @module
 */
export type { MonthLike } from "../api/calendar.ts";
export type { TurbineDetailsResource } from "../api/resources/resources.ts";
export type { World } from "../api/world.ts";
export { fleetReport, type FleetReportOptions } from "./fleet_report.ts";
export type { ReportFile } from "./report_file.ts";
export { type SavedReport, saveReport } from "./save_report.ts";
export type { TurbineReport, TurbineWithoutData } from "./content/turbine_report.ts";
