import { ArgumentError, NotCachedError } from "../../api/errors.ts";
import type { SentParameters } from "../../api/operations/request_path.ts";
import { BodyCache } from "../cache/body_cache.ts";
import type { CacheEntry } from "../cache/cache_entry.ts";
import type { Connection } from "../connection/connection.ts";
import { assertCacheMode, type CacheMode } from "../connection/settings.ts";
import { findSettledEnd } from "./months.ts";

/** What names a file of a service of another provider. */
export interface SourceCall {
  /** Root of its API. */
  readonly place: string;
  /** Its dataset or product. */
  readonly operation: string;
  /** What was asked for. */
  readonly parameters: SentParameters;
  /** Last instant that was asked for, ms since 1970 UTC. */
  readonly lastInstant: number;
}

/** A file that was received or was stored. */
export interface SourceFile {
  /** Its path. */
  readonly path: string;
  /** When it was received, ISO 8601 UTC. */
  readonly fetchedAt: string;
  /** SHA-256, hexadecimal. */
  readonly sha256: string;
}

/**
 * The files of one call of `era5()`. They are always stored: a request costs minutes. One is used again if it is final, or
 * came after the call began, from another process.
 */
export class SourceFiles {
  readonly #cache: BodyCache;
  readonly #mode: CacheMode;
  readonly #begun = Temporal.Now.instant();

  private constructor(cache: BodyCache, mode: CacheMode) {
    this.#cache = cache;
    this.#mode = mode;
  }

  /**
   * Opens the cache.
   *
   * @param mode How it is used. @default "use"
   */
  static async open(connection: Connection, mode: CacheMode | undefined): Promise<SourceFiles> {
    assertCacheMode(mode);
    if (connection.lock) {
      throw new ArgumentError(
        "Cannot fetch ERA5 with a data lock: it records answers of the wind-index service only. " +
          "Save the frame with saveFrame(), and read that in the analysis",
      );
    }
    const cache = await BodyCache.open(connection.home);
    return new SourceFiles(cache, mode ?? connection.cache ?? "use");
  }

  /** Whether nothing may be fetched. */
  get offline(): boolean {
    return this.#mode === "only";
  }

  /** Finds the stored file of a call; `undefined` if it must be fetched. */
  async find({ place, operation, parameters, lastInstant }: SourceCall) {
    const entry = await this.#cache.findEntry(place, operation, parameters);
    if (!entry) return undefined;
    const fresh =
      Temporal.Instant.compare(Temporal.Instant.from(entry.fetched_at), this.#begun) >= 0;
    const final = this.#mode === "use" && lastInstant < findSettledEnd(entry.fetched_at);
    if (!this.offline && !fresh && !final) return undefined;
    const path = await this.#cache.findPath(entry);
    return path && toFile(path, entry);
  }

  /**
   * Stores a file that was received.
   *
   * @param file The file, which is moved
   */
  async store(
    { place, operation, parameters }: SourceCall,
    sha256: string,
    file: { commit(path: string): Promise<void> },
  ): Promise<SourceFile> {
    const fetched_at = Temporal.Now.instant().toString();
    const entry = { place, operation, parameters, sha256, fetched_at, headers: {} };
    await this.#cache.store(entry, file);
    const path = await this.#cache.findPath(entry);
    if (path) return toFile(path, entry);
    throw new NotCachedError("Cannot read a file that was just stored: it was removed", {
      hint: "Look who cleans VINDKIT_HOME, then call it again",
    });
  }

  /** Refuses a request while the cache is used offline. */
  refuseOffline({ operation }: SourceCall): never {
    throw new NotCachedError(`Cannot get ${operation} offline: the cache does not have it`, {
      hint: 'Run the same call once with { cache: "use" }',
    });
  }
}

function toFile(path: string, { fetched_at, sha256 }: CacheEntry): SourceFile {
  return { path, fetchedAt: fetched_at, sha256 };
}
