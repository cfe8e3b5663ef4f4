import pl from "nodejs-polars";
import { modelDataCsv } from "../../src/api/columns/columns.ts";
import { TIME_ZONE_HEADER } from "../../src/api/world.ts";
import { connect } from "../../src/client/connection/connection.ts";
import { modelData } from "../../src/client/calls/model_data.ts";
import { measureGrowth } from "./_growth.ts";
import type { BenchmarkRow } from "./_measured.ts";
import { modelBody } from "./_model_body.ts";
import { startServer } from "./_served.ts";
import { median, timed } from "./_timing.ts";

/** Measures twenty years of hours from loopback to a checked frame with time zone, against nodejs-polars reading the file from disk. */
export async function fetchModelData(): Promise<BenchmarkRow[]> {
  const path = await Deno.makeTempFile({ suffix: ".csv" });
  await Deno.writeTextFile(path, modelBody());
  const { size } = await Deno.stat(path);
  const headers = { "content-type": "text/csv", [TIME_ZONE_HEADER]: "Europe/Copenhagen" };
  await using server = await startServer(path, headers);
  const schema = Object.fromEntries(
    modelDataCsv.map(({ name, dtype }) => [name, dtype === "datetime" ? pl.Utf8 : pl.Float64]),
  );
  const fromDisk = () =>
    pl.readCSV(path, { schema }).withColumn(
      pl.col("time").str.strptime(pl.Datetime, "%Y-%m-%dT%H:%M:%S%z"),
    );
  const connection = connect({ url: server.url, progress: false });
  const ratios: number[] = [];
  let best = Infinity;
  for (let i = 0; i < 20; i++) { // in turns, so a passing load slows both
    const theirs = await timed(fromDisk);
    const ours = await timed(() => modelData("T1", { connection }));
    if (i >= 5) ratios.push(ours / theirs);
    best = Math.min(best, ours);
  }
  const { growth } = await measureGrowth("model_data", server.url);
  await Deno.remove(path);
  const [ratio, factor] = [median(ratios), growth / size];
  const what = `fetch 20 years hourly, ${(size / 1e6).toFixed(1)} MB, with hash and checks`;
  return [{
    what,
    measured: `${best.toFixed(0)} ms, ${ratio.toFixed(2)} x parsing from disk`,
    bound: "at most 2.5 x nodejs-polars readCSV + strptime from disk",
    holds: ratio <= 2.5,
  }, {
    what: "growth of peak memory in this fetch",
    measured: `${(growth / 1e6).toFixed(0)} MB, ${factor.toFixed(1)} x the body`,
    bound: "at most 8 x the body",
    holds: factor <= 8,
  }];
}
