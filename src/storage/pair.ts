import { ConfigurationError } from "../api/errors.ts";
import { type Files, IDENTITY_FILE } from "./files/files.ts";
import type { Identity, Store } from "./store/store.ts";

function refuse(database: string, files: Files, problem: string, hint: string): never {
  throw new ConfigurationError(
    `Cannot use ${database} with the files in ${files.path("").replace(/\/$/, "")}: ${problem}`,
    { code: "other_files", hint },
  );
}

/** Rejects files without an identity, which may belong to another database. */
function refuseUnmarked(database: string, { id }: Identity, files: Files): never {
  return refuse(
    database,
    files,
    "they have no identity, so Vindkit cannot tell whether they belong to this database",
    "Name the files that were imported with this database. For new data, name an empty folder or prefix. If these are " +
      `its files, for example from an old backup, write ${id} to ${files.path(IDENTITY_FILE)}`,
  );
}

/**
 * Compares the identities of a database and its files.
 *
 * @param database Address of the database, without secrets
 * @param known Identity of the database; `undefined` before the first import
 * @param marked Identity of the files; `undefined` if they have none
 * @throws {ConfigurationError} If they do not belong together
 */
export function comparePair(
  database: string,
  known: Identity | undefined,
  marked: string | undefined,
  files: Files,
): void {
  if (marked === known?.id) return;
  const mark = files.path(IDENTITY_FILE);
  if (marked !== undefined && known && !/^[\w-]+$/.test(marked)) {
    refuse(
      database,
      files,
      "the file with their identity is damaged",
      `If these are the files of this database, write ${known.id} to ${mark}`,
    );
  }
  if (marked !== undefined) {
    refuse(
      database,
      files,
      `they belong to another database (their identity is ${marked}, the identity of the database is ${
        known?.id ?? "not set yet"
      })`,
      "Name a database and files that were imported together, or restore that database from a backup. For new data, " +
        "name an empty folder or prefix" +
        (known ? "" : `. If no other database uses these files, remove ${mark} and import again`),
    );
  }
  if (!known!.pending) refuseUnmarked(database, known!, files);
}

/**
 * Checks that a database and files belong together or are not paired yet. Writes nothing.
 *
 * @throws {ConfigurationError} If they belong to different databases
 */
export async function checkPair(store: Store, files: Files): Promise<void> {
  let marked = await files.identity();
  const known = await store.identity();
  if (marked === undefined && known?.pending === false) marked = await files.identity(); // just paired
  comparePair(store.address, known, marked, files);
}

/**
 * Pairs a database with its files, once: both get the same random identity. The database gets it first, marked as
 * pending, so the next call can complete what a killed process began.
 *
 * @param isOwner Whether the files without identity belong to the database, or there are none
 * @throws {ConfigurationError} If they do not belong together
 */
export async function pairFiles(
  store: Store,
  files: Files,
  isOwner: () => Promise<boolean>,
): Promise<void> {
  await checkPair(store, files);
  let known = await store.identity();
  if (known?.pending === false) return;
  known ??= await store.beginIdentity();
  if (await files.identity() === undefined) {
    if (!await isOwner()) refuseUnmarked(store.address, known, files);
    await files.writeNew(IDENTITY_FILE, new TextEncoder().encode(`${known.id}\n`));
  }
  comparePair(store.address, known, await files.identity(), files); // another database may have been first
  await store.confirmIdentity(known);
}
