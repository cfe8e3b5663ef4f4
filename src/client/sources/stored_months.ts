import { ArgumentError, NotCachedError } from "../../api/errors.ts";
import { BodyCache } from "../cache/body_cache.ts";
import type { Connection } from "../connection/connection.ts";
import { assertCacheMode, type CacheMode } from "../connection/settings.ts";
import type { PartFile } from "../orders/part_file.ts";
import type { ClimateHours } from "./climate_hours.ts";
import type { Block } from "./fit_hours.ts";
import { type GridPoint, isNear } from "./grid_points.ts";
import { findSettledEnd, listMonths, type Months, spanOf, splitRuns } from "./months.ts";
import { findFile, PointFiles, type StoredFile } from "./point_files.ts";

/** How a file of a source is read. */
export interface SourceReader {
  /** Dataset or product, which names what is stored. */
  readonly dataset: string;
  /**
   * Reads a file: hours of each of its points.
   *
   * @param settledEnd First instant that may be preliminary, ms since 1970 UTC
   */
  readFile(path: string, settledEnd: number): Promise<ClimateHours[]>;
}

/** The hours within months. */
function cutHours(hours: ClimateHours, months: Months, point: GridPoint): ClimateHours {
  const [from, end] = spanOf(months);
  const { stamps } = hours;
  const indexOf = (instant: number) => {
    const i = stamps.findIndex((at) => at >= instant);
    return i < 0 ? stamps.length : i;
  };
  const [first, last] = [indexOf(from), indexOf(end)];
  return {
    ...hours,
    ...point,
    stamps: stamps.subarray(first, last),
    preliminary: hours.preliminary.subarray(first, last),
    values: Object.fromEntries(
      Object.entries(hours.values).map(([name, all]) => [name, all.subarray(first, last)]),
    ),
  };
}

/**
 * What is stored of a dataset, by grid point and month: each point has a list of the files with its months, the latest
 * last. A month is used again if it was settled when it was asked for, or was asked for today.
 */
export class StoredMonths {
  readonly #bodies: BodyCache;
  readonly #points: PointFiles;
  readonly #mode: CacheMode;
  readonly #place: string;
  readonly #reader: SourceReader;
  readonly #begun = Temporal.Now.instant();
  /** Hashes of the files that were stored by this call. */
  readonly #own = new Set<string>();
  readonly #paths = new Map<string, string | undefined>();

  private constructor(
    bodies: BodyCache,
    points: PointFiles,
    mode: CacheMode,
    place: string,
    reader: SourceReader,
  ) {
    this.#bodies = bodies;
    this.#points = points;
    this.#mode = mode;
    this.#place = place;
    this.#reader = reader;
  }

  /**
   * Opens what is stored.
   *
   * @param mode How it is used. @default "use"
   * @param place Root of the API
   */
  static async open(
    connection: Connection,
    mode: CacheMode | undefined,
    place: string,
    reader: SourceReader,
  ): Promise<StoredMonths> {
    assertCacheMode(mode);
    if (connection.lock) {
      throw new ArgumentError(
        "Cannot fetch ERA5 with a data lock: it records answers of the wind-index service only. " +
          "Save the frame with saveFrame(), and read that in the analysis",
      );
    }
    const bodies = await BodyCache.open(connection.home);
    const points = await PointFiles.open(connection.home);
    return new StoredMonths(bodies, points, mode ?? connection.cache ?? "use", place, reader);
  }

  /** Whether nothing may be fetched. */
  get offline(): boolean {
    return this.#mode === "only";
  }

  /**
   * Finds what must be fetched next: the first run of months that are missing, and the points that lack any of them.
   *
   * @param keyOf Months that may be asked for at once have the same key
   * @param size Most months of a run
   */
  async findMissing(
    { points, months }: Block,
    keyOf: (month: Temporal.PlainYearMonth) => unknown,
    size: number,
  ): Promise<Block | undefined> {
    const lists = await Promise.all(
      points.map(async (point) => ({ point, files: await this.#load(point) })),
    );
    const lacks = (files: readonly StoredFile[], month: Temporal.PlainYearMonth) => {
      const file = findFile(files, month);
      return !file || !this.#isCurrent(file, month);
    };
    const [run] = splitRuns(
      listMonths(months).filter((month) => lists.some(({ files }) => lacks(files, month))),
      keyOf,
    );
    if (!run) return undefined;
    const part = listMonths(run).slice(0, size);
    return {
      months: { first: part[0], last: part[part.length - 1] },
      points: lists.filter(({ files }) => part.some((month) => lacks(files, month)))
        .map(({ point }) => point),
    };
  }

  /** Whether all of a block is stored that was asked for at an instant or later, ISO 8601 UTC. */
  async hasSince({ points, months }: Block, since: string): Promise<boolean> {
    const lists = await Promise.all(points.map((point) => this.#load(point)));
    return lists.every((files) =>
      listMonths(months).every((month) => {
        const file = findFile(files, month);
        return file && Temporal.Instant.compare(file.asked_at, since) >= 0;
      })
    );
  }

  /**
   * Stores the file of a block. The caller has the lock of the service.
   *
   * @param file When it was asked for, its hash and notes
   * @param part The file, which is moved
   */
  async store(
    { points, months: { first, last } }: Block,
    file: Omit<StoredFile, "months">,
    part: PartFile,
  ): Promise<void> {
    await this.#bodies.storeBody(file.sha256, { commit: (path) => part.moveTo(path) });
    this.#own.add(file.sha256);
    this.#paths.delete(file.sha256);
    const own = { ...file, months: [first.toString(), last.toString()] } satisfies StoredFile;
    for (const point of points) await this.#points.add(this.#nameOf(point), own);
  }

  /**
   * Reads the hours that are stored.
   *
   * @returns Hours by point and file, and the files
   * @throws {NotCachedError} If a month is missing while nothing may be fetched
   */
  async read(
    block: Block,
  ): Promise<{ readonly pieces: ClimateHours[]; readonly files: readonly StoredFile[] }> {
    const missing = this.offline && await this.findMissing(block, () => 0, Infinity);
    if (missing) {
      const { months: { first, last } } = missing;
      throw new NotCachedError(
        `Cannot get ${this.#reader.dataset} of ${first} to ${last} offline: the cache does not have it`,
        { hint: 'Run the same call once with { cache: "use" }' },
      );
    }
    const read = new Map<string, ClimateHours[]>();
    const files = new Map<string, StoredFile>();
    const pieces: ClimateHours[] = [];
    for (const point of block.points) {
      const list = await this.#load(point);
      const stored = listMonths(block.months).filter((month) => findFile(list, month));
      for (const run of splitRuns(stored, (month) => findFile(list, month))) {
        const file = findFile(list, run.first)!;
        const { sha256, asked_at } = file;
        const hours = read.get(sha256) ??
          await this.#reader.readFile((await this.#findPath(sha256))!, findSettledEnd(asked_at));
        read.set(sha256, hours);
        files.set(sha256, file);
        const own = hours.find((one) => isNear(one, point)); // none in an answer without rows
        if (own) pieces.push(cutHours(own, run, point));
      }
    }
    return { pieces, files: [...files.values()] };
  }

  /** Whether the file of a month need not be fetched again. */
  #isCurrent({ asked_at, sha256 }: StoredFile, month: Temporal.PlainYearMonth): boolean {
    const asked = Temporal.Instant.from(asked_at);
    // This call may have joined an order of yesterday; one that is older has less than can be had now.
    const own = this.#own.has(sha256) && asked.until(this.#begun).total("hours") < 24;
    if (this.offline || own) return true;
    if (this.#mode === "refresh") return Temporal.Instant.compare(asked, this.#begun) >= 0;
    const [, end] = spanOf({ first: month, last: month });
    const today = this.#begun.toString().slice(0, 10);
    return end <= findSettledEnd(asked_at) || asked_at.startsWith(today);
  }

  #nameOf({ latitude, longitude }: GridPoint): string {
    return JSON.stringify([this.#place, this.#reader.dataset, latitude, longitude]);
  }

  /** Reads the list of a point, without files that are missing or were altered. */
  async #load(point: GridPoint): Promise<StoredFile[]> {
    const files = await this.#points.read(this.#nameOf(point));
    const paths = await Promise.all(files.map(({ sha256 }) => this.#findPath(sha256)));
    return files.filter((_, i) => paths[i] !== undefined);
  }

  async #findPath(sha256: string): Promise<string | undefined> {
    if (!this.#paths.has(sha256)) {
      this.#paths.set(sha256, await this.#bodies.findPath({ sha256 }));
    }
    return this.#paths.get(sha256);
  }
}
