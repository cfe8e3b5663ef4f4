/**
 * Makes the report of a fleet through the client, from a service at the address given; arguments: address, number of
 * turbines, folder, number of workers. Prints seconds, memory and sizes as JSON.
 */
import { compareActual } from "../../src/analysis/compare_actual/compare_actual.ts";
import { connect } from "../../src/client/connection/connection.ts";
import { monthlyIndices } from "../../src/client/calls/monthly_indices.ts";
import { turbineDetails } from "../../src/client/calls/turbines.ts";
import { fleetReport } from "../../src/report/fleet_report.ts";
import { saveReport } from "../../src/report/save_report.ts";
import pl from "nodejs-polars";

const [url, turbines, folder, workers] = Deno.args;
const MONTH = "2025-12";

await using connection = connect({ url, key: "bench", progress: false });

async function report(id: string) {
  const details = await turbineDetails(id, { connection });
  const indices = await monthlyIndices(id, { from: "2024-01", to: MONTH, connection });
  const production = indices.select(
    pl.col("month"),
    pl.col("predicted_production").mul(pl.lit(0.95)).alias("energy"),
  );
  return { details, indices, comparison: compareActual(production, indices) };
}

/** Turbines in their order, some of them asked for ahead. */
async function* reports() {
  const under: ReturnType<typeof report>[] = [];
  for (let i = 0; i < Number(turbines); i++) {
    under.push(report(`W${i}`));
    if (under.length >= 16) yield await under.shift()!;
  }
  while (under.length > 0) yield await under.shift()!;
}

const begun = performance.now();
const { files, bytes } = await saveReport(
  fleetReport(reports(), { month: MONTH, workers: Number(workers) }),
  folder,
);
const seconds = (performance.now() - begun) / 1000;
const { size } = await Deno.stat(`${folder}/index.html`);
const status = Deno.readTextFileSync("/proc/self/status");
const memory = Number(/VmHWM:\s*(\d+) kB/.exec(status)![1]) * 1024;
console.log(JSON.stringify({ seconds, memory, files, bytes, page: size }));
