/**
 * Typed door to `@std/http/etag`: the npm build of the same sources, which carries no types.
 *
 * @module
 */
import {
  ifMatch as untypedIfMatch,
  ifNoneMatch as untypedIfNoneMatch,
} from "deno-std/http/etag.js";

/** Whether this `If-Match` names a tag; false without the header. */
export const ifMatch: (value: string | null, etag: string | undefined) => boolean = untypedIfMatch;

/** Whether a request with this `If-None-Match` must be answered in full (`true`) or with 304 (`false`). */
export const ifNoneMatch: (value: string | null, etag: string | undefined) => boolean =
  untypedIfNoneMatch;
