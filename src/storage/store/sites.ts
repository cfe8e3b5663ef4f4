import { sha256 } from "../../disk/hashes.ts";
import { formatMonthLabel } from "../../time/zones.ts";
import { checkOwner } from "./check_owner.ts";
import type { Documents, Draft } from "./documents.ts";
import { findMonth, selectLatest } from "./month_history.ts";
import { parseMonths, writeMonths, type WrittenMonths } from "./month_table.ts";
import { endJoining } from "./orders.ts";
import { refuseWorld } from "./refuse_world.ts";
import { reviseMonths } from "./revise_months.ts";
import { SiteChangedError } from "./site_changed_error.ts";
import type {
  Dataset,
  LastMonth,
  RevisedMonths,
  SiteRecord,
  StoredCalibration,
  StoredMonth,
  StoredPoint,
  StoredTurbine,
} from "./site_record.ts";
import type { NamedFile, SiteStore } from "./store.ts";

/** A site as it is stored. */
interface StoredSite {
  readonly site: string;
  readonly fingerprint: string;
  readonly siteFile: string | null;
  readonly edition: number;
}

/**
 * Parts of the document of a turbine: its record, its months, and then its calibrations, the first revision first. Its owner is
 * its site, `search` the file of its hourly model, `state` its last month with figures.
 */
const [RECORD, MONTHS, CALIBRATIONS] = [0, 1, 2];

/** Turbines that are read and written at once. */
const BATCH = 50;

/** What is needed of turbines by more than their identifiers. */
export class Sites implements SiteStore {
  readonly #documents: Documents;

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  async turbineIds(): Promise<string[]> {
    return [...await this.#documents.ids("turbine")];
  }

  async nextTurbineIds(after: string, limit: number): Promise<string[]> {
    const ids = await this.#documents.ids("turbine");
    const first = ids.findIndex((id) => id > after);
    return first === -1 ? [] : ids.slice(first, first + limit);
  }

  async findTurbineIds(ids: readonly string[]): Promise<string[]> {
    const known = new Set(await this.#documents.ids("turbine"));
    return [...new Set(ids)].filter((id) => known.has(id)).sort();
  }

  async version(): Promise<string> {
    this.#documents.renew();
    const sites = await this.#sites();
    return sha256(JSON.stringify(sites.map(({ site, fingerprint, edition }) => [
      site,
      fingerprint,
      edition,
    ])));
  }

  async turbine(id: string): Promise<StoredTurbine | undefined> {
    return await this.#documents.get<StoredTurbine>("turbine", id, RECORD);
  }

  async turbines(ids: readonly string[]): Promise<StoredTurbine[]> {
    return (await this.#read<StoredTurbine>(ids, RECORD)).map(({ contents: [one] }) => one);
  }

  async months(turbineId: string, edition?: number): Promise<StoredMonth[]> {
    return selectLatest(await this.#revisions(turbineId), edition);
  }

  async fleetMonths(ids: readonly string[]): Promise<ReadonlyMap<string, StoredMonth[]>> {
    const all = await this.#read<WrittenMonths>(ids, MONTHS);
    return new Map(
      all.map(({ entry, contents: [months] }) =>
        [entry.id, selectLatest(parseMonths(months))] as const
      ).filter(([, months]) => months.length > 0),
    );
  }

  async lastMonths(ids: readonly string[]): Promise<LastMonth[]> {
    const entries = await this.#documents.select("turbine", { ids });
    return entries.filter(({ state }) => state !== "").map(({ id, state }) => {
      const [year, month] = state.split("-").map(Number);
      return { turbine_id: id, year, month };
    });
  }

  async month(
    turbineId: string,
    year: number,
    month: number,
    revision?: number,
  ): Promise<StoredMonth | undefined> {
    return findMonth(await this.#revisions(turbineId), { year, month, revision });
  }

  async calibration(turbineId: string, revision: number): Promise<StoredCalibration | undefined> {
    if (!(revision >= 1)) return undefined;
    const part = CALIBRATIONS + revision - 1;
    return await this.#documents.get<StoredCalibration | null>("turbine", turbineId, part) ??
      undefined;
  }

  async datasets(): Promise<Dataset[]> {
    const all = await this.#documents.readAll<Dataset>("dataset");
    return all.map(({ contents: [dataset] }) => dataset).sort((a, b) => a.id - b.id);
  }

  async dataset(serviceId: string): Promise<Dataset | undefined> {
    return await this.#documents.get<Dataset>("dataset", serviceId);
  }

  async points(serviceId: string): Promise<StoredPoint[]> {
    return await readServed(this.#documents, serviceId);
  }

  async files(site?: string): Promise<readonly NamedFile[]> {
    return await listSiteFiles(this.#documents, site === undefined ? {} : { owner: site });
  }

  async fingerprint(site: string): Promise<string | undefined> {
    return (await this.#documents.get<StoredSite>("site", site))?.fingerprint;
  }

  async edition(site: string): Promise<number> {
    return (await this.#documents.get<StoredSite>("site", site))?.edition ?? 0;
  }

  async siteFiles(): Promise<ReadonlyMap<string, string | undefined>> {
    return new Map(
      (await this.#sites()).map(({ site, siteFile }) => [site, siteFile ?? undefined]),
    );
  }

  async setSiteFile(site: string, path: string | undefined): Promise<void> {
    if ((await this.siteFiles()).get(site) === path) return;
    await this.#documents.transaction(async (all) => {
      await all.begin("site");
      const known = await all.get<StoredSite>("site", site);
      if (known) {
        await all.put("site", [{ id: site, parts: [{ ...known, siteFile: path ?? null }] }]);
      }
    });
  }

  async put(record: SiteRecord, edition?: number): Promise<ReadonlyMap<string, RevisedMonths>> {
    return await this.#documents.transaction(async (all) => {
      await all.engine.lock("import"); // imports wait here for each other until one is committed
      await all.engine.lock("files", true);
      await all.begin("site");
      await setWorld(all, record);
      await putSource(all, record, edition);
      await removeTurbines(all, record);
      const revised = new Map<string, RevisedMonths>();
      for (let i = 0; i < record.turbines.length; i += BATCH) {
        await putTurbines(all, record, record.turbines.slice(i, i + BATCH), revised);
      }
      await putPoints(all, record); // last, as orders that are completed wait from here on
      return revised;
    });
  }

  async #sites(): Promise<StoredSite[]> {
    return (await this.#documents.readAll<StoredSite>("site")).map(({ contents: [site] }) => site);
  }

  /** Documents of turbines with a part, in order; a list without one of them that is stored is damaged. */
  async #read<T>(ids: readonly string[], part: number) {
    const found = [];
    for (let i = 0; i < ids.length; i += BATCH) {
      found.push(
        ...await this.#documents.read<T>("turbine", { ids: ids.slice(i, i + BATCH) }, part),
      );
    }
    const own = new Set(found.map(({ entry }) => entry.id));
    if (own.size < new Set(ids).intersection(new Set(await this.turbineIds())).size) {
      await this.#documents.compare("turbine");
    }
    return found.sort((a, b) => a.entry.id < b.entry.id ? -1 : 1);
  }

  /** All revisions of all months of a turbine, in order of time. */
  async #revisions(turbineId: string): Promise<readonly StoredMonth[]> {
    const months = await this.#documents.get<WrittenMonths>("turbine", turbineId, MONTHS);
    return months ? parseMonths(months) : [];
  }
}

/** Names of the files of sites, each once. */
export async function listSiteFiles(
  documents: Documents,
  selection: { readonly owner?: string },
): Promise<NamedFile[]> {
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

/** Points of a dataset, of each place that several sites have the longest series, of equally long ones the latest. */
async function readServed(documents: Documents, serviceId: string): Promise<StoredPoint[]> {
  const lists = await documents.read<StoredPoint[]>("points", { search: [serviceId] });
  if (lists.length === 0) await documents.compareWhereMissing("points");
  const served = new Map<string, StoredPoint>();
  for (const point of lists.flatMap(({ contents: [own] }) => own)) {
    const place = `${point.latitude} ${point.longitude}`;
    const known = served.get(place);
    const isBetter = !known || point.hours > known.hours ||
      point.hours === known.hours && point.start > known.start;
    if (isBetter) served.set(place, point);
  }
  return [...served.values()]
    .sort((a, b) => a.latitude - b.latitude || a.longitude - b.longitude);
}

/** One store never serves invented figures beside real ones: what it answers is marked as a whole. */
async function setWorld(all: Documents, { site, world }: SiteRecord): Promise<void> {
  if (await all.get("world", "world") === world) return;
  if ((await all.ids("site")).some((other) => other !== site)) refuseWorld({ site, world });
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

/** Removes the turbines that a site has no more; those that it keeps must be there. */
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

async function putTurbines(
  all: Documents,
  { site, datasets }: SiteRecord,
  batch: SiteRecord["turbines"],
  revised: Map<string, RevisedMonths>,
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
    checkOwner(site, before && { site: before.entry.owner, turbine: { id } });
    const edition = ((record as StoredTurbine | undefined)?.edition ?? 0) + 1;
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
    const last = selectLatest(all).findLast(({ month_index }) => month_index !== null);
    return {
      id,
      owner: site,
      state: last ? formatMonthLabel(last) : "",
      search: modelFile ?? "",
      parts: [{ ...stored, site, attribution, edition }, writeMonths(all), ...calibrations],
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

/** Stores the points of a site in place of those that it had; finished orders of what is served no longer are not joined any more. */
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
