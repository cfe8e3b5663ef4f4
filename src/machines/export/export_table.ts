import type { LazyDataFrame } from "nodejs-polars";
import type { Column } from "../../api/columns/column.ts";
import type { Storage } from "../../storage/storage.ts";
import type { StoredTurbine } from "../../sites/keep/site_record.ts";

/** A table that can be exported: monthly wind indices, or the hours of the model. */
export type ExportName = "indices" | "hours";

/** Name of the column by which the files are in folders: readers take it from the path, as Hive does. */
export const PARTITION = "year";

/** How a table is exported. */
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
   * @param storage Where they are stored
   * @param turbines The turbines: one at least, {@linkcode ExportTable.batchSize} at most
   * @param scratch Path of a file that may be written, and stays until the rows are read
   * @returns The columns and {@linkcode PARTITION}, by which the rows are in order, then by turbine and time;
   *   `undefined` without rows
   */
  read(
    storage: Storage,
    turbines: readonly StoredTurbine[],
    scratch: string,
  ): Promise<LazyDataFrame | undefined>;
}

/** A text, and what names this state of it. */
export interface VersionedText {
  readonly text: string;
  /** Another text has another version. */
  readonly version: string;
}

/**
 * Where an export is written: names with slashes and their contents, as a folder and an object store have them. What is
 * written under a name is there as a whole or not at all, also after a crash.
 */
export interface ExportTarget extends Disposable {
  /** Where it is, for messages; without a secret. */
  readonly address: string;
  /** Whether the address is the same place for another machine. */
  readonly isShared: boolean;
  /** Text of a name; `undefined` if it is missing. */
  read(name: string): Promise<VersionedText | undefined>;
  /** Writes a content durably, in place of an earlier one. */
  write(name: string, bytes: Uint8Array): Promise<void>;
  /**
   * Writes a text as {@linkcode ExportTarget.write} does, but only in place of the one that was read.
   *
   * @param version Version of the text that it replaces; `undefined` if there was none
   * @returns Whether it is written: not where another has written there meanwhile
   */
  replace(name: string, text: string, version: string | undefined): Promise<boolean>;
  /** Names below a folder, each with its size, bytes; empty where there is no such folder. */
  list(folder: string): Promise<ReadonlyMap<string, number>>;
  /** Removes a name; one that is missing is no error. */
  remove(name: string): Promise<void>;
}
