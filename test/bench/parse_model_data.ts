import pl from "nodejs-polars";
import { modelDataCsv } from "../../src/api/columns/columns.ts";
import { readCsv } from "../../src/frames/csv/csv_reader.ts";
import { modelBody } from "./_model_body.ts";
import { median, timed } from "./_timing.ts";
import type { BenchmarkRow } from "./_measured.ts";

/** Measures twenty years of hours from a body to a checked frame with time zone, against nodejs-polars reading the same file. */
export async function parseModelData(): Promise<BenchmarkRow> {
  const text = modelBody();
  const bytes = new TextEncoder().encode(text);
  const path = await Deno.makeTempFile({ suffix: ".csv" });
  await Deno.writeFile(path, bytes);
  const schema = Object.fromEntries(
    modelDataCsv.map(({ name, dtype }) => [name, dtype === "datetime" ? pl.Utf8 : pl.Float64]),
  );
  const naive = () =>
    pl.readCSV(path, { schema }).withColumn(
      pl.col("time").str.strptime(pl.Datetime, "%Y-%m-%dT%H:%M:%S%z"),
    );
  const ours = () => readCsv(bytes, modelDataCsv, { file: "body" });
  const ratios: number[] = [];
  let best = Infinity;
  for (let i = 0; i < 25; i++) { // in turns, so a passing load slows both
    const theirs = await timed(naive);
    const time = await timed(ours);
    if (i >= 5) ratios.push(time / theirs);
    best = Math.min(best, time);
  }
  await Deno.remove(path);
  const ratio = median(ratios);
  return {
    what: `parse 20 years hourly, ${(bytes.length / 1e6).toFixed(1)} MB`,
    measured: `${best.toFixed(0)} ms, ${ratio.toFixed(2)} x polars from the file`,
    bound: "at most 1.3 x nodejs-polars readCSV + strptime",
    holds: ratio <= 1.3,
  };
}
