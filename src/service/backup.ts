import { declareOptions, readOptions } from "../show/options/read_options.ts";
import { ArgumentError, ConfigurationError } from "../api/errors.ts";
import { buildRefuse, type Refuse } from "../frames/read_columns.ts";
import { exists, isRefusal, nameFailure } from "../disk/files.ts";
import { Sha256 } from "../disk/hashes.ts";
import { syncFolder } from "../disk/side_file.ts";
import { startProgress } from "../show/progress.ts";
import { FolderFiles } from "../storage/files/folder/folder_files.ts";
import { IDENTITY_FILE } from "../storage/files/files.ts";
import { comparePair } from "../storage/pair.ts";
import type { Store } from "../storage/store/store.ts";
import { DATABASE, FILES_FOLDER, findDatabase } from "../storage/data_directory.ts";
import { snapshotDatabase } from "../storage/store/sqlite/sqlite_backup.ts";
import { listSiteFiles, type NamedFile } from "../sites/keep/named_files.ts";
import { listOrderFiles } from "../storage/store/orders.ts";

/** Number and size of the files of a backup. */
export interface BackupAccount {
  /** Number of files, without the database. */
  readonly files: number;
  /** Total size, bytes. */
  readonly bytes: number;
}

/** Options of {@linkcode backUp}. */
export interface BackUpOptions {
  /** Stops the backup before its next file, and removes the incomplete copy. */
  signal?: AbortSignal;
}

const OPTIONS = declareOptions<BackUpOptions>()("signal");

const PART_BYTES = 1 << 20;

/** Finds the folder around a backup, and checks that a backup may be made in it. */
async function findParent(data: string, to: string): Promise<string> {
  const refuse: Refuse = buildRefuse(`back up ${data} to ${to}`);
  if (await exists(to)) {
    refuse("the target already exists. Name a new folder, for example with today's date");
  }
  const parent = to.replace(/\/+$/, "").replace(/[^/]*$/, "") || ".";
  // It is not created: if the backup disk is not mounted, it would be on the disk that is backed up.
  if (!await exists(parent)) {
    refuse(`the folder ${parent} is missing. Create it, or mount its disk`);
  }
  const [inside, around] = [await Deno.realPath(parent), await Deno.realPath(data)];
  if (`${inside}/`.startsWith(`${around}/`)) {
    refuse("the backup would be inside the data directory. Name a folder outside it");
  }
  return parent;
}

/** Opens and locks the target folder, and removes leftovers of a killed backup. */
async function takeSide(side: string): Promise<Deno.FsFile> {
  await Deno.mkdir(side, { recursive: true, mode: 0o700 });
  const folder = await Deno.open(side);
  try {
    if (!await folder.tryLock(true)) {
      throw new ArgumentError(
        `Cannot back up to ${side}: another backup is writing there now. Wait until that backup ends, or name another folder`,
      );
    }
    const names = [...Deno.readDirSync(side)].map(({ name }) => name);
    const foreign = names.find((name) => name !== FILES_FOLDER && !name.startsWith(DATABASE));
    if (foreign !== undefined) {
      throw new ArgumentError(
        `Cannot back up to ${side}: it contains ${foreign}, which is not part of a backup. Name another folder`,
      );
    }
    for (const name of names) await Deno.remove(`${side}/${name}`, { recursive: true });
    return folder;
  } catch (error) {
    folder.close();
    throw error;
  }
}

/** Remedy for a missing or damaged file. */
function suggestRemedy({ name, site }: NamedFile): string {
  const fromBackup = `Restore the file from an earlier backup (${FILES_FOLDER}/${name})`;
  return site === null ? fromBackup : `${fromBackup}, or import the site "${site}" again`;
}

/**
 * Copies a file whose name is the hash of its content to the disk.
 *
 * @returns Its size, bytes
 * @throws {ConfigurationError} If it is missing or has other content
 */
async function copyAndCheck(from: string, to: string, file: NamedFile): Promise<number> {
  const refuse = (problem: string, cause?: unknown): never => {
    throw new ConfigurationError(
      `Cannot back up ${from}, ${file.what}: ${problem}. ${suggestRemedy(file)}`,
      { cause },
    );
  };
  using source = await Deno.open(from).catch((error) => refuse("it cannot be opened", error));
  using copy = await Deno.open(to, { write: true, createNew: true, mode: 0o600 });
  const hash = new Sha256();
  const part = new Uint8Array(PART_BYTES);
  let bytes = 0;
  for (let read; (read = await source.read(part)) !== null; bytes += read) {
    const filled = part.subarray(0, read);
    hash.update(filled);
    for (let written = 0; written < read;) written += await copy.write(filled.subarray(written));
  }
  if (hash.hex() !== file.name.slice(0, file.name.indexOf("."))) {
    refuse("it is damaged, because its content does not match the hash in its name");
  }
  await copy.sync();
  return bytes;
}

/** Lists the files that the copied database refers to, each once. */
async function listNamedFiles({ documents }: Store): Promise<NamedFile[]> {
  const files = await listSiteFiles(documents);
  const orders = new Set(await listOrderFiles(documents, Date.now()))
    .difference(new Set(files.map(({ name }) => name)));
  const what = "the file of an order";
  return [...files, ...[...orders].map((name) => ({ name, what, site: null }))];
}

/** Writes the whole backup into a folder. */
async function writeBackup(
  data: string,
  side: string,
  { signal }: BackUpOptions,
): Promise<BackupAccount> {
  const database = `${side}/${DATABASE}`;
  const files = new FolderFiles(`${data}/${FILES_FOLDER}`);
  const marked = await files.identity();
  const [namedFiles, identity] = await snapshotDatabase(
    findDatabase(data),
    database,
    async (copy) => [await listNamedFiles(copy), await copy.identity()] as const,
  );
  comparePair(findDatabase(data), identity, marked ?? await files.identity(), files);
  await Deno.chmod(database, 0o600);
  await Deno.mkdir(`${side}/${FILES_FOLDER}`, { mode: 0o700 });
  let { size: bytes } = await Deno.stat(database);
  using progress = startProgress("Backup", { total: namedFiles.length, unit: "files" });
  for (const file of namedFiles) {
    signal?.throwIfAborted();
    const path = `${FILES_FOLDER}/${file.name}`;
    bytes += await copyAndCheck(`${data}/${path}`, `${side}/${path}`, file);
    progress.advance();
  }
  if (identity) {
    const mark = new TextEncoder().encode(identity.id);
    bytes += mark.length;
    await new FolderFiles(`${side}/${FILES_FOLDER}`).writeNew(IDENTITY_FILE, mark);
  }
  for (const folder of [`${side}/${FILES_FOLDER}`, side]) await syncFolder(folder);
  return { files: namedFiles.length, bytes };
}

/**
 * Backs up a data directory while it is in use: a snapshot of the database, then the files that it names, which
 * never change. Everything is written to a folder FOLDER.partial, compared with its hash and synced to the disk
 * before that folder gets its name, so a folder of that name is complete. A backup is a data directory itself.
 *
 * @param data The data directory
 * @param to Folder of the backup; it must not exist yet, the folder around it must
 * @param options Signal
 * @throws {ArgumentError} If no backup can be made there
 * @throws {ConfigurationError} If there is no data directory, something in it is damaged, or its files belong to another
 * database; the message names it
 *
 * @example Back up, then look at the backup
 * ```ts
 * import { connect, exampleFile, turbines } from "@vindkit/vindkit";
 * import { backUp } from "@vindkit/vindkit/service";
 * import { importSite, readSiteFile } from "@vindkit/vindkit/sites";
 * import { assertEquals } from "@std/assert";
 *
 * const folder = await Deno.makeTempDir();
 * await importSite(await readSiteFile(await exampleFile("site.json")), { data: `${folder}/data` });
 * await backUp(`${folder}/data`, `${folder}/monday`);
 *
 * await using connection = connect({ data: `${folder}/monday` });
 * assertEquals((await turbines({ connection })).height, 1);
 * await connection.close();
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function backUp(
  data: string,
  to: string,
  options: BackUpOptions = {},
): Promise<BackupAccount> {
  readOptions("backUp()", options, OPTIONS);
  findDatabase(data);
  try {
    return await writeAside(data, to, options);
  } catch (error) {
    throw isRefusal(error) ? nameFailure(`back up ${data} to ${to}`, error) : error;
  }
}

/** Writes a backup next to its folder, and moves it there when it is complete. */
async function writeAside(data: string, to: string, options: BackUpOptions) {
  const parent = await findParent(data, to);
  const side = `${to.replace(/\/+$/, "")}.partial`;
  using _taken = await takeSide(side);
  try {
    const account = await writeBackup(data, side, options);
    await Deno.rename(side, to);
    await syncFolder(parent);
    return account;
  } catch (error) {
    await Deno.remove(side, { recursive: true }).catch(() => {}); // the first failure is the one to report
    throw error;
  }
}
