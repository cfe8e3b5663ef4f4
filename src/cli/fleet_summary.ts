import {
  type CallOptions,
  failures,
  monthlyIndices,
  NoDataError,
  plotFleetIndices,
  saveFrame,
  table,
  turbineDetails,
} from "../../mod.ts";
import { writeAtomically } from "../disk/atomic_write.ts";
import pl, { type DataFrame } from "nodejs-polars";
import { callerPath } from "./caller_path.ts";
import type { Command } from "./command.ts";
import { connectionOptions, openConnection } from "./connection.ts";
import { readMonth } from "./read_month.ts";
import { readTurbineIds, turbinesOption } from "./turbine_ids.ts";

/** Months before the one of the summary that the chart shows. */
const HISTORY = 35;

/** Columns of the page; the files have all columns. */
const SHOWN = [
  "turbine_id",
  "name",
  "units",
  "predicted_production",
  "normal_production",
  "month_abnormality_index",
  "last12_month_index",
  "status",
];

/** Indices of all turbines that have some. Any other failure ends the run, so that no turbine is missing silently. */
async function loadIndices(ids: readonly string[], call: CallOptions): Promise<DataFrame> {
  const indices = await monthlyIndices([...ids], { onFailure: "collect", ...call });
  const failed = failures(indices);
  const worse = failed.find(({ error }) => !(error instanceof NoDataError));
  if (worse) throw worse.error;
  if (indices.height === 0) throw failed[0].error;
  return indices;
}

/** The last month that any turbine has figures of. */
function findLastMonth(indices: DataFrame): string {
  const known = indices.filter(pl.col("month_abnormality_index").isNotNull());
  const months = known.getColumn("month").cast(pl.Utf8).toArray() as string[];
  const last = months.sort().at(-1);
  if (last === undefined) throw new Error("Cannot summarise: no turbine has figures of any month");
  return last.slice(0, 7);
}

/** Name, size and number of turbines of each entry; other services do not say how many turbines an entry has. */
async function loadSizes(ids: readonly string[], call: CallOptions): Promise<DataFrame> {
  const details = await Promise.all(ids.map((id) => turbineDetails(id, call)));
  return pl.DataFrame([
    pl.Series("turbine_id", ids, pl.Utf8),
    pl.Series("name", details.map(({ name }) => name), pl.Utf8),
    pl.Series("rated_power", details.map(({ rated_power }) => rated_power), pl.Float64),
    pl.Series("units", details.map(({ units }) => typeof units === "number" ? units : 1), pl.Int32),
  ]);
}

/** One row an entry with figures of the month, beside its name and size; energies are those of one turbine. */
async function buildSummary(
  indices: DataFrame,
  month: string,
  call: CallOptions,
): Promise<DataFrame> {
  const ofMonth = indices.filter(
    pl.col("month").cast(pl.Utf8).eq(pl.lit(`${month}-01`))
      .and(pl.col("month_abnormality_index").isNotNull()),
  );
  if (ofMonth.height === 0) {
    throw new Error(
      `Cannot summarise ${month}: no turbine has figures of it. The last month that any turbine has is ` +
        `${findLastMonth(indices)}: give that or an earlier one with --month`,
    );
  }
  const ids = ofMonth.getColumn("turbine_id").toArray().map(String);
  const sizes = await loadSizes(ids, call);
  return ofMonth
    .withColumns(
      pl.col("predicted_production").mul(100).div(pl.col("month_abnormality_index"))
        .alias("normal_production"),
    )
    .join(sizes, { on: "turbine_id" })
    .select(
      "turbine_id",
      "name",
      "units",
      "rated_power",
      "month_abnormality_index",
      "month_index",
      "last12_month_index",
      "predicted_production",
      "normal_production",
      "completeness",
      "status",
    )
    .sort("turbine_id");
}

/** Energy of the fleet compared with that of normal months of this name, in one sentence. */
function formatSentence(summary: DataFrame, month: string): string {
  const values = (name: string) => summary.getColumn(name).toArray() as number[];
  const units = values("units");
  const sum = (name: string) => values(name).reduce((sum, value, i) => sum + units[i] * value, 0);
  const index = 100 * sum("predicted_production") / sum("normal_production");
  const turbines = units.reduce((sum, number) => sum + number, 0);
  const count = `${turbines} turbine${turbines === 1 ? "" : "s"}`;
  return `In ${month} the wind gave ${count} ${
    index.toFixed(1)
  } % of the energy of a normal month of this name.`;
}

/** Which turbines are not in the summary, and why. */
function listLeftOut(
  ids: readonly string[],
  indices: DataFrame,
  summary: DataFrame,
  month: string,
) {
  const failed = failures(indices).map(({ turbineId }) => turbineId);
  const present = summary.getColumn("turbine_id").toArray();
  return ids.filter((id) => !present.includes(id)).map((id) =>
    `${id} is left out: it has no ${failed.includes(id) ? "indices" : `figures of ${month}`}`
  );
}

/** A page that needs no network. Only what `table()` and charts escape themselves may have been written by others. */
function buildPage(
  month: string,
  sentence: string,
  notes: readonly string[],
  body: string,
): string {
  const escaped = notes.join("; ").replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The fleet in ${month}</title>
<style>
body { font-family: sans-serif; margin: 2rem auto; padding: 0 1rem; max-width: 64rem; }
svg { max-width: 100%; height: auto; margin-top: 2rem; }
@page { size: A4 landscape; margin: 15mm; }
</style>
</head>
<body>
<h1>The fleet in ${month}</h1>
<p>${sentence}</p>
<p>${escaped}</p>
${body}
</body>
</html>
`;
}

/** The month of a fleet in three files. What it takes from `../../mod.ts` is what a script of your own needs. */
export const fleetSummary: Command = {
  forms: ["[OPTIONS]"],
  options: {
    month: {
      value: "MONTH",
      about: "month of the summary (default: the last one that any turbine has)",
    },
    turbines: turbinesOption,
    to: { value: "DIR", about: "folder of the files (default: out)" },
    ...connectionOptions,
  },
  example: "--sample --month 2025-12",
  notes: [
    "A table as Parquet and CSV, and a page with a chart. A turbine without figures of the month is left out and named. " +
    "In the CSV a text that a spreadsheet would run as a formula has an apostrophe before it.",
  ],
  rest: 0,
  resume: "Files that are written are complete: the same command writes all of them again.",
  async run(given) {
    const requested = given.text("month");
    if (requested !== undefined) readMonth(requested, "--month");
    await using connection = await openConnection(given);
    const call = { connection, signal: given.signal };
    const ids = await readTurbineIds(given.text("turbines"), call);
    const indices = await loadIndices(ids, call);
    const month = requested ?? findLastMonth(indices);
    const summary = await buildSummary(indices, month, call);

    const from = Temporal.PlainYearMonth.from(month).subtract({ months: HISTORY });
    const recent = indices.filter(
      pl.col("month").cast(pl.Utf8).gtEq(pl.lit(`${from}-01`))
        .and(pl.col("month").cast(pl.Utf8).ltEq(pl.lit(`${month}-01`))),
    );
    const chart = plotFleetIndices(recent);
    const shown = summary.select(...SHOWN);
    const rows = table(shown, {
      title: "Production of one turbine in MWh, indices in %",
      maxRows: shown.height,
    })
      .html();
    const sentence = formatSentence(summary, month);
    const notes = listLeftOut(ids, indices, summary, month);

    const folder = callerPath(given.text("to") ?? "out");
    await Deno.mkdir(folder, { recursive: true });
    const stem = `${folder}/fleet_${month}`;
    await saveFrame(summary, `${stem}.parquet`, { overwrite: true });
    await saveFrame(summary, `${stem}.csv`, { overwrite: true, safe: true });
    const html = buildPage(month, sentence, notes, `${rows}\n${await chart.svg()}`);
    await writeAtomically(`${stem}.html`, new TextEncoder().encode(html), { mode: 0o666 });
    console.log([...notes, sentence, `${stem}.parquet, .csv and .html`].join("\n"));
  },
};
