import { pooledMap } from "@std/async";
import { ConfigurationError } from "../api/errors.ts";
import { DamagedFileError } from "../disk/files.ts";
import { startProgress } from "../show/progress.ts";
import type { Files } from "../storage/files/files.ts";
import type { Storage } from "../storage/storage.ts";
import type { Store } from "../storage/store/store.ts";
import { claimFiles, listSiteFiles, wantedFiles } from "../sites/keep/named_files.ts";

/** Files copied at the same time; each is held in memory. */
const MAX_COPIES = 4;

const MAX_NAMED = 10;

/**
 * Copies data into an empty storage, of the same kind or another: first the files that rows name, each compared with its
 * hash, then all documents in one transaction. Rendered files are not copied: they are rendered again. The source is only
 * read.
 *
 * @param target The empty storage; files from an earlier try are not copied again
 * @param options `signal` ends the move before its next file or rows; the target then has no rows
 * @returns Number of files, their size in bytes, and number of documents by kind
 * @throws {ConfigurationError} If the target has data, files of the source are missing or damaged, it was changed
 * meanwhile, or the files of the target belong to another database; no row was moved then
 * @throws {DamagedFileError} If the target differs from the source afterwards
 */
export async function moveData(
  source: Storage,
  target: Storage,
  { signal }: { signal?: AbortSignal } = {},
) {
  const now = await source.store.now();
  await target.store.load(() => Promise.resolve()); // refuses a target with data before files go there
  await claimFiles(target.store, target.files);
  const names = await wantedFiles(source.store, now);
  const bytes = await copyFiles(source, target.files, names, signal);
  const rows = await target.store.transaction(async (all) => {
    const moved = await copyRows(source.store, all, signal);
    const neededFiles = await wantedFiles(all, now);
    if (!new Set(names).isSupersetOf(new Set(neededFiles))) refuseChanged();
    await target.files.assertPresent(neededFiles);
    return moved;
  });
  await target.store.snapshot(() => Promise.resolve()); // compares the stored documents with their hashes
  return { files: names.length, bytes, rows };
}

/** Copies files, then reports all damaged ones; returns their size, bytes. */
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

/** Reads a file; `undefined` if it is missing, or its content does not match the hash in its name. */
async function readSound(files: Files, name: string): Promise<Uint8Array | undefined> {
  try {
    return await files.read(name);
  } catch (error) {
    if (error instanceof DamagedFileError) return undefined;
    throw error;
  }
}

async function refuseDamaged({ store, files }: Storage, names: readonly string[]): Promise<never> {
  const kinds = new Map(
    (await listSiteFiles(store.documents)).map(({ name, what }) => [name, what]),
  );
  const list = names.slice(0, MAX_NAMED).map((name) =>
    `\n  ${files.path(name)}, ${kinds.get(name) ?? "the file of an order"}`
  );
  const remaining = names.length - list.length;
  if (remaining > 0) list.push(`\n  and ${remaining} more`);
  throw new ConfigurationError(
    `Cannot move the data: ${names.length} ${
      names.length === 1 ? "file is" : "files are"
    } missing or damaged, so no row was moved. Restore each listed file from a backup, or import its site again. The next download of an order rebuilds the order's file. The files:${
      list.join("")
    }`,
  );
}

function refuseChanged(): never {
  throw new ConfigurationError(
    "Cannot move the data: another process changed them meanwhile, so no row was moved. Stop the service and its " +
      "updates, then move the data again",
  );
}

async function copyRows(
  source: Store,
  target: Store,
  signal?: AbortSignal,
): Promise<Record<string, number>> {
  using progress = startProgress("Rows", { unit: "rows" });
  const counts: Record<string, number> = {};
  await target.load((write) =>
    source.snapshot(async (kind, documents) => {
      signal?.throwIfAborted();
      await write(kind, documents);
      counts[kind] = (counts[kind] ?? 0) + documents.length;
      progress.advance(documents.length);
    })
  );
  return counts;
}
