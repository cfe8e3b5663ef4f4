import { z } from "zod";
import type { SentParameters } from "../../api/operations/request_path.ts";

/** What the cache stores about a body. */
export interface CacheEntry {
  /** Where it came from: a base address, the sample, a data directory. */
  readonly place: string;
  /** Operation of the API. */
  readonly operation: string;
  /** Parameters that were sent, by wire name. */
  readonly parameters: SentParameters;
  /** SHA-256 of the body, hexadecimal; also the name of its file. */
  readonly sha256: string;
  /** When it was fetched, ISO 8601 UTC. */
  readonly fetched_at: string;
  /** Headers that describe the body. */
  readonly headers: Readonly<Record<string, string>>;
  /** SHA-256 of the Parquet file of its frame, if one is stored. */
  readonly frame?: string | undefined;
}

const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** Checks the file of an entry. */
export const entrySchema: z.ZodType<CacheEntry> = z.strictObject({
  place: z.string(),
  operation: z.string(),
  parameters: z.record(z.string(), z.union([z.string(), z.number()])),
  sha256: hash,
  fetched_at: z.string(),
  headers: z.record(z.string(), z.string()),
  frame: hash.optional(),
});

/** Builds the key of an entry: equal calls have equal keys. */
export function buildCallKey(
  place: string,
  operation: string,
  parameters: SentParameters,
): string {
  const sorted = Object.entries(parameters).sort(([a], [b]) => a < b ? -1 : 1);
  return JSON.stringify([place, operation, sorted]);
}
