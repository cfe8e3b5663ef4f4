import { ArgumentError } from "../../api/errors.ts";
import { SYNTHETIC } from "../../api/world.ts";
import type { Documents, Draft } from "../../storage/store/documents.ts";
import { parseMonths, selectLatest, writeMonths, type WrittenMonths } from "./month_table.ts";
import { endJoining } from "../../storage/store/orders.ts";
import type {
  Dataset,
  RevisedMonths,
  SiteRecord,
  StoredMonth,
  StoredTurbine,
} from "./site_record.ts";
import { readServed, type StoredSite } from "./sites.ts";
import type { Store } from "../../storage/store/store.ts";
import { formatMonthLabel } from "../../time/zones.ts";
import { reviseMonths } from "./revise_months.ts";
import { compareMonths, hasNews } from "./turbine_news.ts";
import { isPassing, PassingError } from "../../storage/failures/is_passing.ts";
import { retry } from "../../storage/failures/retry.ts";

/** Editions of a turbine of which it is kept when they were stored: those of a year or two. */
const MAX_PUBLISHED = 24;

/** Turbines that are read and written at once. */
const BATCH = 50;

/**
 * Stores a site in one transaction: what the record does not name any more is removed, a month whose figures differ
 * gets a new revision, and finished orders of replaced data are not joined any more.
 *
 * @param edition Edition of the stored site that the record was computed from; any unless given
 * @returns Published months whose figures changed, by turbine
 * @throws {SiteChangedError} If the stored site has another edition, or not all turbines that are to stay as they are:
 * nothing is stored
 * @throws {ArgumentError} If a turbine belongs to another site, or invented figures would be beside real ones
 */
export async function putSite(
  store: Store,
  record: SiteRecord,
  edition?: number,
): Promise<ReadonlyMap<string, RevisedMonths>> {
  return await store.transaction(async ({ documents: all }) => {
    await all.engine.lock("import"); // imports wait here for each other until one is committed
    await all.engine.lock("files", true);
    await all.begin("site");
    await setWorld(all, record);
    await putSource(all, record, edition);
    await removeTurbines(all, record);
    const revised = new Map<string, RevisedMonths>();
    const at = Date.now(); // one for all: what an import has stored is one piece of news
    for (let i = 0; i < record.turbines.length; i += BATCH) {
      await putTurbines(all, record, record.turbines.slice(i, i + BATCH), revised, at);
    }
    await putPoints(all, record); // last, as orders that are completed wait from here on
    return revised;
  });
}

/** One store never serves invented figures beside real ones: what it answers is marked as a whole. */
async function setWorld(all: Documents, { site, world }: SiteRecord): Promise<void> {
  if (await all.get("world", "world") === world) return;
  if ((await all.ids("site")).some((other) => other !== site)) {
    throw new ArgumentError(
      `Cannot import ${site}: ` +
        (world === "sample"
          ? `its files are ${SYNTHETIC}, but there are already real sites`
          : `there are already ${SYNTHETIC} sites, made from files of the sample`) +
        ". Import this site into another data directory or database",
    );
  }
  await all.put("world", [{ id: "world", parts: [world] }]);
}

async function putSource(
  all: Documents,
  { site, fingerprint, siteFile, datasets }: SiteRecord,
  edition: number | undefined,
): Promise<void> {
  const stored = (await all.get<StoredSite>("site", site))?.edition ?? 0;
  if (edition !== undefined && edition !== stored) throw new SiteChangedError(site);
  const source = { site, fingerprint, siteFile: siteFile ?? null, edition: stored + 1 };
  await all.put("site", [{ id: site, parts: [source] }]);
  await all.begin("dataset");
  const known = (await all.read<Dataset>("dataset")).map(({ contents: [one] }) => one);
  let last = Math.max(0, ...known.map(({ id }) => id));
  await all.put(
    "dataset",
    datasets.map((dataset) => {
      const id = known.find(({ serviceId }) => serviceId === dataset.serviceId)?.id ?? ++last;
      return { id: dataset.serviceId, parts: [{ ...dataset, id }] };
    }),
  );
}

/** Removes the turbines that a site no longer has; those that it keeps must be stored. */
async function removeTurbines(
  all: Documents,
  { site, turbines, keptTurbines = [] }: SiteRecord,
): Promise<void> {
  await all.begin("turbine");
  const known = (await all.select("turbine", { owner: site })).map(({ id }) => id);
  if (!new Set(known).isSupersetOf(new Set(keptTurbines))) throw new SiteChangedError(site);
  const named = new Set([...turbines.map(({ stored }) => stored.turbine.id), ...keptTurbines]);
  const ids = known.filter((id) => !named.has(id));
  if (ids.length > 0) await all.remove("turbine", { ids });
}

/**
 * Checks that a turbine that is imported does not belong to another site.
 *
 * @param owner Site of the turbine of that name as it is stored, if it is
 * @throws {ArgumentError} If it does
 */
export function checkOwner(site: string, id: string, owner: string | undefined): void {
  if (owner === undefined || owner === site) return;
  throw new ArgumentError(
    `Cannot import ${site}: the turbine "${id}" belongs to the site "${owner}". Give it another id`,
  );
}

async function putTurbines(
  all: Documents,
  { site, datasets }: SiteRecord,
  batch: SiteRecord["turbines"],
  revised: Map<string, RevisedMonths>,
  at: number,
): Promise<void> {
  const attribution = datasets.flatMap((dataset) => dataset.attribution);
  const ids = batch.map(({ stored }) => stored.turbine.id);
  const known = new Map(
    (await all.read<unknown>("turbine", { ids })).map((one) => [one.entry.id, one]),
  );
  const drafts = batch.map(({ stored, months }): Draft => {
    const { turbine: { id }, calibration, modelFile } = stored;
    const before = known.get(id);
    const [record, written, ...calibrations] = before?.contents ?? [];
    const earlier = record as StoredTurbine | undefined;
    checkOwner(site, id, before?.entry.owner);
    const edition = (earlier?.edition ?? 0) + 1;
    const history = written ? parseMonths(written as WrittenMonths) : [];
    const { rows, ...changes } = reviseMonths(selectLatest(history), months, {
      calibration: calibration?.revision,
      edition,
    });
    revised.set(id, changes);
    const all = mergeMonths(history, rows);
    if (calibration) {
      while (calibrations.length < calibration.revision) calibrations.push(null);
      calibrations[calibration.revision - 1] = calibration;
    }
    const isSame = JSON.stringify(earlier?.production) === JSON.stringify(stored.production);
    const now = { edition, at, production: isSame ? null : stored.production };
    const isNews = hasNews({ ...compareMonths(selectLatest(history), selectLatest(all)), ...now });
    const published = [...earlier?.published ?? [], ...isNews ? [now] : []].slice(-MAX_PUBLISHED);
    const last = selectLatest(all).findLast(({ month_index }) => month_index !== null);
    return {
      id,
      owner: site,
      state: last ? formatMonthLabel(last) : "",
      search: modelFile ?? "",
      parts: [
        { ...stored, site, attribution, edition, published },
        writeMonths(all),
        ...calibrations,
      ],
    };
  });
  await all.put("turbine", drafts);
}

/** Months with some more, each in place of one of its revision, in order of time. */
function mergeMonths(before: readonly StoredMonth[], rows: readonly StoredMonth[]): StoredMonth[] {
  const nameOf = ({ year, month, revision }: StoredMonth) => `${year} ${month} ${revision}`;
  const merged = new Map([...before, ...rows].map((month) => [nameOf(month), month]));
  return [...merged.values()].sort((a, b) =>
    a.year - b.year || a.month - b.month || a.revision - b.revision
  );
}

/**
 * Replaces the stored points of a site; finished orders of points that are no longer served can no longer be joined.
 */
async function putPoints(all: Documents, { site, datasets, points }: SiteRecord): Promise<void> {
  await all.engine.lock("points");
  const had = (await all.select("points", { owner: site })).map(({ search }) => search);
  const serviceIds = new Set([...datasets.map(({ serviceId }) => serviceId), ...had]);
  const listFiles = async (id: string) => (await readServed(all, id)).map(({ file }) => file);
  const before = new Map<string, string[]>();
  for (const id of serviceIds) before.set(id, await listFiles(id));
  await all.remove("points", { owner: site });
  await all.put(
    "points",
    [...Map.groupBy(points, ({ serviceId }) => serviceId)].map(([serviceId, own]) => {
      const attribution = datasets.find((one) => one.serviceId === serviceId)?.attribution ?? [];
      return {
        id: JSON.stringify([serviceId, site]),
        owner: site,
        search: serviceId,
        parts: [own.map((point) => ({ ...point, attribution }))],
      };
    }),
  );
  for (const [id, files] of before) {
    const after = new Set(await listFiles(id));
    // The next order must not get a finished file whose data are replaced now.
    if (!files.every((file) => after.has(file))) await endJoining(all, id);
  }
}

/** Another import stored the site after it was read: storing what was computed from it would undo that import. */
export class SiteChangedError extends Error {
  constructor(site: string) {
    super(
      `Cannot store the site "${site}": another import stored it meanwhile. Import it again`,
    );
  }
}

/** How often work is tried where a database or a disk cannot be used, which may be restarted, and the pause before, ms. */
const [TRIES, PAUSE] = [61, 1500];

/**
 * Repeats work on a site, starting with reading it, as long as another import stores that site meanwhile: each time,
 * one of them makes progress.
 *
 * @param work Reads the edition of the site, and stores what it computes from it
 * @param waits Whether it is also repeated, for a minute or more, where the storage cannot be used
 * @param signal Ends the pause before the next try
 * @throws {PassingError} If the storage still cannot be used
 */
export async function retryChanged<T>(
  work: () => Promise<T>,
  waits: boolean = false,
  signal?: AbortSignal,
): Promise<T> {
  const unlessChanged = async (): Promise<T> => {
    while (true) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof SiteChangedError)) throw error;
      }
    }
  };
  let isWaiting = false;
  const isWorth = (error: unknown) => {
    // What says by itself that it passes was waited for already.
    if (!waits || !isPassing(error) || "passes" in (error as Error)) return false;
    if (!isWaiting) console.error(`${(error as Error).message}; the import tries again`);
    return isWaiting = true;
  };
  try {
    return await retry(unlessChanged, { isWorth, pause: [PAUSE, PAUSE], tries: TRIES, signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw isWorth(error) ? new PassingError((error as Error).message) : error;
  }
}
