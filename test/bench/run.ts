/**
 * Measures what the first figures promise, each against a named alternative or a bound in the same run:
 * `deno task bench`, or some by name: `deno task bench warmCache`. Figures depend on the machine and its load; the bounds are for two cores and 24 GB.
 *
 * @module
 */
import { fanOutIndices } from "./fan_out_indices.ts";
import { fetchModelData } from "./fetch_model_data.ts";
import { largeDownload } from "./large_download.ts";
import { warmCache } from "./warm_cache.ts";
import { parseTurbineList } from "./parse_turbine_list.ts";
import { parseModelData } from "./parse_model_data.ts";
import { bootstrapTwentyYears, calibrateTwentyYears } from "./calibrate_twenty_years.ts";
import { indicesOfFleet } from "./indices_of_fleet.ts";
import { serveModelData } from "./serve_model_data.ts";
import { serveMonthlyIndex } from "./serve_monthly_index.ts";
import { coldImport } from "./cold_import.ts";
import { reportFleet } from "./report_fleet.ts";
import { runNotebooks } from "./run_notebooks.ts";
import type { BenchmarkRow } from "./_measured.ts";

const lines: BenchmarkRow[] = [];
const benches = [
  parseModelData,
  parseTurbineList,
  fetchModelData,
  warmCache,
  fanOutIndices,
  largeDownload,
  calibrateTwentyYears,
  bootstrapTwentyYears,
  indicesOfFleet,
  serveMonthlyIndex,
  serveModelData,
  reportFleet,
  coldImport,
  runNotebooks,
];
for (
  const bench of benches.filter(({ name }) => Deno.args.length === 0 || Deno.args.includes(name))
) {
  for (const measured of [await bench()].flat()) {
    lines.push(measured);
    const { what, found, bound, holds } = measured;
    console.log(`${holds ? "holds" : "FAILS"}  ${what.padEnd(56)} ${found.padEnd(46)} ${bound}`);
  }
}
if (lines.some(({ holds }) => !holds)) Deno.exit(1);
