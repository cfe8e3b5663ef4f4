import type { SlowMutate } from "./_mutations.ts";

/** A valid file of a reader. */
export interface FuzzBase {
  /** Its name in the folder of the run. */
  readonly file: string;
  /** The file. */
  readonly bytes: Uint8Array;
  /** Mutations; frequent ones are listed more than once. */
  readonly mutations: readonly SlowMutate[];
  /** Reads it. */
  readonly read: (path: string) => Promise<unknown>;
}

/** A reader: its valid files, and the messages of its first check. */
export interface FuzzReader {
  readonly bases: () => Promise<readonly FuzzBase[]>;
  readonly firstCheck: RegExp;
}
