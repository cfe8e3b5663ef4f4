import type { Documents } from "../../storage/store/documents.ts";
import { listOrderFiles } from "../../storage/store/orders.ts";
import type { StoredPoint } from "./site_record.ts";
import type { Files } from "../../storage/files/files.ts";
import { checkPair, pairFiles } from "../../storage/pair.ts";
import type { Store } from "../../storage/store/store.ts";

/** A file that a document names. */
export interface NamedFile {
  /** Name: the hash of its content, and an ending. */
  readonly name: string;
  /** Description of its content, for messages. */
  readonly what: string;
  /** Site whose import creates it; `null` for other files. */
  readonly site: string | null;
}

/** Lists the files that imports have stored and that are needed, each once; of all sites or one. */
export async function listSiteFiles(documents: Documents, owner?: string): Promise<NamedFile[]> {
  const selection = owner === undefined ? {} : { owner };
  const points = await documents.read<StoredPoint[]>("points", selection);
  const turbines = await documents.select("turbine", selection);
  const files = [
    ...points.flatMap(({ entry, contents: [stored] }) =>
      stored.map(({ file, serviceId }) => ({
        name: file,
        what: `the series of a point of ${serviceId}`,
        site: entry.owner,
      }))
    ),
    ...turbines.filter(({ search }) => search !== "").map(({ id, owner, search }) => ({
      name: search,
      what: `the hourly model of ${id}`,
      site: owner,
    })),
  ];
  return [...new Map(files.map((file) => [file.name, file])).values()];
}

/** Time for checking files in one search, ms. */
const SEARCH_TIME = 100;

/**
 * Prepares searches for missing or damaged imported files. Each search continues where the last one ended, and checks
 * that one's findings again.
 *
 * @returns Function that returns the missing or damaged files
 */
export function searchDamage({ documents }: Store, files: Files): () => Promise<NamedFile[]> {
  let start = 0;
  let damaged = new Set<string>();
  return async () => {
    const end = performance.now() + SEARCH_TIME;
    const named = await listSiteFiles(documents);
    const failing = new Set<NamedFile>();
    const check = async (file: NamedFile) => {
      if (!await files.isSound(file.name)) failing.add(file);
    };
    for (const file of named.filter(({ name }) => damaged.has(name))) {
      if (performance.now() < end) await check(file);
      else failing.add(file); // a bucket may have lost all files: checked after others are restored
    }
    for (let i = 0; i < named.length && (i === 0 || performance.now() < end); i++) {
      start = (start + 1) % named.length;
      await check(named[start]);
    }
    damaged = new Set([...failing].map(({ name }) => name));
    return [...failing];
  };
}

/**
 * Names of the needed files: series, models, and files of orders whose download address is valid or not assigned yet.
 *
 * @param now Instant at which addresses are checked, milliseconds since 1970 UTC
 * @param among Restricts the result to these names, which is less work. @default all
 */
export async function wantedFiles(
  { documents }: Store,
  now: number,
  among?: readonly string[],
): Promise<string[]> {
  const files = await listSiteFiles(documents);
  const orders = await listOrderFiles(documents, now, among);
  const wanted = new Set([...files.map(({ name }) => name), ...orders]);
  return [...among ? wanted.intersection(new Set(among)) : wanted];
}

/**
 * Start of the names of our files: the hash of the content, and an ending. Names of files rendered from one start with
 * its full name. Any other file in the folder is not ours.
 */
const NAMED = /^[0-9a-f]{64}\.[a-z]+/;

/**
 * How long a file stays after it was stored or after its last row is gone, ms: a row may not name it yet, an answer may
 * still be sent from it, or a running backup may still copy it.
 */
const GRACE = 24 * 3_600_000;

/** Files removed in one transaction, after checking which are named. */
const BATCH = 100;

/**
 * Pairs a database with its files before any are stored or removed. Files without an identity belong to the database if
 * they include most of the files that it names, or if there are no files yet.
 *
 * @throws {ConfigurationError} If they do not belong together
 */
export async function claimFiles(store: Store, files: Files): Promise<void> {
  await pairFiles(store, files, async () => {
    const stored = (await files.names()).filter((name) => nameOfContent(name) !== undefined);
    const wanted = new Set(await wantedFiles(store, await store.now()));
    return stored.length === 0 || 2 * wanted.intersection(new Set(stored)).size > wanted.size;
  });
}

/**
 * Removes files that no row names any more: files of orders whose address has expired or whose licence was removed, and
 * series and models that an import has replaced, with everything rendered from them.
 *
 * @param now Instant at which download addresses are checked, milliseconds since 1970 UTC; by default the store's clock
 * @returns Names of the files that were removed
 * @throws {ConfigurationError} If the files do not belong to the database
 */
export async function removeOrphanFiles(
  store: Store,
  files: Files,
  now?: number,
): Promise<string[]> {
  now ??= await store.now();
  const orphans = await selectUnnamed(store, await files.names(), now);
  if (orphans.length > 0) await claimFiles(store, files);
  const removed: string[] = [];
  while (orphans.length > 0) {
    const batch = orphans.splice(0, BATCH);
    removed.push(...await store.excludeNaming((all) => removeUnnamed(all, files, batch, now)));
  }
  return removed;
}

/**
 * Restarts the grace period of files and of everything rendered from them: answers and backups may be reading them.
 *
 * @param names Names of files that rows have just stopped naming or are about to
 */
export async function renewReplaced(names: ReadonlySet<string>, files: Files): Promise<void> {
  if (names.size === 0) return;
  await files.renewAll(
    (await files.names()).filter((name) => names.has(nameOfContent(name) ?? "")),
  );
}

/** Removes the given files that are still unnamed: an import may have reused some meanwhile. */
async function removeUnnamed(
  store: Store,
  files: Files,
  names: readonly string[],
  now: number,
): Promise<string[]> {
  const removed: string[] = [];
  await checkPair(store, files);
  for (const name of await selectUnnamed(store, names, now)) {
    await store.world(); // fails if the transaction has ended: then others may name files
    if (await files.removeOlder(name, now - GRACE)) removed.push(name);
  }
  return removed;
}

/** Name by which rows refer to a file or to its source; `undefined` if it is not ours. */
function nameOfContent(name: string): string | undefined {
  return NAMED.exec(name)?.[0];
}

/** Whether a file is partly written: left over if the process was killed before renaming it. */
const isPart = (name: string) => name.endsWith(".part");

async function selectUnnamed(
  store: Store,
  names: readonly string[],
  now: number,
): Promise<string[]> {
  const ours = names.filter((name) => nameOfContent(name) !== undefined);
  const contents = [...new Set(ours.map((name) => nameOfContent(name)!))];
  const wanted = new Set(await wantedFiles(store, now - GRACE, contents));
  return ours.filter((name) => isPart(name) || !wanted.has(nameOfContent(name)!));
}
