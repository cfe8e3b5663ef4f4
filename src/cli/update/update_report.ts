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

/** A turbine as reported: site, edition of its figures, causes of the findings that need a person. */
export type ReportedTurbine = z.infer<typeof reportedTurbineSchema>;

/** Schema of values by user-chosen names, in a map because they may equal members of an object. */
const byName = <V extends z.ZodType>(value: V) =>
  z.preprocess(
    (given) => typeof given === "object" && given !== null ? new Map(Object.entries(given)) : given,
    z.map(z.string(), value).readonly(),
  );

const reportedSchema = z.object({
  /** Start of the first failed update since the last success, ISO 8601 UTC; `null` after a success. */
  failingSince: z.iso.datetime().nullable(),
  turbines: byName(reportedTurbineSchema),
  /** Notes from the sources of a site's climate, by site: texts without figures. */
  notes: byName(z.array(z.string())),
  /** Inputs of each report as JSON, by folder. */
  reports: byName(z.string()),
});

/** State of what updates have reported. */
export type Reported = z.infer<typeof reportedSchema>;

/** Describes turbines as an update records them. */
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
 * Reads the reported state. It is written last, so the next update reports everything that a killed one did not.
 *
 * @returns `undefined` before the first update
 * @throws {ConfigurationError} If the content is not an update's
 * @throws {Error} If the file cannot be read
 */
export async function readReported(folder: string): Promise<Reported | undefined> {
  const path = `${folder}/${FILE}`;
  try {
    return reportedSchema.parse(JSON.parse(await Deno.readTextFile(path)));
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound) return undefined;
    // Only a damaged file may be removed: removing one that is temporarily unreadable would lose news.
    if (!(cause instanceof SyntaxError || cause instanceof z.ZodError)) {
      throw nameFailure(`read ${path}`, cause);
    }
    throw new ConfigurationError(
      `Cannot read ${path}: its content is damaged, or not from an update. Remove this file, and the next update reports changes from then on`,
      { cause },
    );
  }
}

/** Writes the reported state. */
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

/** Folder and inputs of a report. */
export interface ReportPlace {
  /** Folder in which each report gets a subfolder. */
  readonly to: string;
  readonly data: string;
}

/**
 * Writes the report of the last month of any turbine, as `report` does, unless it already exists with the same figures.
 *
 * @param imported Errors by site: production of failed sites is not compared; and by site imported in part
 * @param reports Inputs of each report as JSON, by folder
 * @param options Store of the data, and signal
 * @returns The new state of the reports
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
  const index = `${folder}/index.html`; // written last
  const isThere = await exists(index)
    .catch((cause) => Promise.reject(nameFailure(`write ${index}`, cause)));
  if (isThere && reports.get(folder) === figures) return reports;
  await using connection = connect({ data });
  const production = await readStoredProductions(sites, turbines, failures);
  await writeReport(ids, () => folder, { month, production, connection, signal });
  return new Map([...reports, [folder, figures]]);
}
