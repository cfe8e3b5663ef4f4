import type { NamedFile, Store } from "../store/store.ts";
import type { Files } from "./files.ts";

/** How long new files are hashed in one search, ms. */
const HASHING_TIME = 100;

/**
 * Finds imported files that are missing or damaged. Files that were not read yet are hashed for a tenth of a second, the
 * others by the next searches.
 *
 * @param store Store whose rows name the files
 * @param files Files of the data directory
 */
export async function findDamagedFiles({ sites }: Store, files: Files): Promise<NamedFile[]> {
  const end = performance.now() + HASHING_TIME;
  const damaged: NamedFile[] = [];
  for (const file of await sites.files()) {
    if (performance.now() > end && files.hashes.isNew(files.path(file.name))) continue;
    if (!await files.isSound(file.name)) damaged.push(file);
  }
  return damaged;
}
