/** What the months of a turbine's record are, and which of them count. */
import {
  actualAgainstPredicted,
  type Connection,
  exampleFile,
  modelData,
  turbineDetails,
} from "@vindkit/vindkit";
import { readSiteProduction, type SiteProduction } from "@vindkit/vindkit/service";
import pl, { type DataFrame } from "nodejs-polars";
import { type Arguments, callerPath } from "./_command.ts";

/** Share of its hours that a month needs; what is missing is scaled. */
const MIN_COMPLETENESS = 0.98;

/** Hours without power that are no calm, and the share of the largest power that is none. */
const STANDSTILL = { hours: 72, power: 0.002 };

/** A month of the record: energy in MWh, index in %, and why it does not count where it does not. */
export interface Month {
  month: string;
  produced: number | null;
  month_index: number | null;
  /** Null where a service serves none: it serves no figures of months that are not complete. */
  completeness: number | null;
  left_out: string | null;
}

/** A month that counts. */
export type Counted = Month & { produced: number; month_index: number };

/** The production that the arguments name, and the turbine whose index it is held against. */
export async function recordOf({ text, flag }: Arguments): Promise<[string, SiteProduction]> {
  const file = text("production");
  const turbineId = text("turbine");
  if (file) {
    const sites = await readSiteProduction(callerPath(file));
    const site = turbineId ? sites.find((one) => one.turbineId === turbineId) : sites[0];
    if (site) return [site.turbineId, site];
    const known = sites.map((one) => one.turbineId).join(", ") || "none";
    throw new Error(
      `Cannot find production${turbineId ? ` of ${turbineId}` : ""}: the site file has ${known}`,
    );
  }
  if (!flag("sample")) throw new Error("Cannot begin: give --production SITE.json");
  if (turbineId && turbineId !== "T1") {
    throw new Error(
      "Cannot begin: the sample has production of T1 only. Give --production SITE.json",
    );
  }
  const [example] = await readSiteProduction(await exampleFile("site.json"));
  return ["T1", example]; // the example site declares T1 under a name of its own
}

/** Hours of standstill by month. The production alone tells it: a month must not go because it disagrees with the model. */
function standstillOf(production: DataFrame, timeZone: string): Map<string, number> {
  const still = STANDSTILL.power * production.getColumn("power").max();
  const hours = production
    .withColumns(
      pl.col("time").dt.convertTimeZone(timeZone).dt.strftime("%Y-%m").alias("month"),
      pl.col("power").gt(still).cumSum().alias("run"), // grows with every hour of power: one number a standstill
    )
    .filter(pl.col("power").ltEq(still))
    .withColumns(pl.col("power").count().over("run").alias("length"))
    .filter(pl.col("length").gtEq(STANDSTILL.hours))
    .groupBy("month")
    .agg(pl.col("power").count().alias("hours"))
    .toRecords() as unknown as { month: string; hours: number }[];
  return new Map(hours.map(({ month, hours }) => [month, hours]));
}

/** All months that record and index share, with what speaks against them. */
export async function monthsOf(
  { frame, exclusions }: SiteProduction,
  indices: DataFrame,
  turbineId: string,
  without: readonly string[],
  connection: Connection,
): Promise<Month[]> {
  const hourly = frame.columns.includes("power");
  const predicted = hourly ? await modelData(turbineId, { connection }) : indices;
  const standstill = hourly
    ? standstillOf(frame, (await turbineDetails(turbineId, { connection })).time_zone)
    : new Map<string, number>();
  // Of hours only those known on both sides are summed, but the index is that of the whole month.
  const produced = hourly ? pl.col("produced").div(pl.col("completeness")) : pl.col("produced");
  const months = actualAgainstPredicted(frame, predicted)
    .join(indices.select("month", "month_index"), { on: "month", how: "left" })
    .select(
      pl.col("month").cast(pl.Utf8).str.slice(0, 7),
      produced.alias("produced"),
      "month_index",
      "completeness",
    )
    .sort("month")
    .toRecords() as unknown as Omit<Month, "left_out">[];

  const against = ({ month, produced, month_index, completeness }: Omit<Month, "left_out">) => {
    if (without.includes(month)) return "--without";
    if (produced === null || completeness === 0) return "no production";
    if (month_index === null) return "no index";
    if (completeness !== null && completeness < MIN_COMPLETENESS) {
      return `${(100 * completeness).toFixed(2)} % of its hours`;
    }
    if (standstill.has(month)) return `${standstill.get(month)} h of standstill`;
    const excluded = exclusions.find(({ from, to }) =>
      from.slice(0, 7) <= month && month <= to.slice(0, 7)
    );
    return excluded ? `excluded: ${excluded.reason}` : null;
  };
  return months.map((month) => ({ ...month, left_out: against(month) }));
}
