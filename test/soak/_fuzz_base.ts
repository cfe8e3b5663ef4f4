import type { SlowMutate } from "./_mutations.ts";

/** A good file of a reader. */
export interface FuzzBase {
  /** Its name in the folder of the run. */
  readonly file: string;
  /** The file. */
  readonly bytes: Uint8Array;
  /** How it is spoiled, the frequent ways more than once. */
  readonly mutations: readonly SlowMutate[];
  /** Reads it. */
  readonly read: (path: string) => Promise<unknown>;
}

/** A reader: its good files, and the messages of its first check. */
export interface FuzzReader {
  readonly bases: () => Promise<readonly FuzzBase[]>;
  readonly firstCheck: RegExp;
}
