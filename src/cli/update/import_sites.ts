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
  /** What the sources of the climate say, by the site that was imported. */
  readonly notes: ReadonlyMap<string, readonly string[]>;
  /** What was thrown, by the site that was not. */
  readonly failures: ReadonlyMap<string, unknown>;
  /** What some turbines failed with, by the site that was imported without them. */
  readonly partial: ReadonlyMap<string, ArgumentError>;
  /** Imported sites whose climate is fetched. */
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
      `Cannot update the site "${site}": its site file ${path} now declares the site "${declared.site}". ` +
        `Write "site": "${site}" into it, or import a file with that name: ${importIt}`,
    );
  }
  const account = await importSite(declared, options);
  return { account, isSourced: hasClimateSource(declared) };
}

/**
 * Imports each site again; one that fails keeps no other from being imported, as does a turbine in its site.
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
  /** Whether a person has to add climate to the files of its site. */
  readonly needsFiles: boolean;
  /** Which months wait, and for what, in sentences. */
  readonly text: string;
}

/** Months that are named; of more the first ones and how many more. */
const MAX_NAMED = 3;

/** Lists the months that production covers to their end, and climate does not. */
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
 * @param turbines All turbines that are stored
 */
export async function findWaiting(
  sites: Sites,
  turbines: readonly StoredTurbine[],
  { notes, sourced }: Pick<ImportedSites, "notes" | "sourced">,
): Promise<WaitingTurbine[]> {
  const found: WaitingTurbine[] = [];
  for (const [site, own] of Map.groupBy(turbines, ({ site }) => site)) {
    if (!notes.has(site)) continue;
    const end = await sites.climateEnd(site);
    const until = new Date(end - 1).toISOString().slice(0, 10);
    const needsFiles = !sourced.has(site);
    const remedy = needsFiles
      ? "Add later climate data to its files, then update again"
      : "Each update requests more from its source";
    for (const turbine of own) {
      const months = listMonths(turbine, end);
      if (months.length === 0) continue;
      const text =
        `${joinNames(months, MAX_NAMED)} ${months.length === 1 ? "waits" : "wait"} for ` +
        `climate data, which end on ${until}. ${remedy}`;
      found.push({ id: turbine.turbine.id, needsFiles, text });
    }
  }
  return found;
}

/** Formats what waits, a line for all turbines that wait for the same. */
export function formatWaiting(waiting: readonly WaitingTurbine[]): string[] {
  if (waiting.length === 0) return [];
  const lines = groupLines(waiting.map(({ id, text }) => [id, text] as const));
  return ["Months with production but without an index:", ...lines.map((line) => `  ${line}`)];
}
