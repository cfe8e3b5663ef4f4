import type { RequestKind } from "./fault.ts";

/** A request that reached the service under test. */
export interface SeenRequest {
  /** What it was for; `undefined` where the service has nothing at its path. */
  readonly operation: RequestKind | undefined;
  /** Path with query, as sent. */
  readonly path: string;
  /** Headers as received, the key among them. */
  readonly headers: Headers;
  /** Status that went out; `undefined` where none did, or not yet. */
  readonly status: number | undefined;
}
