import { pooledMap } from "@std/async";
import { ConfigurationError } from "../api/errors.ts";
import { DamagedFileError } from "../disk/files.ts";
import { startProgress } from "../show/progress.ts";
import type { Files } from "../storage/files/files.ts";
import type { Storage } from "../storage/storage.ts";
import type { Store } from "../storage/store/store.ts";
import { type RowVisitor, STORED_TABLES } from "../storage/store/stored_tables.ts";

/** Files that are copied at the same time: each is whole in memory. */
const MAX_COPIES = 4;

const MAX_NAMED = 10;

/**
 * Copies data into an empty storage, of the same kind or another: first the files that rows name, each compared with its
 * hash, then all rows in one transaction. What is rendered of files is rendered again. The source is only read.
 *
 * @param target Where they go; files that an earlier try has left there are not copied again
 * @param options `signal` ends the move before its next file or rows; the target has no rows then
 * @returns Number of files, their size in bytes, and number of rows by table
 * @throws {ConfigurationError} If the target has data, files of the source are missing or damaged, or it was changed
 * meanwhile; no row was moved then
 * @throws {Error} If the target has other rows than were moved
 */
export async function moveData(
  source: Storage,
  target: Storage,
  { signal }: { signal?: AbortSignal } = {},
) {
  const now = await source.store.now();
  await target.store.load(() => Promise.resolve()); // refuses a target with data before files go there
  const names = await source.store.wantedFiles(now);
  const bytes = await copyFiles(source, target.files, names, signal);
  const rows = await target.store.transaction(async (all) => {
    const moved = await copyRows(source.store, all, signal);
    const named = await all.wantedFiles(now);
    if (!new Set(names).isSupersetOf(new Set(named))) refuseChanged();
    await target.files.assertPresent(named);
    return moved;
  });
  await compareRows(target.store, rows);
  return { files: names.length, bytes, rows };
}

/** Copies files, and names all those that are damaged once the others are there; returns their size, bytes. */
async function copyFiles(
  source: Storage,
  target: Files,
  names: readonly string[],
  signal?: AbortSignal,
): Promise<number> {
  using progress = startProgress("Files", { total: names.length, unit: "files" });
  const damaged: string[] = [];
  let bytes = 0;
  const copy = async (name: string) => {
    signal?.throwIfAborted();
    const content = await readSound(source.files, name);
    if (content) {
      await target.put(content, name.slice(name.indexOf(".") + 1));
      bytes += content.length;
    } else damaged.push(name);
    progress.advance();
  };
  try {
    for await (const _ of pooledMap(MAX_COPIES, names, copy));
  } catch (error) {
    throw error instanceof AggregateError ? error.errors[0] : error;
  }
  if (damaged.length > 0) await refuseDamaged(source, damaged.sort());
  return bytes;
}

/** Reads a file; `undefined` where it is missing, or its content does not have the hash in its name. */
async function readSound(files: Files, name: string): Promise<Uint8Array | undefined> {
  try {
    return await files.read(name);
  } catch (error) {
    if (error instanceof DamagedFileError) return undefined;
    throw error;
  }
}

async function refuseDamaged({ store, files }: Storage, names: readonly string[]): Promise<never> {
  const known = new Map((await store.sites.files()).map(({ name, what }) => [name, what]));
  const list = names.slice(0, MAX_NAMED).map((name) =>
    `\n  ${files.path(name)}, ${known.get(name) ?? "the file of an order"}`
  );
  const left = names.length - list.length;
  if (left > 0) list.push(`\n  and ${left} more`);
  throw new ConfigurationError(
    `Cannot move the data: of their files ${names.length} ${
      names.length === 1 ? "is" : "are"
    } missing or damaged; no row was moved. Put them back from a backup, or import their sites again; ` +
      `that of an order is built again when its address is opened:${list.join("")}`,
  );
}

function refuseChanged(): never {
  throw new ConfigurationError(
    "Cannot move the data: something has written to them meanwhile; no row was moved. Stop their service and its " +
      "updates, and move them again",
  );
}

function countRows(counts: Record<string, number>, visit?: RowVisitor): RowVisitor {
  for (const { name } of STORED_TABLES) counts[name] = 0;
  return async (table, rows) => {
    counts[table.name] += rows.length;
    await visit?.(table, rows);
  };
}

async function copyRows(
  source: Store,
  target: Store,
  signal?: AbortSignal,
): Promise<Record<string, number>> {
  using progress = startProgress("Rows", { unit: "rows" });
  const counts = {};
  await target.load((write) =>
    source.snapshot(countRows(counts, async (table, rows) => {
      signal?.throwIfAborted();
      await write(table, rows);
      progress.advance(rows.length);
    }))
  );
  return counts;
}

/** Compares the number of rows of each table with those that were moved. */
async function compareRows(target: Store, moved: Readonly<Record<string, number>>): Promise<void> {
  using _progress = startProgress("Counting rows");
  const found: Record<string, number> = {};
  await target.snapshot(countRows(found));
  const other = Object.keys(moved).filter((name) => found[name] !== moved[name]);
  if (other.length === 0) return;
  const list = other.map((name) => `${found[name]} instead of ${moved[name]} in ${name}`);
  throw new Error(
    `Cannot confirm the move: the rows there are ${
      list.join(", ")
    }. See whether another program writes there ` +
      "or the database changes what is written, empty it, and move the data again",
  );
}
