import type { DatabaseSync } from "node:sqlite";
import { ArgumentError, NotCachedError } from "../api/errors.ts";
import { BodyCache } from "../client/cache/body_cache.ts";
import type { Connection } from "../client/connection/connection.ts";
import { assertCacheMode, type CacheMode } from "../client/connection/settings.ts";
import { useDatabase } from "../client/orders/ledger.ts";
import type { PartFile } from "../client/orders/fetch_file.ts";
import { hashFile } from "../disk/hashes.ts";
import { type GridPoint, isNear } from "../frames/grid_points.ts";
import type { Progress } from "../show/progress.ts";
import type { ClimateHours, HoursPiece } from "./climate_hours.ts";
import { findFitting, type PointMonth } from "./find_fitting.ts";
import { type Block, computeSpan, findSettledEnd, listMonths } from "./months.ts";

/** Reads files of a source. */
export interface SourceReader {
  /** Dataset or product, under which months are stored. */
  readonly dataset: string;
  /**
   * Reads the hours of each point in a file.
   *
   * @param settledEnd First instant that may be preliminary, ms since 1970 UTC
   */
  readFile(path: string, settledEnd: number): Promise<ClimateHours[]>;
}

/** A file, stored as it was received, with months of one or more grid points. */
export interface StoredFile {
  /** Its SHA-256, hexadecimal. */
  readonly sha256: string;
  /** Time of the request, ISO 8601 UTC; some hours may have been preliminary then. */
  readonly askedAt: string;
  /** Warnings of the service. */
  readonly notes: readonly string[];
}

/** A month of a grid point, and its file. */
type StoredMonth = PointMonth & { readonly file: StoredFile };

const SCHEMA = `
CREATE TABLE IF NOT EXISTS months (
  place TEXT NOT NULL,
  dataset TEXT NOT NULL,
  latitude REAL NOT NULL,
  longitude REAL NOT NULL,
  month TEXT NOT NULL,
  file TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  PRIMARY KEY (place, dataset, latitude, longitude, month)
) STRICT;
`;

/**
 * Stored months of a dataset: the file of each month of each grid point. A month is reused if it was settled when
 * requested, or was requested today.
 */
export class StoredMonths {
  readonly #bodies: BodyCache;
  readonly #folder: string;
  readonly #place: string;
  readonly #mode: CacheMode;
  readonly #reader: SourceReader;
  readonly #begun = Temporal.Now.instant();
  /** Hours of the files that this call has stored or read. */
  readonly #hoursByFile = new Map<string, ClimateHours[]>();
  readonly #paths = new Map<string, Promise<string | undefined>>();
  /** Gaps in months of points, to be confirmed by a second answer. */
  readonly #gaps = new Map<string, string>();

  private constructor(
    bodies: BodyCache,
    home: string,
    place: string,
    mode: CacheMode,
    reader: SourceReader,
  ) {
    this.#bodies = bodies;
    this.#folder = `${home}/cache`;
    this.#place = place;
    this.#mode = mode;
    this.#reader = reader;
  }

  /**
   * Opens the stored months.
   *
   * @param mode Use of the cache. @default "use"
   * @param place Root of the API
   */
  static async open(
    { home, lock, cache }: Connection,
    mode: CacheMode | undefined,
    place: string,
    reader: SourceReader,
  ): Promise<StoredMonths> {
    assertCacheMode(mode);
    if (lock) {
      throw new ArgumentError(
        "Cannot fetch ERA5 with a data lock: a lock records only answers of the wind-index service. " +
          "Save the frame with saveFrame(), and read that file in the analysis",
      );
    }
    const bodies = await BodyCache.open(home);
    return new StoredMonths(bodies, home, place, mode ?? cache ?? "use", reader);
  }

  /** Whether fetching is forbidden. */
  get offline(): boolean {
    return this.#mode === "only";
  }

  /**
   * Finds the next block to fetch: the first run of missing months, and the points that lack any of them.
   *
   * @param findSize Finds the largest number of months, from a given one on, in one request. @default no limit
   * @returns The block, and the number of all missing months; `undefined` if none is missing
   */
  async findMissing(
    { points, months }: Block,
    findSize: (first: Temporal.PlainYearMonth) => number = () => Infinity,
  ): Promise<Block & { readonly left: number } | undefined> {
    const stored = await this.#list({ points, months });
    const current = stored.filter(({ file, month }) => this.#isCurrent(file, month));
    const has = new Set(current.map(({ point, month }) => JSON.stringify([point, month])));
    const lacks = (point: GridPoint, month: Temporal.PlainYearMonth) =>
      !has.has(JSON.stringify([point, month]));
    const missing = listMonths(months).filter((month) => points.some((one) => lacks(one, month)));
    if (missing.length === 0) return undefined;
    const [first] = missing;
    const most = findSize(first);
    const run = missing.filter((month, i) => i < most && first.add({ months: i }).equals(month));
    return {
      left: missing.length,
      months: { first, last: run[run.length - 1] },
      points: points.filter((point) => run.some((month) => lacks(point, month))),
    };
  }

  /** Whether a complete block is stored from requests at or after an instant, ISO 8601 UTC. */
  async hasSince(block: Block, since: string): Promise<boolean> {
    const late = (await this.#list(block))
      .filter(({ file }) => Temporal.Instant.compare(file.askedAt, since) >= 0);
    return late.length === block.points.length * listMonths(block.months).length;
  }

  /**
   * Stores the months of an answer that match the request, and removes files that no month needs any more. The caller
   * holds the lock of the service.
   *
   * @param facts Time of the request, and warnings of the service
   * @param part The answer; its file is moved
   * @param progress Counts the months
   * @throws {MisfitError} If other months do not match the request
   */
  async store(
    block: Block,
    hours: ClimateHours[],
    facts: Omit<StoredFile, "sha256">,
    part: PartFile,
    progress: Progress,
  ): Promise<void> {
    const settledEnd = findSettledEnd(facts.askedAt);
    const { fitting, misfit } = findFitting(hours, block, settledEnd, this.#gaps);
    if (fitting.length === 0) await part.remove();
    else {
      const sha256 = await hashFile(part.path);
      await this.#bodies.storeBody(sha256, { commit: (path) => part.moveTo(path) });
      this.#hoursByFile.set(sha256, hours);
      this.#paths.delete(sha256);
      const unused = this.#setFile(fitting, { ...facts, sha256 });
      for (const hash of unused) await this.#bodies.removeBody(hash);
    }
    progress.advance(fitting.length / block.points.length);
    if (misfit) throw misfit;
  }

  /**
   * Reads the stored hours.
   *
   * @returns Hours by point and file, and the files
   * @throws {NotCachedError} If a month is missing and fetching is forbidden
   */
  async read(
    block: Block,
  ): Promise<{ readonly pieces: HoursPiece[]; readonly files: readonly StoredFile[] }> {
    const missing = this.offline && await this.findMissing(block);
    if (missing) {
      const { months: { first, last } } = missing;
      throw new NotCachedError(
        `Cannot get ${this.#reader.dataset} of ${first} to ${last} offline: the cache does not have these months`,
        { hint: 'Run the same call once with { cache: "use" }' },
      );
    }
    const files = new Map<string, StoredFile>();
    const pieces: HoursPiece[] = [];
    for (const { point, month, file } of await this.#list(block)) {
      const { sha256, askedAt } = file;
      if (!this.#hoursByFile.has(sha256)) {
        const path = (await this.#findPath(sha256))!;
        try {
          this.#hoursByFile.set(sha256, await this.#reader.readFile(path, findSettledEnd(askedAt)));
        } catch (error) {
          if (!(error instanceof Deno.errors.NotFound)) throw error;
          this.#paths.clear(); // another process has replaced the file of these months
          return await this.read(block);
        }
      }
      files.set(sha256, file);
      const hours = this.#hoursByFile.get(sha256)!.find((one) => isNear(one, point));
      if (!hours) continue; // an answer without rows
      const [from, end] = computeSpan({ first: month, last: month });
      const before = pieces.at(-1);
      if (before?.hours === hours && before.point === point && before.end === from) {
        before.end = end;
      } else pieces.push({ point, hours, from, end });
    }
    return { pieces, files: [...files.values()] };
  }

  /** Whether the file of a month need not be fetched again. */
  #isCurrent({ askedAt, sha256 }: StoredFile, month: Temporal.PlainYearMonth): boolean {
    const askedInstant = Temporal.Instant.from(askedAt);
    // This call may have joined yesterday's order; older orders lack hours that are available now.
    const isOurs = this.#hoursByFile.has(sha256) &&
      askedInstant.until(this.#begun).total("hours") < 24;
    if (this.offline || isOurs) return true;
    if (this.#mode === "refresh") return Temporal.Instant.compare(askedInstant, this.#begun) >= 0;
    const [, end] = computeSpan({ first: month, last: month });
    const today = this.#begun.toString().slice(0, 10);
    return end <= findSettledEnd(askedAt) || askedAt.startsWith(today);
  }

  /** Lists the stored months of a block by point, in order, except months whose file is missing or altered. */
  async #list({ points, months: { first, last } }: Block): Promise<StoredMonth[]> {
    const all = this.#with((database) => {
      const select = database.prepare(
        "SELECT month, file FROM months WHERE place = ? AND dataset = ? AND latitude = ? AND " +
          "longitude = ? AND month BETWEEN ? AND ? ORDER BY month",
      );
      return points.flatMap((point) =>
        select.all(...this.#keysOf(point), `${first}`, `${last}`).map((row): StoredMonth => ({
          point,
          month: Temporal.PlainYearMonth.from(String(row.month)),
          file: JSON.parse(String(row.file)) as StoredFile,
        }))
      );
    });
    const paths = await Promise.all(all.map(({ file }) => this.#findPath(file.sha256)));
    return all.filter((_, i) => paths[i] !== undefined);
  }

  /** Sets the file of months; returns the hashes of files that no month needs any more. */
  #setFile(months: readonly PointMonth[], file: StoredFile): string[] {
    return this.#with((database) => {
      const select = database.prepare("SELECT DISTINCT sha256 FROM months");
      const listHashes = () => select.all().map(({ sha256 }) => String(sha256));
      const insert = database.prepare("INSERT OR REPLACE INTO months VALUES (?, ?, ?, ?, ?, ?, ?)");
      database.exec("BEGIN IMMEDIATE");
      const before = listHashes();
      for (const { point, month } of months) {
        insert.run(...this.#keysOf(point), `${month}`, JSON.stringify(file), file.sha256);
      }
      const after = new Set(listHashes());
      database.exec("COMMIT");
      return before.filter((hash) => !after.has(hash));
    });
  }

  #keysOf({ latitude, longitude }: GridPoint): (string | number)[] {
    return [this.#place, this.#reader.dataset, latitude, longitude];
  }

  #with<T>(act: (database: DatabaseSync) => T): T {
    return useDatabase({
      folder: this.#folder,
      file: "era5.db",
      schema: SCHEMA,
      what: "the cache",
      hint: "Remove that file. The months it lists will be fetched again",
    }, act);
  }

  #findPath(sha256: string): Promise<string | undefined> {
    const path = this.#paths.get(sha256) ?? this.#bodies.findPath({ sha256 });
    this.#paths.set(sha256, path);
    return path;
  }
}
