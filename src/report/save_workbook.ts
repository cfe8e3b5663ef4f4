import { ArgumentError } from "../api/errors.ts";
import { describeValue } from "../api/error_text.ts";
import { writeAtomically } from "../disk/side_file.ts";
import { declareOptions, readOptions } from "../show/options/read_options.ts";
import { drawPages, listPages, type ReportFile } from "./report_pages.ts";
import type { SaveReportOptions } from "./save_report.ts";
import { writeWorkbook } from "./writers/workbook.ts";

const OPTIONS = declareOptions<SaveReportOptions>()("signal");

/**
 * Writes a report, or the answer of a question, as a workbook for spreadsheets (.xlsx): a sheet for the fleet, one for
 * its table and one for each turbine, with months as dates, numbers in their units, charts as pictures, sources and
 * hashes. Of an answer each frame has a sheet; answers about a turbine are on its own. No cell has a formula, whatever the
 * data contain.
 *
 * @param report What `makeFleetReport()`, `fleetReport()` or `answerReport()` returned
 * @param path File that ends in `.xlsx`; one that exists is replaced
 * @param options `signal`: nothing is written once it is aborted
 * @throws {ArgumentError} If it is no report, or the path does not end in `.xlsx`
 *
 * @example A report on two turbines, to calculate with
 * ```ts
 * import { makeFleetReport, saveWorkbook } from "@vindkit/vindkit/report";
 * import { assert } from "@std/assert";
 *
 * const folder = await Deno.makeTempDir();
 * const report = await makeFleetReport(["T1", "T2"], { month: "2023-12" });
 * await saveWorkbook(report, `${folder}/wind.xlsx`);
 * assert((await Deno.stat(`${folder}/wind.xlsx`)).isFile);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function saveWorkbook(
  report: AsyncIterable<ReportFile>,
  path: string,
  options: SaveReportOptions = {},
): Promise<void> {
  const { signal } = readOptions("saveWorkbook()", options, OPTIONS);
  if (!/\.xlsx$/i.test(path)) {
    throw new ArgumentError(
      `Cannot save the workbook as ${describeValue(path)}: the name must end in .xlsx`,
    );
  }
  const pages = await listPages(report, "save a workbook");
  const body = await writeWorkbook(pages, drawPages(pages, signal));
  await writeAtomically(path, body, { mode: 0o666 });
}
