import { sha256 } from "../../disk/sha256.ts";
import type { Progress } from "../../show/progress/progress.ts";
import type { Storage } from "../storage.ts";
import type { StoredTurbine } from "../store/site_record.ts";
import { type ExportTable, PARTITION } from "./export_table.ts";
import type { ExportTarget } from "./export_target.ts";
import type { WrittenGroup } from "./manifest.ts";
import { TurbineRecords } from "./turbine_records.ts";
import { YearPieces } from "./year_pieces.ts";

/** What the files of a group are read from and written to. */
export interface GroupWork {
  readonly storage: Storage;
  readonly table: ExportTable;
  readonly target: ExportTarget;
  /** Files that are there, with their sizes: what has the same content is not written again. */
  readonly present: ReadonlyMap<string, number>;
  readonly signal?: AbortSignal | undefined;
  /** Counts the turbines that are read, and names the year that is written. */
  readonly progress: Pick<Progress, "advance" | "say">;
}

/**
 * Reads turbines and adds their rows, those of a turbine from one edition: it reads again as long as an import stores one
 * of them meanwhile.
 */
async function addBatch(
  { storage, table, signal }: GroupWork,
  ids: readonly string[],
  pieces: YearPieces,
): Promise<readonly StoredTurbine[]> {
  const { sites } = storage.store;
  const listEditions = (turbines: readonly StoredTurbine[]) =>
    turbines.map(({ turbine, edition }) => `${turbine.id} ${edition}`).join("\n");
  while (true) {
    signal?.throwIfAborted();
    const turbines = await sites.turbines(ids);
    if (turbines.length === 0) return turbines;
    const rows = await table.read(storage, turbines, pieces.scratch);
    if (listEditions(await sites.turbines(ids)) !== listEditions(turbines)) continue;
    if (rows) await pieces.add(rows);
    return turbines;
  }
}

/**
 * Writes the files of a group of turbines, named by their content.
 *
 * @param work Where from and where to
 * @param ids Identifiers of the turbines, in the order of the rows
 */
export async function writeGroup(work: GroupWork, ids: readonly string[]): Promise<WrittenGroup> {
  const { table, target, present, signal, progress } = work;
  await using pieces = await YearPieces.create();
  const records = new TurbineRecords();
  for (let i = 0; i < ids.length; i += table.batchSize) {
    const batch = ids.slice(i, i + table.batchSize);
    for (const turbine of await addBatch(work, batch, pieces)) records.add(turbine);
    progress.advance(batch.length);
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
