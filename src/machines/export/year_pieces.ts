import pl, { type LazyDataFrame } from "nodejs-polars";
import { PARTITION } from "./export_table.ts";

/** Rows of a row group: of hours, a year of 15 turbines. A reader skips a group by its statistics, or reads it whole. */
const ROW_GROUP = 131_072;

/** Rows of a row group of a piece: about a year of one turbine, so that the other years are skipped. */
const PIECE_ROW_GROUP = 8760;

/** Digits of the number of a piece, by whose name Polars sorts. */
const DIGITS = 8;

/** Runs a query into a Parquet file, without a frame that would be in memory until its garbage is collected. */
async function sink(query: LazyDataFrame, path: string, rowGroupSize: number): Promise<void> {
  const running = query.sinkParquet(path, {
    compression: "zstd",
    rowGroupSize,
    statistics: true,
    maintainOrder: true,
  }) as unknown as LazyDataFrame; // Polars declares that it returns nothing
  await running.collect();
}

/**
 * Rows on the disk until those of a group of turbines are complete: they come by turbine and leave by year, and all of
 * them would not fit into memory.
 */
export class YearPieces implements AsyncDisposable {
  readonly #folder: string;
  readonly #years = new Set<number>();
  #count = 0;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Creates the folder of the pieces, in that for temporary files. */
  static async create(): Promise<YearPieces> {
    const folder = await Deno.makeTempDir({ prefix: "vindkit_export_" });
    await Deno.mkdir(`${folder}/pieces`);
    return new YearPieces(folder);
  }

  /** Path at which a reader may put what it reads rows from, until they are added. */
  get scratch(): string {
    return `${this.#folder}/scratch`;
  }

  /** The years that have rows, in order. */
  get years(): number[] {
    return [...this.#years].sort((one, other) => one - other);
  }

  /** Adds rows, which follow those added before; they are in order of {@linkcode PARTITION}. */
  async add(rows: LazyDataFrame): Promise<void> {
    const path = `${this.#folder}/pieces/${`${this.#count++}`.padStart(DIGITS, "0")}.parquet`;
    await sink(rows, path, PIECE_ROW_GROUP);
    const years = await pl.scanParquet(path).select(pl.col(PARTITION).unique()).collect();
    for (const year of years.getColumn(PARTITION)) this.#years.add(Number(year));
  }

  /**
   * Joins the rows of a year into one Parquet file, without {@linkcode PARTITION}.
   *
   * @returns Its bytes, the same for the same rows, and the number of rows
   */
  async join(year: number): Promise<{ readonly bytes: Uint8Array; readonly rows: number }> {
    const path = `${this.#folder}/year.parquet`;
    const pieces = pl.scanParquet(`${this.#folder}/pieces/*.parquet`);
    await sink(pieces.filter(pl.col(PARTITION).eq(pl.lit(year))).drop(PARTITION), path, ROW_GROUP);
    const counted = await pl.scanParquet(path).select(pl.len().alias("rows")).collect();
    return {
      bytes: await Deno.readFile(path),
      rows: Number(counted.getColumn("rows").get(0)),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.#folder, { recursive: true });
  }
}
