import { ArgumentError, ConfigurationError } from "../../api/errors.ts";
import {
  describePartial,
  hasClimateSource,
  type ImportAccount,
  importSite,
  type ImportSiteOptions,
  readSiteFile,
} from "../../sites/mod.ts";
import { formatCall } from "../storage.ts";

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
      `Cannot update the site "${site}": it was imported by a program, so its site file ` +
        `is not known. Import that once: ${importIt}`,
    );
  }
  const declared = await readSiteFile(path);
  if (declared.site !== site) {
    throw new ConfigurationError(
      `Cannot update the site "${site}": its site file ${path} is that of "${declared.site}" by now. Write ` +
        `"site": "${site}" into it, or import a file that has this: ${importIt}`,
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
