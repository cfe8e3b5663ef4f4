import { DatabaseSync } from "node:sqlite";
import { ConfigurationError } from "../api/errors.ts";
import { preparePrivateFile } from "../disk/private_path.ts";
import type { PointMonth } from "./find_fitting.ts";
import type { Block } from "./months.ts";

/** A file, stored as it was received, with months of one or more grid points. */
export interface StoredFile {
  /** Its SHA-256, hexadecimal. */
  readonly sha256: string;
  /** When it was asked for, ISO 8601 UTC; it may contain hours that were preliminary at that time. */
  readonly askedAt: string;
  /** Warnings of the service. */
  readonly notes: readonly string[];
}

/** A month of a grid point, and the file that has it. */
export type StoredMonth = PointMonth & { readonly file: StoredFile };

/** Name of its file in the folder of the cache. */
const FILE = "era5.db";

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

/** Longest wait for another process that writes, ms. */
const BUSY_TIMEOUT = 10_000;

/** Which file has which month of a grid point. */
export class MonthTable {
  readonly #folder: string;
  readonly #source: readonly [place: string, dataset: string];

  /** @param source Root of the API and dataset */
  constructor(home: string, source: readonly [place: string, dataset: string]) {
    this.#folder = `${home}/cache`;
    this.#source = source;
  }

  /** Lists the months of a block by point, in order. */
  listMonths({ points, months: { first, last } }: Block): StoredMonth[] {
    return this.#with((database) => {
      const select = database.prepare(
        "SELECT month, file FROM months WHERE place = ? AND dataset = ? AND latitude = ? AND " +
          "longitude = ? AND month BETWEEN ? AND ? ORDER BY month",
      );
      return points.flatMap((point) => {
        const where = [...this.#source, point.latitude, point.longitude, `${first}`, `${last}`];
        return select.all(...where).map(({ month, file }): StoredMonth => ({
          point,
          month: Temporal.PlainYearMonth.from(String(month)),
          file: JSON.parse(String(file)) as StoredFile,
        }));
      });
    });
  }

  /**
   * Sets the file of months.
   *
   * @returns Hashes of files that no month needs any more
   */
  setFile(months: readonly PointMonth[], file: StoredFile): string[] {
    return this.#with((database) => {
      const select = database.prepare("SELECT DISTINCT sha256 FROM months");
      const listHashes = () => select.all().map(({ sha256 }) => String(sha256));
      const insert = database.prepare("INSERT OR REPLACE INTO months VALUES (?, ?, ?, ?, ?, ?, ?)");
      database.exec("BEGIN IMMEDIATE");
      const before = listHashes();
      for (const { point: { latitude, longitude }, month } of months) {
        const where = [...this.#source, latitude, longitude, `${month}`];
        insert.run(...where, JSON.stringify(file), file.sha256);
      }
      const after = new Set(listHashes());
      database.exec("COMMIT");
      return before.filter((hash) => !after.has(hash));
    });
  }

  #with<T>(act: (database: DatabaseSync) => T): T {
    let database: DatabaseSync | undefined;
    try {
      const problem = preparePrivateFile(this.#folder, FILE);
      if (problem !== null) throw new Error(problem);
      database = new DatabaseSync(`${this.#folder}/${FILE}`, { timeout: BUSY_TIMEOUT });
      database.exec(SCHEMA);
      return act(database);
    } catch (cause) {
      throw new ConfigurationError(
        `Cannot use the cache in ${this.#folder}/${FILE}: ${(cause as Error).message}`,
        { cause, hint: "Remove that file: what it lists is fetched anew" },
      );
    } finally {
      database?.close();
    }
  }
}
