/** Production of a normal year from a short record: `deno task long-term`. Copy it, and change what you need. */
import {
  actualAgainstPredicted,
  type Connection,
  exampleFile,
  modelData,
  monthlyIndices,
  plotCorrelation,
  table,
  withProvenance,
} from "@vindkit/vindkit";
import { readSiteProduction } from "@vindkit/vindkit/service";
import pl, { type DataFrame } from "nodejs-polars";
import { callerPath, command } from "./_command.ts";
import { CONNECTION_HELP, connectionOf, connectionOptions } from "./_connection.ts";

const HELP = `Estimates the production of a normal year from the production of some months.

deno task long-term --turbine T1 --production SITE.json [--to DIR]

  --turbine ID        the turbine, as the service names it (default: the first of the site file)
  --production FILE   site file that names production files, as for deno task import
  --without MONTHS    months to leave out, such as 2024-03,2024-08
  --to DIR            folder of the table and the chart (default: out)
${CONNECTION_HELP}

Months with less than 98 % of their hours are left out and named; so are those of --without, in which the turbine stood
still (deno task import names them). The 1200 method takes the sum of production over the sum of month indices,
regression a line through the months; whole years alone show how far one year can be off.`;

const options = {
  ...connectionOptions,
  turbine: { type: "string" },
  production: { type: "string" },
  without: { type: "string" },
  to: { type: "string" },
} as const;

/** Share of its hours that a month needs. */
const MIN_COMPLETENESS = 0.98;

/** Months from which a line through them says something. */
const MIN_MONTHS = 6;

/** Month indices of a normal year: twelve times 100 %. */
const NORMAL_YEAR = 1200;

interface Month {
  month: string;
  produced: number;
  month_index: number;
}

/** Energy of a normal year by the sums of production and indices. */
function byRatio(months: readonly Month[]): number {
  const sum = (name: "produced" | "month_index") =>
    months.reduce((total, month) => total + month[name], 0);
  return NORMAL_YEAR * sum("produced") / sum("month_index");
}

/** Energy of a normal year by a line through the months, read at 100 %. */
function byRegression(months: readonly Month[]): number {
  const mean = (name: "produced" | "month_index") =>
    months.reduce((total, month) => total + month[name], 0) / months.length;
  const [x, y] = [mean("month_index"), mean("produced")];
  const covariance = months.reduce((sum, m) => sum + (m.month_index - x) * (m.produced - y), 0);
  const variance = months.reduce((sum, m) => sum + (m.month_index - x) ** 2, 0);
  return 12 * (y + (100 - x) * covariance / variance);
}

/** Production and index of each month of a turbine, with the share of hours that are known. */
async function monthsOf(
  production: DataFrame,
  turbineId: string,
  connection: Connection,
): Promise<{ indices: DataFrame; months: DataFrame }> {
  const indices = await monthlyIndices(turbineId, { connection });
  const predicted = production.columns.includes("power")
    ? await modelData(turbineId, { connection })
    : indices;
  const months = actualAgainstPredicted(production, predicted)
    .join(indices.select("month", "month_index"), { on: "month" })
    .filter(pl.col("produced").isNotNull().and(pl.col("month_index").isNotNull()));
  return { indices, months };
}

await command(HELP, options, 0, async (given) => {
  await using connection = connectionOf(given);
  const file = given.text("production");
  if (!file && !given.flag("sample")) throw new Error("Cannot begin: give --production SITE.json");
  const sites = await readSiteProduction(file ? callerPath(file) : await exampleFile("site.json"));
  // The example site declares T1 under a name of its own.
  const turbineId = given.text("turbine") ?? (file ? sites[0].turbineId : "T1");
  const site = file ? sites.find((one) => one.turbineId === turbineId) : sites[0];
  if (!site) {
    const known = sites.map((one) => one.turbineId).join(", ");
    throw new Error(`Cannot find production of ${turbineId}: the site file has ${known}`);
  }

  const { indices, months } = await monthsOf(site.frame, turbineId, connection);
  const without = (given.text("without") ?? "").split(",").map((month) => `${month.trim()}-01`);
  const whole = months.filter(
    pl.col("completeness").gtEq(MIN_COMPLETENESS)
      .and(pl.col("month").cast(pl.Utf8).isIn(without).not()),
  );
  const records = whole.withColumns(pl.col("month").cast(pl.Utf8))
    .toRecords() as unknown as Month[];
  const gaps = months.filter(pl.col("completeness").lt(MIN_COMPLETENESS)).getColumn("month");
  if (records.length < MIN_MONTHS) {
    throw new Error(
      `Cannot estimate ${turbineId}: ${records.length} months are whole, ${MIN_MONTHS} are needed. ` +
        `${gaps.length} have less than ${100 * MIN_COMPLETENESS} % of their hours`,
    );
  }

  const years = Object.entries(Object.groupBy(records, ({ month }) => month.slice(0, 4)))
    .flatMap(([year, own]) => own?.length === 12 ? [[year, own] as const] : []);
  const rows = [
    ...years.map(([year, own]) => [`${year} alone`, own] as const),
    ["all months", records] as const,
  ].map(([basis, own]) => ({
    basis,
    months: own.length,
    mean_index: own.reduce((sum, { month_index }) => sum + month_index, 0) / own.length,
    by_ratio: byRatio(own),
    by_regression: byRegression(own),
  }));
  const result = withProvenance(pl.DataFrame(rows), indices);
  console.log(table(result, { title: `${turbineId}: production of a normal year, MWh` }).text());
  if (gaps.length > 0) {
    const names = (gaps.cast(pl.Utf8).toArray() as string[]).map((month) => month.slice(0, 7));
    console.log(`Left out for missing hours: ${names.join(", ")}`);
  }

  const folder = callerPath(given.text("to") ?? "out");
  await Deno.mkdir(folder, { recursive: true });
  const stem = `${folder}/long_term_${turbineId.replaceAll(/[^\w.-]/g, "_")}`;
  await Deno.writeFile(`${stem}.csv`, result.writeCSV() as unknown as Uint8Array);
  await plotCorrelation(whole.select("month", "month_index"), whole.select("month", "produced"), {
    xColumn: "month_index",
    yColumn: "produced",
    by: "month",
    source: indices,
    title: `${turbineId}: production against the month index`,
  }).save(`${stem}.svg`);
  console.log(`${stem}.csv and .svg`);
});
