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
  const wanted = new Set(await store.wantedFiles(now - GRACE));
  const removed: string[] = [];
  for (const name of await files.names()) {
    const [named] = NAMED.exec(name) ?? [];
    if (named === undefined || wanted.has(named)) continue;
    if (await files.removeOlder(name, now - GRACE)) removed.push(name);
  }
  return removed;
}
