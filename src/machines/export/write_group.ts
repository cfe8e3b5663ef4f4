import pl, { type LazyDataFrame } from "nodejs-polars";
import { sha256 } from "../../disk/hashes.ts";
import type { Progress } from "../../show/progress.ts";
import type { StoredTurbine } from "../../sites/keep/site_record.ts";
import { sitesOf } from "../../sites/keep/sites.ts";
import type { Storage } from "../../storage/storage.ts";
import { type ExportTable, type ExportTarget, PARTITION } from "./export_table.ts";
import type { WrittenGroup } from "./manifest.ts";
import { RECORDS, TurbineRecords } from "./turbine_records.ts";

/** Rows of a row group: a year of hours of 15 turbines. A reader skips a group by its statistics, or reads it whole. */
const ROW_GROUP = 131_072;

/** Rows of a row group of a piece: about a year of one turbine, so a query can skip the other years. */
const PIECE_ROW_GROUP = 8760;

/** Digits in the number of a piece: Polars sorts the pieces by name. */
const DIGITS = 8;

/** Runs a query into a Parquet file, without a frame that would stay in memory until garbage collection. */
async function sink(query: LazyDataFrame, path: string, rowGroupSize: number): Promise<void> {
  const running = query.sinkParquet(path, {
    compression: "zstd",
    rowGroupSize,
    statistics: true,
    maintainOrder: true,
  }) as unknown as LazyDataFrame; // Polars declares no return value
  await running.collect();
}

/**
 * Collects the rows of a group of turbines on the disk. Rows come by turbine and leave by year, and all of them would not
 * fit into memory.
 */
class YearPieces implements AsyncDisposable {
  readonly #folder: string;
  readonly #years = new Set<number>();
  #count = 0;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Creates the folder of the pieces, in the folder for temporary files. */
  static async create(): Promise<YearPieces> {
    const folder = await Deno.makeTempDir({ prefix: "vindkit_export_" });
    await Deno.mkdir(`${folder}/pieces`);
    return new YearPieces(folder);
  }

  /** Path of a reader's temporary file, until its rows are added. */
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

/** Source and target of the files of a group. */
interface GroupWork {
  readonly storage: Storage;
  readonly table: ExportTable;
  readonly target: ExportTarget;
  /** Existing files with their sizes: a file with the same content is not written again. */
  readonly present: ReadonlyMap<string, number>;
  readonly signal?: AbortSignal | undefined;
  /** Counts the turbines read, and shows the year being written. */
  readonly progress: Pick<Progress, "advance" | "say">;
}

/** Turbines and the editions of their figures, as a text. */
function listEditions(turbines: readonly StoredTurbine[]): string {
  return turbines.map(({ turbine, edition }) => `${turbine.id} ${edition}`).join("\n");
}

/**
 * Adds the rows of turbines. All rows of a turbine are from the same edition: it reads again as long as an import stores
 * one of the turbines meanwhile.
 *
 * @returns The turbines in the editions of the rows
 */
async function addBatch(
  { storage, table, signal }: GroupWork,
  turbines: readonly StoredTurbine[],
  pieces: YearPieces,
): Promise<readonly StoredTurbine[]> {
  const sites = sitesOf(storage.store);
  for (let current = turbines; current.length > 0;) {
    signal?.throwIfAborted();
    const rows = await table.read(storage, current, pieces.scratch);
    const latest = table.isFixed
      ? current
      : await sites.turbines(current.map(({ turbine }) => turbine.id));
    if (listEditions(latest) === listEditions(current)) {
      if (rows) await pieces.add(rows);
      return current;
    }
    current = latest;
  }
  return []; // the turbines are gone
}

/**
 * Writes the files of a group of turbines, named by their content.
 *
 * @param ids Identifiers of the turbines, in the order of the rows
 */
export async function writeGroup(work: GroupWork, ids: readonly string[]): Promise<WrittenGroup> {
  const { storage, table, target, present, signal, progress } = work;
  await using pieces = await YearPieces.create();
  const records = new TurbineRecords();
  for (let i = 0; i < ids.length; i += RECORDS) {
    const some = ids.slice(i, i + RECORDS);
    const turbines = await sitesOf(storage.store).turbines(some);
    for (let j = 0; j < turbines.length; j += table.batchSize) {
      const batch = turbines.slice(j, j + table.batchSize);
      for (const turbine of await addBatch(work, batch, pieces)) records.add(turbine);
      progress.advance(batch.length);
    }
    progress.advance(some.length - turbines.length); // counts turbines that are gone
  }
  const files: WrittenGroup["files"][number][] = [];
  for (const year of pieces.years) {
    signal?.throwIfAborted();
    progress.say(`writes ${year}`);
    const { bytes, rows } = await pieces.join(year);
    const hash = sha256(bytes);
    const path = `${table.name}/${PARTITION}=${year}/${hash}.parquet`;
    if (present.get(path) !== bytes.length) await target.write(path, bytes);
    files.push({ path, year, rows, bytes: bytes.length, sha256: hash });
  }
  progress.say("");
  return { group: records.end(), files };
}
