/**
 * Makes the report of a fleet through the client. Arguments: address of the service, number of turbines, folder, and
 * "xlsx" or "pdf" for one file of that format. Prints seconds, memory and sizes as JSON.
 */
import { compareActual } from "../../src/analysis/compare_actual/compare_actual.ts";
import { connect } from "../../src/client/connection/connection.ts";
import { monthlyIndices } from "../../src/client/calls/monthly_indices.ts";
import { turbineDetails } from "../../src/client/calls/turbines.ts";
import { fleetReport } from "../../src/report/fleet_report.ts";
import { savePdf, saveReport, saveWorkbook } from "../../src/report/save_report.ts";
import pl from "nodejs-polars";

const [url, turbines, folder, form] = Deno.args;
const MONTH = "2025-12";

await using connection = connect({ url, key: "bench", progress: false });

async function load(id: string) {
  const details = await turbineDetails(id, { connection });
  const indices = await monthlyIndices(id, { from: "2024-01", to: MONTH, connection });
  const production = indices.select(
    pl.col("month"),
    pl.col("predicted_production").mul(pl.lit(0.95)).alias("energy"),
  );
  return { details, indices, comparison: compareActual(production, indices) };
}

/** Turbines in order, with some requests ahead. */
async function* reports() {
  const under: ReturnType<typeof load>[] = [];
  for (let i = 0; i < Number(turbines); i++) {
    under.push(load(`W${i}`));
    if (under.length >= 16) yield await under.shift()!;
  }
  while (under.length > 0) yield await under.shift()!;
}

const begun = performance.now();
const report = fleetReport(reports(), { month: MONTH });
const path = `${folder}/${form ? `report.${form}` : "index.html"}`;
let [files, bytes] = [1, 0];
if (form === "xlsx") await saveWorkbook(report, path);
else if (form === "pdf") await savePdf(report, path);
else ({ files, bytes } = await saveReport(report, folder));
const seconds = (performance.now() - begun) / 1000;
const { size } = await Deno.stat(path);
const status = Deno.readTextFileSync("/proc/self/status");
const memory = Number(/VmHWM:\s*(\d+) kB/.exec(status)![1]) * 1024;
console.log(JSON.stringify({ seconds, memory, files, bytes, page: size }));
