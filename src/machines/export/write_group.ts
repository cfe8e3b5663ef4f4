import { sha256 } from "../../disk/hashes.ts";
import type { Progress } from "../../show/progress.ts";
import type { Storage } from "../../storage/storage.ts";
import type { StoredTurbine } from "../../sites/keep/site_record.ts";
import { type ExportTable, PARTITION } from "./export_table.ts";
import type { ExportTarget } from "./export_target.ts";
import type { WrittenGroup } from "./manifest.ts";
import { RECORDS, TurbineRecords } from "./turbine_records.ts";
import { YearPieces } from "./year_pieces.ts";
import { sitesOf } from "../../sites/keep/sites.ts";

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

/** Turbines and the editions of their figures, as a text. */
function listEditions(turbines: readonly StoredTurbine[]): string {
  return turbines.map(({ turbine, edition }) => `${turbine.id} ${edition}`).join("\n");
}

/**
 * Adds the rows of turbines, those of a turbine from one edition: it reads again as long as an import stores one of them
 * meanwhile.
 *
 * @returns The turbines as the rows have them
 */
async function addBatch(
  { storage, table, signal }: GroupWork,
  turbines: readonly StoredTurbine[],
  pieces: YearPieces,
): Promise<readonly StoredTurbine[]> {
  const sites = sitesOf(storage.store);
  for (let own = turbines; own.length > 0;) {
    signal?.throwIfAborted();
    const rows = await table.read(storage, own, pieces.scratch);
    const now = table.isFixed ? own : await sites.turbines(own.map(({ turbine }) => turbine.id));
    if (listEditions(now) === listEditions(own)) {
      if (rows) await pieces.add(rows);
      return own;
    }
    own = now;
  }
  return []; // they are gone
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
    progress.advance(some.length - turbines.length); // those that are gone
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
