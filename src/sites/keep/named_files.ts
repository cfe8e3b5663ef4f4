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
  /** What it is, in words. */
  readonly what: string;
  /** Site whose import creates it; `null` for other files. */
  readonly site: string | null;
}

/** Names of the files that imports have stored and that are needed, each once; of all sites unless one is named. */
export async function listSiteFiles(documents: Documents, owner?: string): Promise<NamedFile[]> {
  const selection = owner === undefined ? {} : { owner };
  const points = await documents.read<StoredPoint[]>("points", selection);
  const turbines = await documents.select("turbine", selection);
  const files = [
    ...points.flatMap(({ entry, contents: [own] }) =>
      own.map(({ file, serviceId }) => ({
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

/** How long files are looked at in one search, ms. */
const LOOKING_TIME = 100;

/**
 * Prepares searches for imported files that are missing or damaged: each goes on where the one before ended, and checks
 * again what that one found.
 *
 * @returns Finds what is missing or damaged
 */
export function searchDamage({ documents }: Store, files: Files): () => Promise<NamedFile[]> {
  let start = 0;
  let damaged = new Set<string>();
  return async () => {
    const end = performance.now() + LOOKING_TIME;
    const named = await listSiteFiles(documents);
    const found = new Set<NamedFile>();
    const look = async (file: NamedFile) => {
      if (!await files.isSound(file.name)) found.add(file);
    };
    for (const file of named.filter(({ name }) => damaged.has(name))) {
      if (performance.now() < end) await look(file);
      else found.add(file); // a bucket may have lost all: it is looked at once others are mended
    }
    for (let i = 0; i < named.length && (i === 0 || performance.now() < end); i++) {
      start = (start + 1) % named.length;
      await look(named[start]);
    }
    damaged = new Set([...found].map(({ name }) => name));
    return [...found];
  };
}

/**
 * Names of the files that are needed: series, models, and those of orders whose download address is valid or not
 * assigned yet.
 *
 * @param now Instant at which addresses are checked, milliseconds since 1970 UTC
 * @param among Of these names only: less work than all. @default all
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
 * Pairs a database with its files before something is stored or removed there. Files without an identity are those of
 * the database if it names most of its files there, or they are empty.
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
 * Removes files that no row names any more: of orders whose addresses have ended or that are gone with their licence,
 * and series and models that an import has replaced, with what was rendered of them.
 *
 * @param now Instant at which download addresses are checked, milliseconds since 1970 UTC; that of the store unless given
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
    removed.push(...await store.excludeNaming((own) => removeUnnamed(own, files, batch, now)));
  }
  return removed;
}

/**
 * Restarts the time for which files stay, with what is rendered of them: answers and backups may be reading them.
 *
 * @param names Names of files that no row will name any more, or that none names since just now
 */
export async function renewReplaced(names: ReadonlySet<string>, files: Files): Promise<void> {
  if (names.size === 0) return;
  await files.renewAll(
    (await files.names()).filter((name) => names.has(nameOfContent(name) ?? "")),
  );
}

/** Removes those of some files that no row names by now: an import may have found them stored already. */
async function removeUnnamed(
  store: Store,
  files: Files,
  names: readonly string[],
  now: number,
): Promise<string[]> {
  const removed: string[] = [];
  await checkPair(store, files);
  for (const name of await selectUnnamed(store, names, now)) {
    await store.world(); // fails where the transaction was ended: others name files then
    if (await files.removeOlder(name, now - GRACE)) removed.push(name);
  }
  return removed;
}

/** The name by which rows refer to a file, or to the file that it is rendered from; `undefined` if it is not ours. */
function nameOfContent(name: string): string | undefined {
  return NAMED.exec(name)?.[0];
}

/** Whether a file was being written: where the process was killed, nobody gives it its name. */
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
