import { checkOptions, describeValue, type OptionNames } from "../../api/check_options.ts";
import { ArgumentError } from "../../api/errors.ts";
import { openStorage } from "../storage.ts";
import type { StorageAddress } from "../storage_address.ts";
import type { ExportName } from "./export_table.ts";
import { EXPORT_NAMES, exportTables, isExportName } from "./export_tables.ts";
import { QueuedJobs } from "../jobs/queue/queued_jobs.ts";
import { openTarget } from "./open_target.ts";
import { type ExportAccount, writeExport } from "./write_export.ts";

/** Options of {@linkcode exportParquet}. */
export interface ExportParquetOptions {
  /** The table: monthly `indices`, or `hours` of the model. */
  what: ExportName;
  /** Stops the export before its next turbines or file: what was exported before stays as it was. */
  signal?: AbortSignal;
}

const OPTIONS: OptionNames<ExportParquetOptions> = { what: "needed", signal: "optional" };

/**
 * Exports a table of a storage as Parquet files for DuckDB, Polars, Spark and others, also while it is in use:
 * folders by year, and a manifest that names the files. Repeated, it writes what has changed. From a shared storage to an
 * object store, the workers of the queue write the files.
 *
 * @param data Where the data are kept
 * @param to Folder of the export, which is created where it is missing, or an object store as `s3://bucket/prefix`
 * @param options Table and signal
 * @throws {ArgumentError} If there is no such table, or another export writes there at the same time
 * @throws {ConfigurationError} If there are no data, a manifest cannot be read, or an object store cannot be opened
 * @throws {PassingError} If an object store does not answer
 * @throws {DamagedFileError} If a file of the data is damaged or missing
 *
 * @example Export the wind indices, then read them
 * ```ts
 * import { exampleFile, pl } from "@vindkit/vindkit";
 * import { exportParquet } from "@vindkit/vindkit/service";
 * import { importSite, readSiteFile } from "@vindkit/vindkit/sites";
 * import { assertEquals } from "@std/assert";
 *
 * const folder = await Deno.makeTempDir();
 * await importSite(await readSiteFile(await exampleFile("site.json")), { data: `${folder}/data` });
 * const { rows } = await exportParquet(`${folder}/data`, `${folder}/lake`, { what: "indices" });
 *
 * const { files } = JSON.parse(await Deno.readTextFile(`${folder}/lake/indices.manifest.json`));
 * const years = files.map(({ path }: { path: string }) => pl.readParquet(`${folder}/lake/${path}`));
 * assertEquals(pl.concat(years).height, rows);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function exportParquet(
  data: StorageAddress,
  to: string,
  options: ExportParquetOptions,
): Promise<ExportAccount> {
  checkOptions("exportParquet()", options, OPTIONS);
  const { what, signal } = options;
  if (!isExportName(what)) {
    throw new ArgumentError(
      `Cannot export ${describeValue(what)}: give one of ${EXPORT_NAMES.join(", ")}`,
    );
  }
  using target = await openTarget(to);
  await using storage = await openStorage(data);
  if (typeof data === "string" || !target.isShared) {
    return await writeExport(storage, target, exportTables[what], { signal });
  }
  const jobs = await QueuedJobs.open(data.database);
  try {
    return await writeExport(storage, target, exportTables[what], { jobs, signal });
  } finally {
    await jobs.close();
  }
}
