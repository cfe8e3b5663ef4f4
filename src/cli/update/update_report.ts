import { connect } from "../../../mod.ts";
import { exists, nameFailure } from "../../disk/files.ts";
import type { SiteStore, StoredTurbine } from "../../storage/mod.ts";
import { formatMonthLabel } from "../../time/zones.ts";
import { readStoredProductions } from "../stored_production.ts";
import { writeReport } from "../write_report.ts";
import type { Reported } from "./reported.ts";

/** Where a report is written, and what it is made of. */
export interface ReportPlace {
  /** Folder in which each report gets its own. */
  readonly to: string;
  readonly data: string;
}

/**
 * Writes the report of the last month that any turbine has, as `report` does, unless it is there with the same figures.
 *
 * @param failures What was thrown, by the site that could not be imported: its production is not compared
 * @param reports What the report in a folder was made of
 * @param options Store of the data, and signal
 * @returns The reports as they are now
 */
export async function updateReport(
  { to, data }: ReportPlace,
  turbines: readonly StoredTurbine[],
  failures: ReadonlyMap<string, unknown>,
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
  const figures = JSON.stringify([
    [...failures.keys()],
    turbines.map(({ edition }, i) => [ids[i], edition]),
  ]);
  const index = `${folder}/index.html`; // which is written last
  const isThere = await exists(index)
    .catch((cause) => Promise.reject(nameFailure(`write ${index}`, cause)));
  if (isThere && reports[folder] === figures) return reports;
  await using connection = connect({ data });
  const production = await readStoredProductions(sites, turbines, failures);
  await writeReport(ids, () => folder, { month, production, connection, signal });
  return { ...reports, [folder]: figures };
}
