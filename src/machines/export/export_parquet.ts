import { isRefusal, nameFailure } from "../../disk/files.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import { describeValue } from "../../api/error_text.ts";
import { ArgumentError } from "../../api/errors.ts";
import {
  drawersOf,
  openStorage,
  type Storage,
  type StorageAddress,
} from "../../storage/storage.ts";
import {
  type ExportName,
  type ExportTable,
  type ExportTarget,
  PARTITION,
  type VersionedText,
} from "./export_table.ts";
import { EXPORT_NAMES, exportTables, isExportName } from "./export_tables.ts";
import { openTarget } from "./open_target.ts";
import type { World } from "../../api/world.ts";
import { startProgress } from "../../show/progress.ts";
import { type Jobs, waitForAbort } from "../../storage/jobs/job.ts";
import { exportByJob } from "./export_group.ts";
import {
  formatManifest,
  type Manifest,
  type ManifestContent,
  nameManifest,
  parseManifest,
  type WrittenGroup,
} from "./manifest.ts";
import { fingerprintTurbines } from "./turbine_records.ts";
import { writeGroup } from "./write_group.ts";
import { sitesOf } from "../../sites/keep/sites.ts";

/**
 * Groups the turbines of an export in the order of their identifiers. The bounds between the groups of an earlier export
 * stay, so a new turbine changes only its own group; a group that has grown too large is divided evenly.
 *
 * @param firsts First identifier of each group of the earlier export, in order; empty without one
 * @param size Largest number of turbines in a group
 */
export function planGroups(
  ids: readonly string[],
  firsts: readonly string[],
  size: number,
): string[][] {
  const sorted = ids.toSorted(); // by character code, whatever the order of the store
  const bounds = firsts.slice(1).map((first) => {
    const position = sorted.findIndex((id) => id >= first);
    return position === -1 ? sorted.length : position;
  });
  return [0, ...bounds].flatMap((begin, i) =>
    divideEvenly(sorted.slice(begin, bounds[i] ?? sorted.length), size)
  );
}

/** Divides a list into as few parts as its size needs, of nearly equal length; none if it is empty. */
function divideEvenly(list: readonly string[], size: number): string[][] {
  const parts = Math.ceil(list.length / size);
  const bound = (part: number) => Math.round(part * list.length / parts);
  return Array.from({ length: parts }, (_, part) => list.slice(bound(part), bound(part + 1)));
}

/** Content of an export, and its changes. */
interface ExportAccount {
  /** Number of turbines, including those without figures. */
  readonly turbines: number;
  /** Rows of all files. */
  readonly rows: number;
  /** Number of files. */
  readonly files: number;
  /** Size of all files, bytes. */
  readonly bytes: number;
  /** Number of new files. */
  readonly newFiles: number;
  /** Number of removed files, from an export before the last one or from an interrupted one. */
  readonly removedFiles: number;
  /** World of the figures. */
  readonly world: World;
}

/** Description of the data in the manifest. */
type Content = Pick<Manifest, "groups" | "files">;

/** Names of data files of any export, including leftovers of a killed one. */
const OWN_FILE = new RegExp(
  `^[a-z]+/${PARTITION}=-?\\d+/[0-9a-f]{64}\\.parquet(\\.[^/]+\\.part)?$`,
);

/** The complete groups of an earlier export, by the fingerprint of their turbines. */
function listKept(
  { groups, files }: Content,
  present: ReadonlyMap<string, number>,
): ReadonlyMap<string, WrittenGroup> {
  const written = groups.map((group, i) => ({
    group,
    files: files.filter((file) => file.group === i),
  }));
  return new Map(
    written.filter((group) => group.files.every(({ path, bytes }) => present.get(path) === bytes))
      .map((group) => [group.group.fingerprint, group]),
  );
}

/**
 * Replaces the manifest, which makes the files the new export.
 *
 * @param target Target of the export
 * @param table The table
 * @param before The manifest that was read at the beginning; `undefined` without one
 * @param content The new content
 * @throws {ArgumentError} If another export has written there meanwhile: its manifest stays
 */
async function commit(
  target: ExportTarget,
  table: ExportTable,
  before: VersionedText | undefined,
  content: ManifestContent,
): Promise<void> {
  // The previous export may still be removing files, among them one that this export keeps.
  const present = await target.list(table.name);
  const isComplete = content.files.every(({ path, bytes }) => present.get(path) === bytes);
  const text = formatManifest(table, content);
  if (isComplete && await target.replace(nameManifest(table), text, before?.version)) return;
  throw new ArgumentError(
    `Cannot complete the export to ${target.address}: another export of ${table.name} changed ` +
      "its files meanwhile. Run one export at a time, and export again",
  );
}

/**
 * Data files in neither the present nor the previous manifest. Readers may still use the previous one.
 */
function listUnnamed(
  present: ReadonlyMap<string, number>,
  manifests: readonly Content[],
): readonly string[] {
  const namedPaths = new Set(manifests.flatMap(({ files }) => files.map(({ path }) => path)));
  return [...present.keys()].filter((path) => OWN_FILE.test(path) && !namedPaths.has(path));
}

/**
 * Exports a table. It skips unchanged groups of turbines, writes the others next to them, and then the manifest that names
 * them all. Until then, the previous export stays complete.
 *
 * @param storage Storage of the data
 * @param target Target of the export
 * @param table The table
 * @param options `jobs`: writes each group as a job, this process by default; `signal` stops the export
 * before its next turbines or file
 * @throws {ConfigurationError} If there is a manifest that cannot be read
 * @throws {ArgumentError} If another export writes there at the same time
 */
export async function writeExport(
  storage: Storage,
  target: ExportTarget,
  table: ExportTable,
  { jobs, signal }: { jobs?: Jobs | undefined; signal?: AbortSignal | undefined } = {},
): Promise<ExportAccount> {
  const { store } = storage;
  const before = await target.read(nameManifest(table));
  const earlier = parseManifest(before?.text, target, table);
  const present = await target.list(table.name);
  const keptGroups = listKept(earlier, present);
  const ids = await sitesOf(store).turbineIds();
  const firsts = earlier.groups.map(({ turbines: [{ turbine_id }] }) => turbine_id);
  using progress = startProgress(`Export of ${table.name}`, {
    total: ids.length,
    unit: "turbines",
  });
  const work = { storage, table, target, present, signal, progress };
  const advance = (turbines: number) => progress.advance(turbines);
  const writing: Promise<WrittenGroup>[] = [];
  for (const group of planGroups(ids, firsts, table.groupSize)) {
    const fingerprint = await fingerprintTurbines(sitesOf(store), group, signal);
    const keptGroup = keptGroups.get(fingerprint);
    if (keptGroup) {
      progress.advance(group.length);
      writing.push(Promise.resolve(keptGroup));
    } else if (jobs) {
      const written = exportByJob(jobs, target, table, { ids: group, fingerprint }, advance);
      written.catch(() => {}); // thrown below, once all are under way
      writing.push(written);
    } else writing.push(Promise.resolve(await writeGroup(work, group)));
  }
  const groups: Manifest["groups"] = [];
  const files: Manifest["files"] = [];
  for (const written of await Promise.race([Promise.all(writing), waitForAbort(signal)])) {
    if (!written.group) continue;
    files.push(...written.files.map((file) => ({ ...file, group: groups.length })));
    groups.push(written.group);
  }
  const world = await store.world();
  const content: ManifestContent = { number: earlier.number, world, groups, files };
  const unnamed = listUnnamed(present, [earlier, content]);
  signal?.throwIfAborted();
  // Before files are removed, too: the new number refuses an export that began earlier and may have written one of them.
  if (unnamed.length > 0 || formatManifest(table, content) !== before?.text) {
    await commit(target, table, before, { ...content, number: earlier.number + 1 });
  }
  for (const path of unnamed) await target.remove(path);
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
  return {
    turbines: sum(groups.map(({ turbines }) => turbines.length)),
    rows: sum(files.map(({ rows }) => rows)),
    files: files.length,
    bytes: sum(files.map(({ bytes }) => bytes)),
    newFiles: files.filter(({ path, bytes }) => present.get(path) !== bytes).length,
    removedFiles: unnamed.length,
    world,
  };
}

/** Options of {@linkcode exportParquet}. */
export interface ExportParquetOptions {
  /** The table: monthly `indices`, or `hours` of the model. */
  what: ExportName;
  /** Stops the export before its next turbines or file; the previous export stays. */
  signal?: AbortSignal;
}

const OPTIONS = declareOptions<ExportParquetOptions>()("what! signal");

/**
 * Exports a table of a storage as Parquet files for DuckDB, Polars, Spark and others, also while it is in use:
 * folders by year, and a manifest that names the files. A repeated export writes only changes. From a shared storage to
 * an object store, the workers of the queue write the files.
 *
 * @param data The data directory, or the shared storage
 * @param to Folder of the export, which is created if it is missing, or an object store as `s3://bucket/prefix`
 * @param options Table and signal
 * @throws {ArgumentError} If there is no such table, or another export writes there at the same time
 * @throws {ConfigurationError} If there are no data, a manifest cannot be read, or an object store cannot be opened
 * @throws {PassingError} If an object store does not answer
 * @throws {DamagedFileError} If a file of the data is damaged or missing
 */
export async function exportParquet(
  data: StorageAddress,
  to: string,
  options: ExportParquetOptions,
): Promise<ExportAccount> {
  readOptions("exportParquet()", options, OPTIONS);
  const { what, signal } = options;
  if (!isExportName(what)) {
    throw new ArgumentError(
      `Cannot export ${describeValue(what)}: no table has this name. Give one of ${
        EXPORT_NAMES.join(", ")
      }`,
    );
  }
  using target = await openTarget(to);
  await using storage = await openStorage(data);
  const table = exportTables[what];
  try {
    if (typeof data === "string" || !target.isShared) {
      return await writeExport(storage, target, table, { signal });
    }
    await using queue = await drawersOf(data).watchJobs(signal);
    return await writeExport(storage, target, table, queue);
  } catch (error) {
    throw isRefusal(error) ? nameFailure(`export to ${target.address}`, error) : error;
  }
}
