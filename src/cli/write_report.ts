import { makeFleetReport, type MakeFleetReportOptions, saveReport } from "../report/mod.ts";
import { formatCount } from "../show/text/numbers.ts";

/** Makes the monthly report of turbines and writes it, and prints what is left out and where it is. */
export async function writeReport(
  ids: readonly string[],
  findFolder: (month: string) => string,
  options: MakeFleetReportOptions,
): Promise<void> {
  const notes: string[] = []; // printed once the progress line is gone
  const report = await makeFleetReport(ids, {
    ...options,
    onTurbine(turbine) {
      if ("reason" in turbine) {
        notes.push(`${turbine.turbineId} gets no page: ${turbine.reason}`);
      } else if (turbine.noComparison !== undefined) {
        const { turbine_id } = turbine.details;
        notes.push(`${turbine_id} is reported without its production: ${turbine.noComparison}`);
      }
    },
  }).finally(() => { // also where the report is refused: the notes say why
    for (const note of notes) console.log(note);
  });
  if (report.unusedProduction.length > 0) {
    const unused = report.unusedProduction.join(", ");
    console.log(`Production of ${unused} is left out: the report has no such turbine`);
  }
  const folder = findFolder(report.month);
  const { signal } = options;
  const { files, bytes } = await saveReport(report, folder, signal ? { signal } : {});
  console.log(
    `${folder}/index.html: ${report.turbines.length} of ${formatCount(ids.length, "turbine")}, ${
      formatCount(files, "file")
    }, ` +
      `${(bytes / 1e6).toFixed(1)} MB`,
  );
}
