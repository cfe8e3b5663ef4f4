/**
 * The monthly report of a fleet, and the answer of any question, as HTML, Markdown and JSON.
 *
 * @example A report on two turbines of the sample, in a folder
 * ```ts
 * import { makeFleetReport, saveReport } from "@vindkit/vindkit/report";
 * import { assertEquals } from "@std/assert";
 *
 * const folder = await Deno.makeTempDir();
 * const report = await makeFleetReport(["T1", "T2"], { month: "2023-12" });
 * const { files } = await saveReport(report, folder);
 * assertEquals(files, 9);
 * await Deno.remove(folder, { recursive: true });
 * ```
 *
 * @module
 */
import "../disk/check_permissions.ts";

export { answerReport, type AnswerReportOptions } from "./answer_report.ts";
export { checkTurbine, type CheckTurbineOptions } from "./check_turbine.ts";
export { fleetReport, type FleetReportOptions } from "./fleet_report.ts";
export {
  type FleetReport,
  makeFleetReport,
  type MakeFleetReportOptions,
} from "./make_fleet_report.ts";
export type { ReportFile } from "./report_pages.ts";
export {
  type SavedReport,
  savePdf,
  type SavePdfOptions,
  saveReport,
  type SaveReportOptions,
  saveWorkbook,
} from "./save_report.ts";
export type { Paper } from "./document/document.ts";
export type { TurbineReport, TurbineWithoutData } from "./content/turbine_report.ts";
