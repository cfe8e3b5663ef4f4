import { ATTRIBUTION_HEADER, NOTES_HEADER, TIME_ZONE_HEADER, WORLD_HEADER } from "../world.ts";

/** A header of an answer of our service, declared once; all of them are *ours*. */
export interface ResponseHeader {
  /** Its name. */
  readonly name: string;
  /** Its meaning, one sentence. */
  readonly description: string;
  /** Whether every such answer has it. */
  readonly required: boolean;
  /** Values it may have, a JSON Schema. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** Origin of the figures. */
export const worldHeader: ResponseHeader = {
  name: WORLD_HEADER,
  description: "Tells whether the figures come from the SYNTHETIC sample or from the owner's data.",
  required: true,
  schema: { type: "string", enum: ["sample", "own"] },
};

/** Whom to credit for the data. */
const attributionHeader: ResponseHeader = {
  name: ATTRIBUTION_HEADER,
  description:
    "Attributions that the data licences require, percent-encoded and separated by commas. The header is absent if no licence requires an attribution.",
  required: false,
  schema: { type: "string", minLength: 1 },
};

/** Notes for a reader. */
const notesHeader: ResponseHeader = {
  name: NOTES_HEADER,
  description:
    "Notes on the figures, for example on a missing calibration. The notes are percent-encoded and separated by commas. The header is absent if there are no notes.",
  required: false,
  schema: { type: "string", minLength: 1 },
};

/** Zone of the timestamps. */
export const timeZoneHeader: ResponseHeader = {
  name: TIME_ZONE_HEADER,
  description: "IANA time zone of the timestamps.",
  required: true,
  schema: { type: "string", minLength: 1 },
};

/** The tag of a body, for conditional requests, which may get 304. */
export const entityTagHeader: ResponseHeader = {
  name: "ETag",
  description: "Strong entity tag, which changes only if the body changes.",
  required: true,
  schema: { type: "string", pattern: '^"[^"]+"$' },
};

/** Controls which caches may keep an answer. */
export const cacheControlHeader: ResponseHeader = {
  name: "Cache-Control",
  description: "Caching rule, which forbids shared caches to store the answer.",
  required: true,
  schema: { type: "string", minLength: 1 },
};

/** Name of a file. */
export const contentDispositionHeader: ResponseHeader = {
  name: "Content-Disposition",
  description: "Suggested file name for the answer.",
  required: true,
  schema: { type: "string", minLength: 1 },
};

/** Pause before a retry. */
export const retryAfterHeader: ResponseHeader = {
  name: "Retry-After",
  description: "Seconds to wait before the next request.",
  required: true,
  schema: { type: "integer", minimum: 1 },
};

/** The allowed methods. */
export const allowHeader: ResponseHeader = {
  name: "Allow",
  description: "HTTP methods that the operation allows.",
  required: true,
  schema: { type: "string", enum: ["GET, HEAD", "GET"] },
};

/** How to get access. */
export const authenticateHeader: ResponseHeader = {
  name: "WWW-Authenticate",
  description: "Tells the client to send a key in its header.",
  required: true,
  schema: { type: "string", enum: ["ApiKey"] },
};

/** Headers of answers that support conditional requests. */
export const tagHeaders: readonly ResponseHeader[] = [entityTagHeader, cacheControlHeader];

/** Headers of answers that rest on a dataset. */
export const dataHeaders: readonly ResponseHeader[] = [
  worldHeader,
  attributionHeader,
  notesHeader,
  ...tagHeaders,
];
