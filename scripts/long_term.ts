/** Production of a normal year from a short record: `deno task long-term`. Copy it, and change what you need. */
import { monthlyIndices, plotCorrelation, table, withProvenance } from "@vindkit/vindkit";
import pl, { type DataFrame, type DataType } from "nodejs-polars";
import { callerPath, command } from "./_command.ts";
import { CONNECTION_HELP, connectionOf, connectionOptions } from "./_connection.ts";
import { spreadsheetCsv, writeWhole } from "./_files.ts";
import { monthOf } from "./_months.ts";
import { type Counted, type Month, monthsOf, recordOf } from "./_record.ts";

const HELP = `Estimates the production of a normal year from the production of some months.

deno task long-term --turbine T1 --production SITE.json [--to DIR]

  --turbine ID        the turbine, as the service names it (default: the first of the site file)
  --production FILE   site file that names production files, as for deno task import
  --without MONTHS    months to leave out, such as 2024-03,2024-08
  --to DIR            folder of the tables and the chart (default: out)
${CONNECTION_HELP}

A month is left out, and named, with less than 98 % of its hours, with standstill (three days and more without power on
end, told by hourly production alone), where the site file excludes a day of it, and by --without. Monthly production
hides standstill: months far below their wind are named, and count until you leave them out. The 1200 method takes the
sum of production over the sum of month indices, regression a line through the months; single years of ten months and
more show how far one year can be off.`;

const options = {
  ...connectionOptions,
  turbine: { type: "string" },
  production: { type: "string" },
  without: { type: "string" },
  to: { type: "string" },
} as const;

/** Production per index, as a share of the median, below which a month deserves a question. */
const FAR_BELOW = 0.7;

/** Months from which a line through them says something. */
const MIN_MONTHS = 6;

/** Months of a year that must count for the year to be tried alone. */
const MIN_MONTHS_OF_YEAR = 10;

/** Month indices of a normal year, summed up. */
const NORMAL_YEAR = 1200;

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

/** Energy of a normal year by the sums of production and indices. */
function byRatio(months: readonly Counted[]): number {
  return NORMAL_YEAR * mean(months.map((m) => m.produced)) / mean(months.map((m) => m.month_index));
}

/** Energy of a normal year by a line through the months, read at the mean index of a normal year. */
function byRegression(months: readonly Counted[]): number {
  const x = mean(months.map((m) => m.month_index));
  const y = mean(months.map((m) => m.produced));
  const covariance = mean(months.map((m) => (m.month_index - x) * (m.produced - y)));
  const variance = mean(months.map((m) => (m.month_index - x) ** 2));
  return 12 * (y + (NORMAL_YEAR / 12 - x) * covariance / variance);
}

/** Months that were named, held against those that there are. */
function assertKnown(without: readonly string[], months: readonly Month[]): void {
  const unknown = without.filter((name) => !months.some(({ month }) => month === name));
  if (unknown.length === 0) return;
  throw new Error(
    `Cannot leave out ${unknown.join(", ")}: the record has ${months[0].month} to ${
      months[months.length - 1].month
    }`,
  );
}

/** What a reader must know of the months beside the figures. */
function notesOf(months: readonly Month[], counted: readonly Counted[]): string[] {
  const left = months.flatMap(({ month, left_out }) => left_out ? [`${month} (${left_out})`] : []);
  const shares = counted.map(({ produced, month_index }) => produced / month_index);
  const usual = pl.Series("share", shares).median();
  const low = counted.flatMap(({ month }, i) =>
    shares[i] < FAR_BELOW * usual
      ? [`${month} (${(100 * shares[i] / usual).toFixed(0)} % of the usual)`]
      : []
  );
  return [
    ...(left.length > 0 ? [`Left out: ${left.join(", ")}`] : []),
    ...(low.length > 0
      ? [
        `Far below their wind, but counted: ${low.join(", ")}. ` +
        "Ask the log of the turbine; where it stood still, leave them out with --without",
      ]
      : []),
  ];
}

/** Normal years from single years and from all months, MWh. */
function estimatesOf(counted: readonly Counted[]): DataFrame {
  const years = Object.entries(Object.groupBy(counted, ({ month }) => month.slice(0, 4)))
    .flatMap(([year, own = []]) =>
      own.length >= MIN_MONTHS_OF_YEAR ? [[`${year} alone`, own] as const] : []
    );
  const rows = [...years, ["all months", counted] as const].map(([basis, own]) => ({
    basis,
    months: own.length,
    mean_index: mean(own.map(({ month_index }) => month_index)),
    by_ratio: byRatio(own),
    by_regression: byRegression(own),
  }));
  return pl.DataFrame(rows).withColumns(pl.col("months").cast(pl.Int32));
}

/** The months as a frame. Types are given: of columns that begin with many nulls they cannot be told. */
function frameOf(months: readonly Month[]): DataFrame {
  const column = (name: keyof Month, dtype: DataType) =>
    pl.Series(name, months.map((month) => month[name]), dtype);
  return pl.DataFrame([
    column("month", pl.Utf8),
    column("produced", pl.Float64),
    column("month_index", pl.Float64),
    column("completeness", pl.Float64),
    column("left_out", pl.Utf8),
  ]);
}

await command(HELP, options, 0, async (given) => {
  const without = (given.text("without")?.split(",") ?? [])
    .map((name) => monthOf(name.trim(), "--without"));
  await using connection = await connectionOf(given);
  const [turbineId, production] = await recordOf(given);
  const indices = await monthlyIndices(turbineId, { connection });
  const months = await monthsOf(production, indices, turbineId, without, connection);
  assertKnown(without, months);
  const counted = months.filter((month): month is Counted => month.left_out === null);
  const notes = notesOf(months, counted);
  if (counted.length < MIN_MONTHS) {
    throw new Error(
      `Cannot estimate ${turbineId}: ${counted.length} months count, ${MIN_MONTHS} are needed. ${
        notes.join("\n")
      }`,
    );
  }
  const estimates = withProvenance(estimatesOf(counted), indices);
  console.log(table(estimates, { title: `${turbineId}: production of a normal year, MWh` }).text());
  for (const note of notes) console.log(note);

  const all = frameOf(months);
  const firstDay = pl.concatString([pl.col("month"), pl.lit("-01")], "");
  const dated = all.filter(pl.col("left_out").isNull())
    .withColumns(firstDay.str.strptime(pl.Date, "%Y-%m-%d").alias("month"));
  const chart = plotCorrelation(
    dated.select("month", "month_index"),
    dated.select("month", "produced"),
    {
      xColumn: "month_index",
      yColumn: "produced",
      by: "month",
      source: indices,
      title: `${turbineId}: production against the month index`,
    },
  );
  const folder = callerPath(given.text("to") ?? "out");
  await Deno.mkdir(folder, { recursive: true });
  const stem = `${folder}/long_term_${turbineId.replaceAll(/[^\w.-]/g, "_")}`;
  await writeWhole(`${stem}.csv`, spreadsheetCsv(estimates));
  await writeWhole(`${stem}_months.csv`, spreadsheetCsv(all));
  await writeWhole(`${stem}.svg`, await chart.svg());
  console.log(`${stem}.csv, ${stem}_months.csv and ${stem}.svg`);
});
