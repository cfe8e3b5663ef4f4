/**
 * An analysis with a data lock, in a script next to it: frames, files, charts, tables and a report.
 *
 * @module
 */
import {
  checkPerformance,
  connect,
  exampleFile,
  lockData,
  modelData,
  monthlyIndices,
  monthlyReport,
  orderAndWait,
  plotMonthlyIndices,
  plotPerformance,
  plotTimeSeries,
  provenance,
  readProduction,
  saveFrame,
  table,
  turbineDetails,
} from "../../../mod.ts";
import { makeFleetReport, saveReport } from "../../../src/report/mod.ts";

await using plain = connect();
const connection = await lockData("analysis.lock.json", { connection: plain });

const details = await turbineDetails("T1", { connection });
const hours = await modelData("T1", { from: 2023, to: 2024, connection });
const indices = await monthlyIndices(["T1", "T2"], {
  from: "2023-01",
  to: "2024-12",
  connection,
});
const report = await monthlyReport("T1", "2024-05", { connection });
const place = { latitude: 55.5, longitude: 7.75, from: 2022, to: 2022 };
const wind = await orderAndWait("era5", { ...place, connection });
const production = await readProduction(await exampleFile("production.csv"), {
  column: "power",
  time: "time",
  resolution: "hour",
  unit: "kW",
});
const checked = checkPerformance(production, { predicted: hours, details });

const origins = [details, hours, indices, report, wind, production].map(provenance);
await Deno.writeTextFile("origins.json", JSON.stringify(origins, null, 1));
for (const [name, frame] of Object.entries({ hours, indices, wind, production })) {
  for (const kind of ["parquet", "csv"]) await saveFrame(frame, `${name}.${kind}`);
  await Deno.writeTextFile(`${name}.html`, table(frame).html());
}
const charts = {
  monthly: plotMonthlyIndices(indices),
  series: plotTimeSeries(hours, { columns: ["wind_speed"] }),
  performance: plotPerformance(checked.frames.comparison),
};
for (const [name, chart] of Object.entries(charts)) {
  await chart.save(`${name}.svg`);
  await chart.save(`${name}.png`);
}
const fleet = await makeFleetReport(["T1", "T2"], {
  month: "2024-12",
  production: new Map([["T1", production]]),
  connection,
});
await saveReport(fleet, "report");
