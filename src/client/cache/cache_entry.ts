import { z } from "zod";
import type { SentParameters } from "../../api/operations/request_path.ts";

/** What the cache knows of a body. */
export interface CacheEntry {
  /** Where it came from: a base address, the sample, a data directory. */
  readonly place: string;
  /** Operation of the API. */
  readonly operation: string;
  /** Parameters that were sent, by wire name. */
  readonly parameters: SentParameters;
  /** SHA-256 of the body, hexadecimal: its name, too. */
  readonly sha256: string;
  /** When it was there, ISO 8601 UTC. */
  readonly fetched_at: string;
  /** Headers that say what the body is. */
  readonly headers: Readonly<Record<string, string>>;
  /** SHA-256 of the Parquet file of the frame that was made of it, if one is kept. */
  readonly frame?: string | undefined;
}

const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** Checks what stands in the file of an entry. */
export const entrySchema: z.ZodType<CacheEntry> = z.strictObject({
  place: z.string(),
  operation: z.string(),
  parameters: z.record(z.string(), z.union([z.string(), z.number()])),
  sha256: hash,
  fetched_at: z.string(),
  headers: z.record(z.string(), z.string()),
  frame: hash.optional(),
});

/** What an entry is found by: the same call gives the same text. */
export function buildCallKey(
  place: string,
  operation: string,
  parameters: SentParameters,
): string {
  const sorted = Object.entries(parameters).sort(([a], [b]) => a < b ? -1 : 1);
  return JSON.stringify([place, operation, sorted]);
}
