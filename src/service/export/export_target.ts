/**
 * Where an export is written: names with slashes and their bytes, as a folder and an object store have them. What is
 * written under a name is there as a whole or not at all, also after a crash.
 */
export interface ExportTarget {
  /** Where it is, for messages; without a secret. */
  readonly address: string;
  /** Content of a name; `undefined` where it is missing. */
  read(name: string): Promise<Uint8Array | undefined>;
  /** Writes a content durably, in place of an earlier one. */
  write(name: string, bytes: Uint8Array): Promise<void>;
  /** Names below a folder, each with its size, bytes; empty where there is no such folder. */
  list(folder: string): Promise<ReadonlyMap<string, number>>;
  /** Removes a name; one that is missing is no error. */
  remove(name: string): Promise<void>;
}
