import {
  estimateLongTerm,
  exampleFile,
  modelData,
  monthlyIndices,
  plotCorrelation,
  plotLongTerm,
  plotUncertainty,
  saveFrame,
  table,
  turbineDetails,
  withProvenance,
} from "../../mod.ts";
import {
  type Exclusion,
  readSiteFile,
  readSiteProduction,
  type SiteProduction,
} from "../sites/mod.ts";
import { monthNumberOf, monthOfNumber } from "../time/zones.ts";
import pl, { type DataFrame } from "nodejs-polars";
import { callerPath, readFormed, writeFiles } from "./arguments.ts";
import { type Arguments, type Command, MisuseError } from "./command.ts";
import { PROGRAM } from "./project.ts";
import { connectionOptions, openConnection } from "./connection.ts";
import { wrap } from "./run_command.ts";

/** Width of what is printed: that of a terminal nobody has made wider. */
const WIDTH = 80;

/** Columns of the printed table; the file has all. */
const PRINTED = ["basis", "method", "p50", "low", "high", "months"];

/** Months of a year that must count for the year to be tried alone. */
const MIN_MONTHS_OF_YEAR = 10;

/** The production that the arguments name, and the turbine with whose index it is compared. */
async function readRecord({ text, flag }: Arguments): Promise<[string, SiteProduction]> {
  const file = text("production");
  const turbineId = text("turbine");
  if (file) {
    const sites = await readSiteProduction(await readSiteFile(callerPath(file)));
    const site = turbineId ? sites.find((one) => one.turbineId === turbineId) : sites[0];
    if (site) return [site.turbineId, site];
    const known = sites.map((one) => one.turbineId).join(", ") || "none";
    throw new Error(
      `Cannot find production${turbineId ? ` of ${turbineId}` : ""}: the site file has ${known}`,
    );
  }
  if (!flag("sample")) {
    throw new MisuseError(
      "Cannot estimate: the production is missing. Give --production SITE.json",
    );
  }
  if (turbineId && turbineId !== "T1") {
    throw new Error(
      "Cannot estimate: the sample has production of T1 only. Give --production SITE.json",
    );
  }
  const [example] = await readSiteProduction(await readSiteFile(await exampleFile("site.json")));
  return ["T1", example]; // the example site declares T1 under a name of its own
}

function listExcludedMonths(exclusions: readonly Exclusion[]): string[] {
  return exclusions.flatMap(({ from, to }) => {
    const [first, last] = [from, to].map((day) =>
      monthNumberOf(Temporal.PlainYearMonth.from(day.slice(0, 7)))
    );
    return Array.from({ length: last - first + 1 }, (_, i) => `${monthOfNumber(first + i)}`);
  });
}

/** Calendar years of the record by the number of their rows that count. */
function countKeptByYear(
  { frames: { periods } }: ReturnType<typeof estimateLongTerm>,
): Map<string, number> {
  const [time] = periods.columns;
  const names = periods.getColumn(time).cast(pl.Utf8).toArray() as string[];
  const kept = periods.getColumn("kept").toArray();
  const years = new Map<string, number>();
  names.forEach((name, i) => {
    const year = name.slice(0, 4);
    years.set(year, (years.get(year) ?? 0) + (kept[i] ? 1 : 0));
  });
  return years;
}

/** Adds a first column that names the months behind the estimates. */
function addBasis(estimates: DataFrame, name: string): DataFrame {
  return estimates.select(
    pl.lit(name).alias("basis"),
    ...estimates.columns.map((column) => pl.col(column)),
  );
}

/** Production of a normal year from a short record. What it takes from `../../mod.ts` is what a script of your own needs. */
export const longTerm: Command = {
  forms: ["[OPTIONS]"],
  options: {
    turbine: {
      value: "ID",
      about: "the turbine, as the service names it (default: the first of the site file)",
    },
    production: {
      value: "SITE.json",
      about: `site file that names production files, as for ${PROGRAM} import`,
    },
    without: {
      value: "MONTHS",
      about: "months to leave out, such as 2024-03,2024-08, or years",
    },
    variability: {
      value: "PERCENT",
      about: "how much years differ (default: as the index says, from five whole years on)",
    },
    to: { value: "DIR", about: "folder of the tables and the charts (default: out)" },
    ...connectionOptions,
  },
  example: "--sample --turbine T1",
  notes: [
    "A month is left out, and named, with less than 98 % of its hours, with three days and more without power, with " +
    "production far below its index, where the site file excludes a day of it, and by --without.",
    "Three methods are compared, each with its 90 % interval: the 1200 method takes the sum of production over the " +
    "sum of month indices, regression a line through the months, time-step calibration a factor on the wind speed of " +
    "the model. P75 and P90 are what one year, or the mean of ten or twenty, exceeds with 75 and 90 %. Single years of " +
    "ten months and more show how far one year can be off.",
  ],
  rest: 0,
  resume: "Files that are written are complete: the same command writes all of them again.",
  async run(given) {
    const requested = given.text("without")?.split(",").map((month) => month.trim()) ?? [];
    const wrong = requested.find((month) => !/^\d{4}(-(0[1-9]|1[0-2]))?$/.test(month));
    if (wrong !== undefined) {
      throw new MisuseError(
        `Cannot read "${wrong}" in --without: give months as 2024-03, or years as 2024`,
      );
    }
    const number = /^\s*\d+(\.\d+)?\s*$/;
    const variability = readFormed(given.text, "variability", number, "a number such as 6");
    await using connection = await openConnection(given);
    const [turbineId, { frame: production, exclusions }] = await readRecord(given);
    const call = { connection, signal: given.signal };
    const indices = await monthlyIndices(turbineId, call);
    const details = await turbineDetails(turbineId, call);
    const model = await modelData(turbineId, call);
    const excluded = listExcludedMonths(exclusions);
    const without = [...new Set([...requested, ...excluded])];
    const common = {
      details,
      ...(variability === undefined ? {} : { interAnnualVariability: Number(variability) }),
    };

    const all = estimateLongTerm(production, indices, { ...common, model, leaveOut: without });
    const annual = all.frames.periods.columns.includes("year");
    const years = countKeptByYear(all);
    const alone = [...years].filter(([, kept]) => kept >= (annual ? 1 : MIN_MONTHS_OF_YEAR))
      .map(([year]) => {
        const leaveOut = [...without, ...[...years.keys()].filter((other) => other !== year)];
        const { frames } = estimateLongTerm(production, indices, { ...common, leaveOut });
        return addBasis(frames.estimates, `${year} alone`);
      });
    const estimates = withProvenance(
      pl.concat([...alone, addBasis(all.frames.estimates, "all months")]),
      all.frames.estimates,
    );
    const title = `${turbineId}: production of a normal year`;
    const { periods, exceedance, uncertainty } = all.frames;
    const printed = table(estimates.select(...PRINTED), { title }).text(WIDTH).split("\n");
    for (const line of [...printed, ...all.summary, ...all.notes]) {
      console.log(line.length > WIDTH ? wrap(line, WIDTH - 2).join("\n  ") : line);
    }
    if (excluded.length > 0) console.log(`Excluded by the site file: ${excluded.join(", ")}`);

    const stem = `long_term_${turbineId.replaceAll(/[^\w.-]/g, "_")}`;
    const asTable = { overwrite: true, safe: true };
    const kept = periods.filter(pl.col("kept"));
    const drawMonths = (path: string) =>
      plotCorrelation(kept.select("month", "month_index"), kept.select("month", "produced"), {
        xColumn: "month_index",
        yColumn: "produced",
        by: "month",
        title: `${turbineId}: production against the month index`,
      }).save(path);
    const written = await writeFiles(given, {
      [`${stem}.csv`]: (path) => saveFrame(estimates, path, asTable),
      [`${stem}_months.csv`]: (path) => saveFrame(periods, path, asTable),
      [`${stem}_exceedance.csv`]: (path) => saveFrame(exceedance, path, asTable),
      [`${stem}_uncertainty.csv`]: (path) => saveFrame(uncertainty, path, asTable),
      [`${stem}_uncertainty.svg`]: (path) => plotUncertainty(all).save(path),
      [`${stem}.svg`]: (path) => plotLongTerm(all.frames.estimates, { title }).save(path),
      ...annual ? {} : { [`${stem}_months.svg`]: drawMonths },
    });
    console.log(written.join("\n"));
  },
};
