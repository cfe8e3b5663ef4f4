import type { DataFrame } from "nodejs-polars";
import { connect } from "../../../mod.ts";
import { exists } from "../../disk/exists.ts";
import { readSiteFile, readSiteProduction } from "../../service/mod.ts";
import type { StoredTurbine } from "../../service/store/site_record.ts";
import type { SiteStore } from "../../service/store/store.ts";
import { formatMonthLabel } from "../../time/zones.ts";
import { writeReport } from "../write_report.ts";
import { nameFailure } from "../../disk/name_failure.ts";
import type { Reported } from "./reported.ts";

/** Production by turbine of the sites of some site files. */
async function readProductions(
  siteFiles: readonly string[],
): Promise<ReadonlyMap<string, DataFrame>> {
  const productions = new Map<string, DataFrame>();
  for (const path of siteFiles) {
    const site = await readSiteProduction(await readSiteFile(path));
    for (const { turbineId, frame } of site) productions.set(turbineId, frame);
  }
  return productions;
}

/** Where a report is written, and what it is made of. */
export interface ReportPlace {
  /** Folder in which each report gets its own. */
  readonly to: string;
  readonly data: string;
}

/**
 * Writes the report of the last month that any turbine has, as `report` does, unless it is there with the same figures.
 *
 * @param siteFiles Site files whose production is compared
 * @param reports What the report in a folder was made of
 * @param options Store of the data, and signal
 * @returns The reports as they are now
 */
export async function updateReport(
  { to, data }: ReportPlace,
  turbines: readonly StoredTurbine[],
  siteFiles: readonly string[],
  reports: Reported["reports"],
  { sites, signal }: { sites: SiteStore; signal: AbortSignal },
): Promise<Reported["reports"]> {
  const ids = turbines.map(({ turbine: { id } }) => id);
  const [month] = (await sites.lastMonths(ids)).map(formatMonthLabel).sort().reverse();
  if (month === undefined) {
    console.log("No report yet: no turbine has an index");
    return reports;
  }
  const folder = `${to}/report_${month}`;
  const figures = JSON.stringify([siteFiles, turbines.map(({ edition }, i) => [ids[i], edition])]);
  const index = `${folder}/index.html`; // which is written last
  const isThere = await exists(index)
    .catch((cause) => Promise.reject(nameFailure(`write ${index}`, cause)));
  if (isThere && reports[folder] === figures) return reports;
  await using connection = connect({ data });
  const production = await readProductions(siteFiles);
  await writeReport(ids, () => folder, { month, production, connection, signal });
  return { ...reports, [folder]: figures };
}
