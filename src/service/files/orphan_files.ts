import type { Files } from "./files.ts";
import type { Store } from "../store/store.ts";

/**
 * Beginning of the names of files that rows may name: the hash of their content, and an ending. What is rendered of one
 * begins with its whole name; everything else in the folder is not ours.
 */
const NAMED = /^[0-9a-f]{64}\.[a-z]+/;

/**
 * How long a file stays after it was stored, or after the last row that named it is gone, ms: a row may not name it yet,
 * an answer may still be sent from it, and a backup that began while it was needed copies it.
 */
const GRACE = 24 * 3_600_000;

/** Number of files that are removed before the store is asked again which are named. */
const BATCH = 100;

/**
 * Removes files that no row names any more: of orders whose addresses have ended or that are gone with their licence,
 * and series and models that an import has replaced, with what was rendered of them.
 *
 * @param store Store whose rows name the files
 * @param files Files of the data directory
 * @param now Instant at which download addresses are checked, milliseconds since 1970 UTC
 * @returns Names of the files that were removed
 */
export async function removeOrphanFiles(
  store: Store,
  files: Files,
  now: number = Date.now(),
): Promise<string[]> {
  const orphans = await selectUnnamed(store, await files.names(), now);
  const removed: string[] = [];
  while (orphans.length > 0) {
    const batch = orphans.splice(0, BATCH);
    removed.push(...await store.excludeNaming((own) => removeUnnamed(own, files, batch, now)));
  }
  return removed;
}

/**
 * Restarts the time for which files stay that no row names any more: answers and backups may be reading them.
 *
 * @param before Names of the files that rows named before
 * @param store Store whose rows name the files
 * @param files Files of the data directory
 */
export async function renewOrphanFiles(
  before: readonly string[],
  store: Store,
  files: Files,
): Promise<void> {
  const wanted = new Set(await store.wantedFiles(Date.now()));
  const replaced = before.filter((name) => !wanted.has(name));
  for (const name of await files.names()) {
    if (replaced.some((old) => name.startsWith(old))) await files.renew(name);
  }
}

/** Removes those of some files that no row names by now: an import may have found them stored already. */
async function removeUnnamed(
  store: Store,
  files: Files,
  names: readonly string[],
  now: number,
): Promise<string[]> {
  const removed: string[] = [];
  for (const name of await selectUnnamed(store, names, now)) {
    await store.world(); // fails where the transaction was ended: others name files then
    if (await files.removeOlder(name, now - GRACE)) removed.push(name);
  }
  return removed;
}

async function selectUnnamed(
  store: Store,
  names: readonly string[],
  now: number,
): Promise<string[]> {
  const wanted = new Set(await store.wantedFiles(now - GRACE));
  return names.filter((name) => {
    const [named] = NAMED.exec(name) ?? [];
    return named !== undefined && !wanted.has(named);
  });
}
