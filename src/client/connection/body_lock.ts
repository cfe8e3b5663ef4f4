import type { SentParameters } from "../../api/operations/request_path.ts";

/** A body that an analysis used: its hash, never its content. */
export interface LockedBody {
  /** Operation of the API. */
  readonly operation: string;
  /** Parameters that were sent, by wire name. */
  readonly parameters: SentParameters;
  /** SHA-256 of the body, hexadecimal; of an empty one where the service had no data. */
  readonly sha256: string;
  /** When it was fetched, ISO 8601 UTC. */
  readonly fetched_at: string;
  /** Message of the error where the service had no data. */
  readonly no_data?: string | undefined;
}

/** Bodies that the calls of a connection are compared with. */
export interface BodyLock {
  /** Path of the file. */
  readonly path: string;
  /** All bodies of the lock. */
  readonly bodies: readonly LockedBody[];
  /** The body that a call had when it was recorded. */
  find(operation: string, parameters: SentParameters): LockedBody | undefined;
  /**
   * Records the body of a call; it is on the disk when the promise resolves.
   *
   * @returns The body that the lock holds for this call: the first one that was recorded
   */
  record(body: LockedBody): Promise<LockedBody>;
}
