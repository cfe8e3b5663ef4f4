/**
 * Typed door to `@std/http/etag`: the npm build of the same sources, which carries no types.
 *
 * @module
 */
import { ifNoneMatch as untypedIfNoneMatch } from "deno-std/http/etag.js";

/** Whether a request with this `If-None-Match` must be answered in full (`true`) or with 304 (`false`). */
export const ifNoneMatch: (value: string | null, etag: string | undefined) => boolean =
  untypedIfNoneMatch;
