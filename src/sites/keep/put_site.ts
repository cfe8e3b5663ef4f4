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

/** Most editions of a turbine in its publication record: a year or two. */
const MAX_PUBLISHED = 24;

/** Turbines read and written at once. */
const BATCH = 50;

/**
 * Stores a site in one transaction: removes what the record no longer names, gives changed months a new revision, and
 * stops new orders from joining finished orders of replaced data.
 *
 * @param edition Edition of the stored site that the record was computed from; any by default
 * @returns Published months whose figures changed, by turbine
 * @throws {SiteChangedError} If the stored site has another edition, or lacks a turbine to be kept: nothing is stored
 * @throws {ArgumentError} If a turbine belongs to another site, or invented and real figures would be mixed
 */
export async function putSite(
  store: Store,
  record: SiteRecord,
  edition?: number,
): Promise<ReadonlyMap<string, RevisedMonths>> {
  return await store.transaction(async ({ documents: all }) => {
    await all.engine.lock("import"); // imports run one after the other from here to the commit
    await all.engine.lock("files", true);
    await all.begin("site");
    await setWorld(all, record);
    await putSource(all, record, edition);
    await removeTurbines(all, record);
    const revised = new Map<string, RevisedMonths>();
    const at = Date.now(); // one time for all turbines: an import is one piece of news
    for (let i = 0; i < record.turbines.length; i += BATCH) {
      await putTurbines(all, record, record.turbines.slice(i, i + BATCH), revised, at);
    }
    await putPoints(all, record); // last, because completing orders wait from here on
    return revised;
  });
}

/** Rejects mixing invented and real figures in one store: its answers are marked as a whole. */
async function setWorld(all: Documents, { site, world }: SiteRecord): Promise<void> {
  if (await all.get("world", "world") === world) return;
  if ((await all.ids("site")).some((other) => other !== site)) {
    throw new ArgumentError(
      `Cannot import ${site}: ` +
        (world === "sample"
          ? `its files are ${SYNTHETIC}, but the data already contain real sites`
          : `the data already contain ${SYNTHETIC} sites, made from files of the sample`) +
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

/** Removes the turbines that a site no longer has; kept turbines must be stored. */
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
 * Checks that an imported turbine does not belong to another site.
 *
 * @param owner Site of the stored turbine with this identifier, if any
 * @throws {ArgumentError} If it does
 */
export function checkOwner(site: string, id: string, owner: string | undefined): void {
  if (owner === undefined || owner === site) return;
  throw new ArgumentError(
    `Cannot import ${site}: the turbine "${id}" belongs to the site "${owner}". Give the turbine another id`,
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

/** Merges months in order of time; a new row replaces one with the same revision. */
function mergeMonths(before: readonly StoredMonth[], rows: readonly StoredMonth[]): StoredMonth[] {
  const nameOf = ({ year, month, revision }: StoredMonth) => `${year} ${month} ${revision}`;
  const merged = new Map([...before, ...rows].map((month) => [nameOf(month), month]));
  return [...merged.values()].sort((a, b) =>
    a.year - b.year || a.month - b.month || a.revision - b.revision
  );
}

/**
 * Replaces the stored points of a site, and stops orders from joining finished orders of points no longer served.
 */
async function putPoints(all: Documents, { site, datasets, points }: SiteRecord): Promise<void> {
  await all.engine.lock("points");
  const previous = (await all.select("points", { owner: site })).map(({ search }) => search);
  const serviceIds = new Set([...datasets.map(({ serviceId }) => serviceId), ...previous]);
  const listFiles = async (id: string) => (await readServed(all, id)).map(({ file }) => file);
  const before = new Map<string, string[]>();
  for (const id of serviceIds) before.set(id, await listFiles(id));
  await all.remove("points", { owner: site });
  await all.put(
    "points",
    [...Map.groupBy(points, ({ serviceId }) => serviceId)].map(([serviceId, datasetPoints]) => {
      const attribution = datasets.find((one) => one.serviceId === serviceId)?.attribution ?? [];
      return {
        id: JSON.stringify([serviceId, site]),
        owner: site,
        search: serviceId,
        parts: [datasetPoints.map((point) => ({ ...point, attribution }))],
      };
    }),
  );
  for (const [id, files] of before) {
    const after = new Set(await listFiles(id));
    // The next order must not get a finished file with replaced data.
    if (!files.every((file) => after.has(file))) await endJoining(all, id);
  }
}

/** Another import stored the site after it was read: storing figures computed from it would undo that import. */
export class SiteChangedError extends Error {
  constructor(site: string) {
    super(
      `Cannot store the site "${site}": another import stored it meanwhile. Import it again`,
    );
  }
}

/** How often to try if a database or a disk is unavailable, for example during a restart, and the pause between, ms. */
const [TRIES, PAUSE] = [61, 1500];

/**
 * Repeats work on a site, starting with reading it, as long as another import stores that site meanwhile. Each round,
 * one of the imports succeeds.
 *
 * @param work Reads the edition of the site, and stores what it computes from it
 * @param waits Whether to repeat it also while the storage is unavailable, for a minute or more
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
    // An error with `passes` was already waited for.
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
