/**
 * Measures performance, each figure against a named alternative or a bound in the same run.
 *
 * @module
 */
import { formatUnknown, MisuseError } from "../../src/cli/command/command.ts";
import { runTask } from "../_run_task.ts";
import { answerDuringBuilds, answerDuringFleet } from "./answer_during_builds.ts";
import { fanOutIndices } from "./fan_out_indices.ts";
import { fetchAgainstPython } from "./fetch_against_python.ts";
import { fetchModelData } from "./fetch_model_data.ts";
import { largeDownload } from "./large_download.ts";
import { warmCache } from "./warm_cache.ts";
import { parseTurbineList } from "./parse_turbine_list.ts";
import { parseModelData } from "./parse_model_data.ts";
import { bootstrapTwentyYears, calibrateTwentyYears } from "./calibrate_twenty_years.ts";
import { indicesOfFleet } from "./indices_of_fleet.ts";
import { indexFromPostgres } from "./index_from_postgres.ts";
import { serveModelData } from "./serve_model_data.ts";
import { serveMonthlyIndex } from "./serve_monthly_index.ts";
import { checkFleet } from "./check_fleet.ts";
import { coldImport } from "./cold_import.ts";
import { reportFleet, reportInOneFile } from "./report_fleet.ts";
import { runNotebooks } from "./run_notebooks.ts";
import { readProductionYear } from "./read_production_year.ts";
import { scale } from "./scale.ts";
import { unchangedImport } from "./unchanged_import.ts";
import type { BenchmarkRow } from "./_measured.ts";

const benches = [
  parseModelData,
  parseTurbineList,
  readProductionYear,
  fetchModelData,
  fetchAgainstPython,
  warmCache,
  fanOutIndices,
  largeDownload,
  calibrateTwentyYears,
  bootstrapTwentyYears,
  indicesOfFleet,
  serveMonthlyIndex,
  indexFromPostgres,
  serveModelData,
  answerDuringBuilds,
  answerDuringFleet,
  checkFleet,
  reportFleet,
  reportInOneFile,
  unchangedImport,
  coldImport,
  runNotebooks,
];

/** Name of the benchmark that runs only by name, because it takes an hour. */
const SCALE = "scale";

const names = [...benches.map(({ name }) => name), SCALE];

await runTask("bench", {
  forms: ["[NAMES]"],
  arguments: { NAMES: `benchmarks to run, of ${names.join(", ")} (default: all but ${SCALE})` },
  options: {},
  example: "warmCache parseModelData",
  notes: [
    "Prints a line for each: measured quantity, result, bound. It fails if a bound is missed. Figures depend on the " +
    "machine and its load; the bounds are for two cores and 24 GB.",
  ],
  async run({ rest }) {
    const unknown = rest.find((name) => !names.includes(name));
    if (unknown !== undefined) throw new MisuseError(formatUnknown("benchmark", unknown, names));
    const missed: BenchmarkRow[] = [];
    const chosen = [
      ...benches.filter(({ name }) => rest.length === 0 || rest.includes(name)),
      ...rest.includes(SCALE) ? scale : [],
    ];
    for (const bench of chosen) {
      for (const measured of [await bench()].flat()) {
        const { what, measured: figure, bound, holds } = measured;
        if (!holds) missed.push(measured);
        console.log(
          `${holds ? "holds" : "FAILS"}  ${what.padEnd(56)} ${figure.padEnd(46)} ${bound}`,
        );
      }
    }
    if (missed.length > 0) throw new Error(`${missed.length} bounds are missed: see FAILS above`);
  },
});
