import { sha256 } from "../../src/disk/hashes.ts";
import { removeOrphanFiles, wantedFiles } from "../../src/sites/keep/named_files.ts";
import { openBoss } from "../../src/machines/queue/open_boss.ts";
import { readQueue } from "../../src/machines/queue/queue_row.ts";
import type { MachinesWorld } from "./_machines_world.ts";

/** Two days, ms: files that no row names are removed earlier. */
const TWO_DAYS = 2 * 86_400_000;

/**
 * Checks that each file a row names exists undamaged. It reads the folder of the object store, because the program
 * compares known files only by their tags.
 *
 * @param world The machines
 * @param fault Called with what must not be
 */
export async function checkNamedFiles(
  { store, s3 }: MachinesWorld,
  fault: (text: string) => void,
): Promise<void> {
  for (const name of await wantedFiles(store, Date.now())) {
    const content = await Deno.readFile(`${s3.folder}/wind/${name}`).catch((error) => {
      if (error instanceof Deno.errors.NotFound) return new Uint8Array();
      throw error;
    });
    if (!name.startsWith(`${sha256(content)}.`)) {
      fault(`a row names ${name}, which is missing or damaged`);
    }
  }
}

/**
 * Checks that each job is done, and no job is lost.
 *
 * @param database Address of the database
 * @param orders Number of delivered orders, each built by a job
 * @param fault Called with what must not be
 * @returns Number of jobs started more than once
 */
export async function checkQueue(
  database: string,
  orders: number,
  fault: (text: string) => void,
): Promise<number> {
  const boss = await openBoss(database);
  const rows = await readQueue(boss, "true");
  await boss.stop({ graceful: false });
  for (const { job, state, output } of rows) {
    if (state !== "completed") fault(`${job.kind} is ${state}: ${JSON.stringify(output)}`);
  }
  const built = rows.filter(({ job }) => job.kind === "build_order").length;
  if (built < orders) fault(`the queue has ${built} builds of ${orders} orders`);
  return rows.filter(({ begun }) => begun > 1).length;
}

/**
 * Makes all objects two days old, runs the removal of objects without a row, and checks that exactly the others
 * remain.
 *
 * @param world The machines
 * @param fault Called with what must not be
 * @returns Number of removed objects
 */
export async function checkOrphans(
  { s3, store, files }: MachinesWorld,
  fault: (text: string) => void,
): Promise<number> {
  const then = new Date(Date.now() - TWO_DAYS);
  for (const name of await files.names()) await Deno.utime(`${s3.folder}/wind/${name}`, then, then);
  const removed = await removeOrphanFiles(store, files);
  const wanted = await wantedFiles(store, Date.now());
  const names = await files.names();
  for (const name of wanted) {
    if (!names.includes(name)) fault(`the removal took ${name}, which a row names`);
  }
  for (const name of names) {
    if (!wanted.some((one) => name.startsWith(one))) fault(`no row names ${name} after two days`);
  }
  return removed.length;
}
