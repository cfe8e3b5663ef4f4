import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import { describeValue } from "../../api/error_text.ts";
import { ArgumentError } from "../../api/errors.ts";
import { drawersOf, openStorage, type StorageAddress } from "../../storage/storage.ts";
import type { ExportName } from "./export_table.ts";
import { EXPORT_NAMES, exportTables, isExportName } from "./export_tables.ts";
import { openTarget } from "./open_target.ts";
import { type ExportAccount, writeExport } from "./write_export.ts";

/** Options of {@linkcode exportParquet}. */
export interface ExportParquetOptions {
  /** The table: monthly `indices`, or `hours` of the model. */
  what: ExportName;
  /** Stops the export before its next turbines or file: what was exported before stays as it was. */
  signal?: AbortSignal;
}

const OPTIONS = declareOptions<ExportParquetOptions>()("what! signal");

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
 */
export async function exportParquet(
  data: StorageAddress,
  to: string,
  options: ExportParquetOptions,
): Promise<ExportAccount> {
  readOptions("exportParquet()", options, OPTIONS);
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
  await using queue = await drawersOf(data).watchJobs(signal);
  return await writeExport(storage, target, exportTables[what], queue);
}
