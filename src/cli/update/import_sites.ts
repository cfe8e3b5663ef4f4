import { ArgumentError, ConfigurationError } from "../../api/errors.ts";
import { joinNames } from "../../show/text/numbers.ts";
import {
  describePartial,
  groupLines,
  hasClimateSource,
  type ImportAccount,
  importSite,
  type ImportSiteOptions,
  readSiteFile,
  type Sites,
  type StoredTurbine,
} from "../../sites/mod.ts";
import { startOfMonth } from "../../time/zones.ts";
import { formatCall } from "../command/storage.ts";

/** Outcome of the imports. */
export interface ImportedSites {
  /** Notes from the sources of the climate, by imported site. */
  readonly notes: ReadonlyMap<string, readonly string[]>;
  /** Errors by site that failed. */
  readonly failures: ReadonlyMap<string, unknown>;
  /** Errors of single turbines, by site imported without them. */
  readonly partial: ReadonlyMap<string, ArgumentError>;
  /** Imported sites with fetched climate. */
  readonly sourced: ReadonlySet<string>;
}

/** Imports a site again. */
async function importAgain(
  site: string,
  path: string | undefined,
  options: ImportSiteOptions,
): Promise<{ account: ImportAccount; isSourced: boolean }> {
  const importIt = formatCall("import SITE.json", options.data);
  if (path === undefined) {
    throw new ConfigurationError(
      `Cannot update the site "${site}": a program imported it, so its site file is unknown. ` +
        `Import the site file once: ${importIt}`,
    );
  }
  const declared = await readSiteFile(path);
  if (declared.site !== site) {
    throw new ConfigurationError(
      `Cannot update the site "${site}": its site file ${path} now declares the site "${declared.site}". Change its "site" to "${site}", or import another file that declares "${site}": ${importIt}`,
    );
  }
  const account = await importSite(declared, options);
  return { account, isSourced: hasClimateSource(declared) };
}

/**
 * Imports each site again; a failure does not stop the other sites, nor the other turbines of a site.
 *
 * @param sites Sites by name, with the paths of their site files
 */
export async function importSites(
  sites: ReadonlyMap<string, string | undefined>,
  options: ImportSiteOptions,
): Promise<ImportedSites> {
  const [notes, failures] = [new Map<string, readonly string[]>(), new Map<string, unknown>()];
  const partial = new Map<string, ArgumentError>();
  const sourced = new Set<string>();
  for (const [site, path] of sites) {
    try {
      const { account, isSourced } = await importAgain(site, path, options);
      if (isSourced) sourced.add(site);
      notes.set(site, account.notes);
      if (account.failures.length > 0) {
        partial.set(site, new ArgumentError(describePartial(account)));
      }
    } catch (error) {
      options.signal?.throwIfAborted();
      failures.set(site, error);
    }
  }
  return { notes, failures, partial, sourced };
}

/** A turbine with production of whole months after the end of its climate. */
export interface WaitingTurbine {
  readonly id: string;
  /** Whether a person must add climate to the files of its site. */
  readonly needsFiles: boolean;
  /** The waiting months and their reason, in sentences. */
  readonly text: string;
}

/** Most months that are named; of more, the first ones and the number of others. */
const MAX_NAMED = 3;

/** Lists the months that production covers to the end, and climate does not. */
function listMonths({ production, turbine: { timeZone } }: StoredTurbine, end: number): string[] {
  if (!production) return [];
  const next = Temporal.PlainDate.from(production.to).add({ days: 1 }).toPlainYearMonth();
  const months: string[] = [];
  for (let after = next; startOfMonth(after, timeZone) > end;) {
    after = after.subtract({ months: 1 });
    months.unshift(after.toString());
  }
  return months;
}

/**
 * Finds the turbines of imported sites whose production waits for climate.
 *
 * @param turbines All stored turbines
 */
export async function findWaiting(
  sites: Sites,
  turbines: readonly StoredTurbine[],
  { notes, sourced }: Pick<ImportedSites, "notes" | "sourced">,
): Promise<WaitingTurbine[]> {
  const waiting: WaitingTurbine[] = [];
  for (const [site, siteTurbines] of Map.groupBy(turbines, ({ site }) => site)) {
    if (!notes.has(site)) continue;
    const end = await sites.climateEnd(site);
    const until = new Date(end - 1).toISOString().slice(0, 10);
    const needsFiles = !sourced.has(site);
    const remedy = needsFiles
      ? "Add later climate data to its files, then update again"
      : "Each update requests more from its source";
    for (const turbine of siteTurbines) {
      const months = listMonths(turbine, end);
      if (months.length === 0) continue;
      const text = `the climate data end on ${until} and do not cover all of ${
        joinNames(months, MAX_NAMED)
      }. ${remedy}`;
      waiting.push({ id: turbine.turbine.id, needsFiles, text });
    }
  }
  return waiting;
}

/** Formats waiting months, a line for all turbines with the same reason. */
export function formatWaiting(waiting: readonly WaitingTurbine[]): string[] {
  if (waiting.length === 0) return [];
  const lines = groupLines(waiting.map(({ id, text }) => [id, text] as const));
  return ["Months with production but without an index:", ...lines.map((line) => `  ${line}`)];
}
