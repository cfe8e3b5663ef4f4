import type { LazyDataFrame } from "nodejs-polars";
import type { Column } from "../../api/columns/column.ts";
import type { Storage } from "../../storage/storage.ts";
import type { StoredTurbine } from "../../sites/keep/site_record.ts";

/** A table that can be exported: monthly wind indices, or the hours of the model. */
export type ExportName = "indices" | "hours";

/** Name of the column that partitions the files into folders: readers take it from the path, as in Hive. */
export const PARTITION = "year";

/** Declaration of a table for the export. */
export interface ExportTable {
  /** Name, also of the folder of its files. */
  readonly name: ExportName;
  /** Columns of its files in their order. */
  readonly columns: readonly Column[];
  /** Largest number of turbines in one file. */
  readonly groupSize: number;
  /** Number of turbines whose rows are read at a time. */
  readonly batchSize: number;
  /**
   * Whether rows depend only on a turbine's record and the files that it names, so no import changes them meanwhile.
   */
  readonly isFixed: boolean;
  /**
   * Reads the rows of some turbines.
   *
   * @param storage Storage of the rows
   * @param turbines The turbines: one at least, {@linkcode ExportTable.batchSize} at most
   * @param scratch Path of a temporary file that exists until the rows are read
   * @returns The columns and {@linkcode PARTITION}; the rows are sorted by it, then by turbine and time;
   *   `undefined` without rows
   */
  read(
    storage: Storage,
    turbines: readonly StoredTurbine[],
    scratch: string,
  ): Promise<LazyDataFrame | undefined>;
}

/** A text with its version. */
export interface VersionedText {
  readonly text: string;
  /** Another text has another version. */
  readonly version: string;
}

/**
 * Target of an export, a folder or an object store: contents by names with slashes. A write is complete or has no effect,
 * even after a crash.
 */
export interface ExportTarget extends Disposable {
  /** Its address, for messages; without a secret. */
  readonly address: string;
  /** Whether the address means the same place on another machine. */
  readonly isShared: boolean;
  /** Text of a name; `undefined` if it is missing. */
  read(name: string): Promise<VersionedText | undefined>;
  /** Writes a content durably, replacing an earlier one. */
  write(name: string, bytes: Uint8Array): Promise<void>;
  /**
   * Writes a text like {@linkcode ExportTarget.write}, but only if it replaces the given version.
   *
   * @param version Version of the text that it replaces; `undefined` if there was none
   * @returns Whether it was written; false if another program wrote there meanwhile
   */
  replace(name: string, text: string, version: string | undefined): Promise<boolean>;
  /** Names below a folder, each with its size, bytes; empty if there is no such folder. */
  list(folder: string): Promise<ReadonlyMap<string, number>>;
  /** Removes a name; a missing one is no error. */
  remove(name: string): Promise<void>;
}
