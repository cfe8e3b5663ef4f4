import { sha256 } from "../../disk/hashes.ts";
import type { Store } from "../../storage/store/store.ts";
import type { Documents } from "../../storage/store/documents.ts";
import { HOUR } from "../../time/hourly.ts";
import { parseMonths, selectLatest, type WrittenMonths } from "./month_table.ts";
import { compareMonths, type TurbineNews } from "./turbine_news.ts";
import type {
  Dataset,
  LastMonth,
  StoredCalibration,
  StoredMonth,
  StoredPoint,
  StoredTurbine,
} from "./site_record.ts";

/** A stored site. */
export interface StoredSite {
  readonly site: string;
  readonly fingerprint: string;
  readonly siteFile: string | null;
  readonly edition: number;
}

/**
 * Parts of the document of a turbine: its record, its months, then its calibrations by revision. Its `owner` is the
 * site, `search` the file of its hourly model, `state` its last month with figures.
 */
const [RECORD, MONTHS, CALIBRATIONS] = [0, 1, 2];

/** Turbines read at once. */
const BATCH = 50;

/** Sites with their turbines, months, datasets and climate points, as imports store them. */
export class Sites {
  readonly #documents: Documents;

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  async turbineIds(): Promise<string[]> {
    return [...await this.#documents.ids("turbine")];
  }

  /** Identifiers of the turbines after a given one, in order, up to a limit: fleets may be very large. */
  async nextTurbineIds(after: string, limit: number): Promise<string[]> {
    const ids = await this.#documents.ids("turbine");
    const first = ids.findIndex((id) => id > after);
    return first === -1 ? [] : ids.slice(first, first + limit);
  }

  /** Selects the identifiers that stored turbines have, sorted. */
  async findTurbineIds(ids: readonly string[]): Promise<string[]> {
    const known = new Set(await this.#documents.ids("turbine"));
    return [...new Set(ids)].filter((id) => known.has(id)).sort();
  }

  /**
   * Present version of all sites; it changes with each import that stores something. Afterwards, a store for one
   * request reads nothing older.
   */
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

  /** Several turbines at once, by identifier; one that is not stored is left out. */
  async turbines(ids: readonly string[]): Promise<StoredTurbine[]> {
    return (await this.#read<StoredTurbine>(ids, RECORD)).map(({ contents: [one] }) => one);
  }

  /** Every month of a turbine in order of time: the latest revision, or the latest up to an edition. */
  async months(turbineId: string, edition?: number): Promise<StoredMonth[]> {
    return selectLatest(await this.#revisions(turbineId), edition);
  }

  /** Describes the news of a turbine between two of its editions. */
  async newsOf(
    { turbine: { id }, published }: Pick<StoredTurbine, "turbine" | "published">,
    from: number,
    to: number,
  ): Promise<TurbineNews> {
    const revisions = await this.#revisions(id);
    const [before, after] = [from, to].map((edition) => selectLatest(revisions, edition));
    const recent = published.filter(({ edition }) => edition > from && edition <= to);
    const [first, last] = [before, after].map((months) =>
      Math.max(0, ...months.map(({ calibration }) => calibration))
    );
    let engine_change: string | null = null;
    let earlier = first < last ? await this.calibration(id, first) : undefined;
    for (let revision = first + 1; revision <= last; revision++) {
      const next = await this.calibration(id, revision);
      if (earlier && next && earlier.basis.engine !== next.basis.engine) {
        [engine_change] = next.notes;
      }
      earlier = next ?? earlier;
    }
    return {
      ...compareMonths(before, after),
      engine_change,
      production: recent.findLast(({ production }) => production)?.production ?? null,
    };
  }

  /**
   * Latest revision of every month of several turbines, by turbine, in order of time; a turbine without months has no
   * entry.
   */
  async fleetMonths(ids: readonly string[]): Promise<ReadonlyMap<string, StoredMonth[]>> {
    const all = await this.#read<WrittenMonths>(ids, MONTHS);
    return new Map(
      all.map(({ entry, contents: [months] }) =>
        [entry.id, selectLatest(parseMonths(months))] as const
      ).filter(([, months]) => months.length > 0),
    );
  }

  /** Last month with figures of several turbines, by identifier; turbines without figures are left out. */
  async lastMonths(ids: readonly string[]): Promise<LastMonth[]> {
    const entries = await this.#documents.select("turbine", { ids });
    return entries.filter(({ state }) => state !== "").map(({ id, state }) => {
      const [year, month] = state.split("-").map(Number);
      return { turbine_id: id, year, month };
    });
  }

  /** One month of a turbine; the latest revision unless one is named. */
  async month(
    turbineId: string,
    year: number,
    month: number,
    revision?: number,
  ): Promise<StoredMonth | undefined> {
    return (await this.#revisions(turbineId)).findLast((row) =>
      row.year === year && row.month === month && row.revision === (revision ?? row.revision)
    );
  }

  /** Latest calibration of a turbine, even if the turbine has lost its production since, and the next revision. */
  async latestCalibration(turbineId: string): Promise<
    { readonly calibration: StoredCalibration | null; readonly nextRevision: number }
  > {
    const parts = (await this.#documents.find("turbine", turbineId))?.parts ?? [];
    const revision = Math.max(0, parts.length - CALIBRATIONS);
    const calibration = await this.calibration(turbineId, revision) ?? null;
    return { calibration, nextRevision: revision + 1 };
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

  /** Served points of a dataset, one per place: {@linkcode readServed}. */
  async points(serviceId: string): Promise<StoredPoint[]> {
    return await readServed(this.#documents, serviceId);
  }

  /** Latest end of a site's climate series, milliseconds since 1970 UTC. */
  async climateEnd(site: string): Promise<number> {
    const all = await this.#documents.read<readonly StoredPoint[]>("points", { owner: site });
    const points = all.flatMap(({ contents: [stored] }) => stored);
    return Math.max(...points.map(({ start, hours }) => start + hours * HOUR));
  }

  async fingerprint(site: string): Promise<string | undefined> {
    return (await this.#documents.get<StoredSite>("site", site))?.fingerprint;
  }

  /** How often a site was stored, 0 if never. Read it before computing, and pass it when storing the site. */
  async edition(site: string): Promise<number> {
    return (await this.#documents.get<StoredSite>("site", site))?.edition ?? 0;
  }

  /** Paths of the site files by site, in order of name; `undefined` for a site without one. */
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

  async #sites(): Promise<StoredSite[]> {
    return (await this.#documents.readAll<StoredSite>("site")).map(({ contents: [site] }) => site);
  }

  /**
   * Reads one part of the documents of turbines, in order; checks the list for damage if a stored turbine is missing.
   */
  async #read<T>(ids: readonly string[], part: number) {
    const documents = [];
    for (let i = 0; i < ids.length; i += BATCH) {
      documents.push(
        ...await this.#documents.read<T>("turbine", { ids: ids.slice(i, i + BATCH) }, part),
      );
    }
    const readIds = new Set(documents.map(({ entry }) => entry.id));
    const missing = ids.filter((id) => !readIds.has(id));
    if (missing.length > 0 && (await this.findTurbineIds(missing)).length > 0) {
      await this.#documents.compare("turbine");
    }
    return documents.sort((a, b) => a.entry.id < b.entry.id ? -1 : 1);
  }

  /** All revisions of all months of a turbine, in order of time. */
  async #revisions(turbineId: string): Promise<readonly StoredMonth[]> {
    const months = await this.#documents.get<WrittenMonths>("turbine", turbineId, MONTHS);
    return months ? parseMonths(months) : [];
  }
}

export function sitesOf({ documents }: Pick<Store, "documents">): Sites {
  return new Sites(documents);
}

/** Points of a dataset; if several sites have a place, the longest series, and of equally long ones the latest. */
export async function readServed(documents: Documents, serviceId: string): Promise<StoredPoint[]> {
  const lists = await documents.read<StoredPoint[]>("points", { search: [serviceId] });
  if (lists.length === 0) await documents.compareWhereMissing("points");
  const served = new Map<string, StoredPoint>();
  for (const point of lists.flatMap(({ contents: [points] }) => points)) {
    const place = `${point.latitude} ${point.longitude}`;
    const known = served.get(place);
    const isBetter = !known || point.hours > known.hours ||
      point.hours === known.hours && point.start > known.start;
    if (isBetter) served.set(place, point);
  }
  return [...served.values()]
    .sort((a, b) => a.latitude - b.latitude || a.longitude - b.longitude);
}
