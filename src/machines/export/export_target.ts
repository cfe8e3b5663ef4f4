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
  /** Text of a name; `undefined` where it is missing. */
  read(name: string): Promise<VersionedText | undefined>;
  /** Writes a content durably, in place of an earlier one. */
  write(name: string, bytes: Uint8Array): Promise<void>;
  /**
   * Writes a text as {@linkcode ExportTarget.write} does, but only in place of the one that was read.
   *
   * @param version Version of the text that it replaces; `undefined` where there was none
   * @returns Whether it is written: not where another has written there meanwhile
   */
  replace(name: string, text: string, version: string | undefined): Promise<boolean>;
  /** Names below a folder, each with its size, bytes; empty where there is no such folder. */
  list(folder: string): Promise<ReadonlyMap<string, number>>;
  /** Removes a name; one that is missing is no error. */
  remove(name: string): Promise<void>;
}
