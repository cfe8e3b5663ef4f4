import { SYNTHETIC } from "../../api/world.ts";
import { openDataDirectory } from "../data_directory.ts";
import { hasLocalLicence, issueLocalKey } from "../licences/licences.ts";
import { formatImport } from "./format_import.ts";
import { importSite } from "./import_site.ts";
import { readSite } from "./read_site.ts";
import { startProgress } from "../../show/progress/progress.ts";
import type { SiteData } from "./site_data.ts";
import { checkOptions, type OptionNames } from "../../api/check_options.ts";

/** Options of {@linkcode importSiteFile}. */
export interface ImportSiteFileOptions {
  /** Calibrates with all production and chooses the reference period again, also where nothing changed: all months get a revision. @default {false} */
  recalibrate?: boolean;
  /** Stops the import before its next file or turbine; nothing is stored then. */
  signal?: AbortSignal;
}

/** Result of an import. */
export interface ImportAccount {
  /** Name of the site. */
  readonly site: string;
  /** Whether the same declaration and sources were imported before: then nothing was done. */
  readonly unchanged: boolean;
  /** The import in lines for a person: hours, completeness, k, residual, findings. */
  readonly text: string;
  /** Key of the local licence, if this import created it. */
  readonly key?: string;
}

/** First line of an import of the sample's own files. */
const SYNTHETIC_IMPORT =
  `${SYNTHETIC}: files of this site have invented figures, so all that is served of this data ` +
  "directory says so";

const OPTIONS: OptionNames<ImportSiteFileOptions> = {
  recalibrate: "optional",
  signal: "optional",
};

/** Reads the site and its files, with progress. */
async function readFiles(siteFile: string, signal: AbortSignal | undefined): Promise<SiteData> {
  using progress = startProgress("Reading files");
  return await readSite(siteFile, (name) => {
    signal?.throwIfAborted();
    progress.say(name);
  });
}

/**
 * Imports a site file into a data directory: reads and checks everything, computes calibrations and indices, and
 * stores all of it or, if anything fails, nothing.
 *
 * @param siteFile Path of the site file
 * @param data The data directory; created where it is missing
 * @param options Whether to calibrate again, and signal
 * @throws {ArgumentError} If the declaration is not valid; the message names the place and what to do
 * @throws {DataFormatError} If a file is not as declared; the message names file, line and column
 *
 * @example The sample's own files as if they were yours
 * ```ts
 * import { connect, exampleFile, monthlyIndices } from "@vindkit/vindkit";
 * import { importSiteFile } from "@vindkit/vindkit/service";
 * import { assert } from "@std/assert";
 *
 * const data = await Deno.makeTempDir();
 * const account = await importSiteFile(await exampleFile("site.json"), data);
 * console.log(account.text);
 *
 * await using connection = connect({ data });
 * assert((await monthlyIndices("E1", { connection })).height >= 240);
 * await connection.close();
 * await Deno.remove(data, { recursive: true });
 * ```
 */
export async function importSiteFile(
  siteFile: string,
  data: string,
  options: ImportSiteFileOptions = {},
): Promise<ImportAccount> {
  checkOptions("importSiteFile()", options, OPTIONS);
  const { recalibrate, signal } = options;
  const read = await readFiles(siteFile, signal); // first: a wrong site file leaves no directory behind
  const { store, files } = openDataDirectory(data, { create: true });
  try {
    using progress = startProgress(`Import of ${read.site}`, {
      total: read.turbines.length,
      unit: "turbines",
    });
    const onTurbine = () => progress.advance();
    const result = await importSite(read, store, files, { recalibrate, signal, onTurbine });
    const { site, unchanged } = result;
    const text = (read.world === "sample" ? `${SYNTHETIC_IMPORT}\n` : "") + formatImport(result);
    return await hasLocalLicence(store.licences)
      ? { site, unchanged, text }
      : { site, unchanged, text, key: await issueLocalKey(store.licences) };
  } finally {
    await store.close(); // an empty directory stays: another import may be filling it by now
  }
}
