import pl, { type DataFrame, type LazyDataFrame } from "nodejs-polars";
import { PARTITION } from "./export_table.ts";

/** Rows of a row group: of hours, a year of 15 turbines. A reader skips a group by its statistics, or reads it whole. */
const ROW_GROUP = 131_072;

/** Digits of the number of a piece, by whose name Polars sorts. */
const DIGITS = 6;

/**
 * Rows on the disk by year, until those of a group of turbines are complete: they come by turbine and leave by year, and
 * all of them would not fit into memory.
 */
export class YearPieces implements AsyncDisposable {
  readonly #folder: string;
  readonly #rows = new Map<number, number>();
  #count = 0;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Creates the folder of the pieces, in that for temporary files. */
  static async create(): Promise<YearPieces> {
    return new YearPieces(await Deno.makeTempDir({ prefix: "vindkit_export_" }));
  }

  /** The years that have rows, in order. */
  get years(): number[] {
    return [...this.#rows.keys()].sort((one, other) => one - other);
  }

  /** Number of rows of a year. */
  rows(year: number): number {
    return this.#rows.get(year) ?? 0;
  }

  /** Adds rows, which follow those added before. */
  async add(frame: DataFrame): Promise<void> {
    if (frame.height === 0) return;
    const name = `${this.#count++}`.padStart(DIGITS, "0");
    for (const part of frame.partitionBy(PARTITION, true, true)) {
      const year = Number(part.getColumn(PARTITION).get(0));
      await Deno.mkdir(this.#path(year), { recursive: true });
      part.drop(PARTITION).writeParquet(`${this.#path(year)}/${name}.parquet`, {
        compression: "zstd",
      });
      this.#rows.set(year, this.rows(year) + part.height);
    }
  }

  /**
   * Joins the rows of a year into one Parquet file, piece by piece.
   *
   * @returns Its bytes, the same for the same rows
   */
  async join(year: number): Promise<Uint8Array> {
    const path = `${this.#folder}/${year}.parquet`;
    const sink = pl.scanParquet(`${this.#path(year)}/*.parquet`).sinkParquet(path, {
      compression: "zstd",
      rowGroupSize: ROW_GROUP,
      statistics: true,
      maintainOrder: true,
    }) as unknown as LazyDataFrame; // Polars declares nothing
    await sink.collect();
    try {
      return await Deno.readFile(path);
    } finally {
      await Deno.remove(path);
      await Deno.remove(this.#path(year), { recursive: true });
    }
  }

  /** Removes the pieces. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.#folder, { recursive: true });
  }

  #path(year: number): string {
    return `${this.#folder}/${year}`;
  }
}
