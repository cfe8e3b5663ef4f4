import type { ImportedSites } from "./import_sites.ts";
import { connect } from "../../../mod.ts";
import { z } from "zod";
import { ConfigurationError } from "../../api/errors.ts";
import { readStoredProductions } from "../answers/stored_production.ts";
import { writeReport } from "../answers/report.ts";
import { exists, nameFailure } from "../../disk/files.ts";
import { writeAtomically } from "../../disk/side_file.ts";
import type { Sites, StoredTurbine } from "../../sites/mod.ts";
import { formatMonthLabel } from "../../time/zones.ts";

const FILE = "update.json";

const reportedTurbineSchema = z.object({
  site: z.string(),
  edition: z.number(),
  doubts: z.array(z.string()),
});

/** A turbine as it was reported: site, edition of its figures, causes of the findings that need a person. */
export type ReportedTurbine = z.infer<typeof reportedTurbineSchema>;

/** Schema of values by names that users chose, which no object keeps apart from its own. */
const byName = <V extends z.ZodType>(value: V) =>
  z.preprocess(
    (given) => typeof given === "object" && given !== null ? new Map(Object.entries(given)) : given,
    z.map(z.string(), value).readonly(),
  );

const reportedSchema = z.object({
  /** When the first failed update since the last success began, ISO 8601 UTC; `null` after a success. */
  failingSince: z.iso.datetime().nullable(),
  turbines: byName(reportedTurbineSchema),
  /** What the sources of a site's climate said, by site: texts without figures. */
  notes: byName(z.array(z.string())),
  /** What the report in a folder was made of. */
  reports: byName(z.string()),
});

/** What updates have reported. */
export type Reported = z.infer<typeof reportedSchema>;

/** Describes turbines in the form in which an update notes what it has reported. */
export function describeTurbines(turbines: readonly StoredTurbine[]): Reported["turbines"] {
  return new Map(
    turbines.map((stored) => [stored.turbine.id, {
      site: stored.site,
      edition: stored.edition,
      doubts: stored.doubts.map(({ cause }) => cause),
    }]),
  );
}

/**
 * Reads what was reported. It is written after everything else, so that what a killed update did not report is reported
 * by the next one.
 *
 * @returns `undefined` before the first update
 * @throws {ConfigurationError} If the file is not what an update writes
 * @throws {Error} If it cannot be read
 */
export async function readReported(folder: string): Promise<Reported | undefined> {
  const path = `${folder}/${FILE}`;
  try {
    return reportedSchema.parse(JSON.parse(await Deno.readTextFile(path)));
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound) return undefined;
    // Only such a file may be removed: with one that cannot be read now, news would be lost.
    if (!(cause instanceof SyntaxError || cause instanceof z.ZodError)) {
      throw nameFailure(`read ${path}`, cause);
    }
    throw new ConfigurationError(
      `Cannot read ${path}: no update has written this file. Remove it; the next update then reports changes from that moment on`,
      { cause },
    );
  }
}

/** Writes what was reported. */
export async function writeReported(folder: string, reported: Reported): Promise<void> {
  const path = `${folder}/${FILE}`;
  try {
    const text = JSON.stringify(
      reported,
      (_, value) => value instanceof Map ? Object.fromEntries(value) : value,
    );
    const bytes = new TextEncoder().encode(text);
    await writeAtomically(path, bytes, { mode: 0o600, sync: true });
  } catch (cause) {
    throw nameFailure(`write ${path}`, cause);
  }
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
 * @param imported What was thrown, by the site that could not be imported: its production is not compared; and by the
 * site that was imported in part
 * @param reports What the report in a folder was made of
 * @param options Store of the data, and signal
 * @returns The reports as they are now
 */
export async function updateReport(
  { to, data }: ReportPlace,
  turbines: readonly StoredTurbine[],
  { failures, partial }: Pick<ImportedSites, "failures" | "partial">,
  reports: Reported["reports"],
  { sites, signal }: { sites: Sites; signal: AbortSignal },
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
    ...partial.size === 0 ? [] : [[...partial.values()].map(({ message }) => message)],
    turbines.map(({ edition }, i) => [ids[i], edition]),
  ]);
  const index = `${folder}/index.html`; // which is written last
  const isThere = await exists(index)
    .catch((cause) => Promise.reject(nameFailure(`write ${index}`, cause)));
  if (isThere && reports.get(folder) === figures) return reports;
  await using connection = connect({ data });
  const production = await readStoredProductions(sites, turbines, failures);
  await writeReport(ids, () => folder, { month, production, connection, signal });
  return new Map([...reports, [folder, figures]]);
}
