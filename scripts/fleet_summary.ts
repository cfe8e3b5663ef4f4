/** The month of a fleet as Parquet, CSV and HTML: `deno task fleet-summary`. Copy it, and change what you need. */
import {
  failures,
  monthlyIndices,
  plotFleetIndices,
  table,
  turbineDetails,
  turbines,
  withProvenance,
} from "@vindkit/vindkit";
import pl, { type DataFrame } from "nodejs-polars";
import { callerPath, command } from "./_command.ts";
import { CONNECTION_HELP, connectionOf, connectionOptions } from "./_connection.ts";

const HELP = `Writes the month of a fleet: a table as Parquet and CSV, and a page with a chart.

deno task fleet-summary [--month 2025-12] [--turbines T1,T2] [--to DIR]

  --month MONTH       month of the summary (default: the last one that any turbine has)
  --turbines IDS      identifiers, separated by commas (default: all of the licence)
  --to DIR            folder of the files (default: out)
${CONNECTION_HELP}`;

const options = {
  ...connectionOptions,
  month: { type: "string" },
  turbines: { type: "string" },
  to: { type: "string" },
} as const;

/** Months before the one of the summary that the chart shows. */
const HISTORY = 35;

function monthsBefore(month: string, count: number): string {
  return Temporal.PlainYearMonth.from(month).subtract({ months: count }).toString();
}

/** One row a turbine: its figures of the month, beside its name and size. */
function summaryOf(indices: DataFrame, details: DataFrame, month: string): DataFrame {
  return indices
    .filter(pl.col("month").cast(pl.Utf8).eq(pl.lit(`${month}-01`)))
    .withColumns(
      pl.col("predicted_production").mul(100).div(pl.col("month_abnormality_index"))
        .alias("normal_production"),
    )
    .join(details.select("turbine_id", "name", "rated_power"), { on: "turbine_id" })
    .select(
      "turbine_id",
      "name",
      "rated_power",
      "month_index",
      "month_abnormality_index",
      "last12_month_index",
      "predicted_production",
      "normal_production",
      "completeness",
      "status",
    )
    .sort("turbine_id");
}

/** Energy of the fleet against that of a normal month of this name, %. */
function fleetIndex(summary: DataFrame): number {
  const sum = (name: string) => summary.getColumn(name).sum() as number;
  return 100 * sum("predicted_production") / sum("normal_production");
}

function page(title: string, sentence: string, chart: string, rows: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>body { font-family: sans-serif; margin: 2rem; max-width: 60rem; } svg { max-width: 100%; height: auto; }</style>
</head>
<body>
<h1>${title}</h1>
<p>${sentence}</p>
${rows}
${chart}
</body>
</html>
`;
}

await command(HELP, options, 0, async (given) => {
  await using connection = connectionOf(given);
  const ids = given.text("turbines")?.split(",") ??
    (await turbines({ connection })).getColumn("turbine_id").toArray().map(String);
  const all = await monthlyIndices(ids, { onFailure: "collect", connection });
  for (const { turbineId, error } of failures(all)) {
    console.log(`${turbineId} is left out: ${error.message}`);
  }
  const known = all.filter(pl.col("month_index").isNotNull());
  const month = given.text("month") ??
    String(known.getColumn("month").cast(pl.Utf8).toArray().sort().at(-1)).slice(0, 7);
  const done = [...new Set(known.getColumn("turbine_id").toArray() as string[])];
  const details = await turbineDetails(done, { connection });
  const summary = withProvenance(summaryOf(all, details, month), all);
  if (summary.height === 0) throw new Error(`Cannot summarise ${month}: no turbine has figures`);

  const from = monthsBefore(month, HISTORY);
  const recent = await monthlyIndices(done, { from, to: month, connection });
  const sentence = `In ${month} the wind gave ${summary.height} turbines ${
    fleetIndex(summary).toFixed(1)
  } % of the energy of a normal month of this name.`;
  const title = `The fleet in ${month}`;
  const html = page(
    title,
    sentence,
    await plotFleetIndices(recent).svg(),
    table(summary, { maxRows: summary.height }).html(),
  );

  const folder = callerPath(given.text("to") ?? "out");
  await Deno.mkdir(folder, { recursive: true });
  const stem = `${folder}/fleet_${month}`;
  await Deno.writeFile(`${stem}.parquet`, summary.writeParquet());
  await Deno.writeFile(`${stem}.csv`, summary.writeCSV() as unknown as Uint8Array);
  await Deno.writeTextFile(`${stem}.html`, html);
  console.log(`${sentence}\n${stem}.parquet, .csv and .html`);
});
