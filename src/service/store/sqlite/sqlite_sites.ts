// deno-lint-ignore-file require-await -- SQLite answers at once; async turns what it throws into a rejection
import { ArgumentError } from "../../../api/errors.ts";
import { SYNTHETIC } from "../../../api/world.ts";
import type {
  Dataset,
  LastMonth,
  RevisedMonths,
  SiteRecord,
  StoredCalibration,
  StoredMonth,
  StoredPoint,
  StoredTurbine,
} from "../site_record.ts";
import type { NamedFile, SiteStore } from "../store.ts";
import {
  readDatasetRows,
  readHistory,
  readPointRows,
  readTurbineIds,
  verifyLists,
  writeHistory,
  writeLists,
} from "./contents.ts";
import { listNamedFiles } from "./named_files.ts";
import { RecordCache } from "./record_cache.ts";
import type { Row, SqliteDatabase } from "./sqlite_database.ts";
import { SqliteMonths } from "./sqlite_months.ts";

/** A dataset from its row. */
function toDataset(row: Row): Dataset {
  return { ...JSON.parse(row.record as string), id: row.id };
}

/** The imported data of a SQLite store: sites with their datasets, points, turbines and months. */
export class SqliteSites implements SiteStore {
  readonly #database: SqliteDatabase;
  readonly #read: RecordCache;
  readonly #months: SqliteMonths;

  /** @param database Their database */
  constructor(database: SqliteDatabase) {
    this.#database = database;
    this.#read = new RecordCache(database);
    this.#months = new SqliteMonths(database, this.#read);
  }

  async turbineIds(): Promise<string[]> {
    return readTurbineIds(this.#database);
  }

  async turbine(id: string): Promise<StoredTurbine | undefined> {
    return this.#read.get(`turbine ${id}`, () => {
      const row = this.#database.snapshot(() => {
        const [found] = this.#database.find("turbines", { turbine_id: id });
        if (found || !readTurbineIds(this.#database).includes(id)) return found;
        return this.#database.refuse(`the row of ${id}`);
      });
      return row && JSON.parse(row.record as string) as StoredTurbine;
    });
  }

  async months(turbineId: string, edition?: number): Promise<StoredMonth[]> {
    return this.#months.all(turbineId, edition);
  }

  async lastMonths(turbineIds: readonly string[]): Promise<LastMonth[]> {
    return this.#months.last(turbineIds);
  }

  async month(
    turbineId: string,
    year: number,
    month: number,
    revision?: number,
  ): Promise<StoredMonth | undefined> {
    return this.#months.one(turbineId, year, month, revision);
  }

  async calibration(turbineId: string, revision: number): Promise<StoredCalibration | undefined> {
    const row = this.#database.snapshot(() => {
      const [found] = this.#database.find("calibrations", { turbine_id: turbineId, revision });
      const last = Number(readHistory(this.#database, turbineId)?.calibrations ?? 0);
      if (found || revision < 1 || revision > last) return found;
      return this.#database.refuse(`calibration ${revision} of ${turbineId}`);
    });
    return row && JSON.parse(row.record as string);
  }

  async datasets(): Promise<Dataset[]> {
    return readDatasetRows(this.#database).map(toDataset);
  }

  async dataset(serviceId: string): Promise<Dataset | undefined> {
    return this.#read.get(`dataset ${serviceId}`, () => {
      const row = readDatasetRows(this.#database)
        .find(({ service_id }) => service_id === serviceId);
      return row && toDataset(row);
    });
  }

  async points(serviceId: string): Promise<StoredPoint[]> {
    return this.#read.get(
      `points ${serviceId}`,
      () =>
        readPointRows(this.#database, serviceId).map((row): StoredPoint =>
          JSON.parse(row.record as string)
        ),
    )!;
  }

  async files(site?: string): Promise<readonly NamedFile[]> {
    const all = this.#read.get(
      "files",
      () => listNamedFiles(this.#database, 0).filter((file) => file.site !== null),
    )!;
    return site === undefined ? all : all.filter((file) => file.site === site);
  }

  async fingerprint(site: string): Promise<string | undefined> {
    return this.#database.findOne("sites", { site })?.fingerprint as string | undefined;
  }

  async siteFiles(): Promise<ReadonlyMap<string, string | undefined>> {
    const rows = this.#database.select("sites", "ORDER BY site");
    return new Map(rows.map(({ site, site_file }) => [
      String(site),
      site_file === null ? undefined : String(site_file),
    ]));
  }

  async setSiteFile(site: string, path: string | undefined): Promise<void> {
    this.#database.transaction(() => {
      const value = path ?? null;
      const changed = this.#database.run(
        "UPDATE sites SET site_file = ? WHERE site = ? AND site_file IS NOT ?",
        value,
        site,
        value,
      );
      if (changed > 0) this.#database.seal("sites", "site = ?", site);
    });
  }

  async put(record: SiteRecord): Promise<ReadonlyMap<string, RevisedMonths>> {
    this.#read.forget();
    try {
      return this.#database.transaction(() => {
        verifyLists(this.#database); // they are written anew below
        const months = new Map(
          record.turbines.map(({ stored: { turbine: { id } } }) => [id, this.#months.all(id)]),
        );
        this.#setWorld(record);
        this.#putSource(record);
        this.#endOrdersOfOtherData(record);
        this.#putPoints(record);
        const revised = this.#putTurbines(record, months);
        writeLists(this.#database);
        return revised;
      });
    } finally {
      this.#read.forget();
    }
  }

  /** One store never serves invented figures beside real ones: what it answers is marked as a whole. */
  #setWorld({ site, world }: SiteRecord): void {
    const changed = this.#database.run(
      "UPDATE about SET value = ? WHERE name = 'world' AND value <> ?",
      world,
      world,
    );
    this.#database.seal("about", "name = 'world'");
    if (changed === 0 || !this.#database.get("SELECT 1 FROM sites WHERE site <> ?", site)) return;
    throw new ArgumentError(
      `Cannot import ${site}: ` +
        (world === "sample"
          ? `its files are ${SYNTHETIC}, and this data directory has real sites`
          : `this data directory has ${SYNTHETIC} sites, made of files of the sample`) +
        ". Import it into a directory of its own",
    );
  }

  #putSource({ site, fingerprint, siteFile, datasets }: SiteRecord): void {
    this.#database.run(
      `INSERT INTO sites (site, fingerprint, site_file) VALUES (?, ?, ?)
       ON CONFLICT (site) DO UPDATE SET
         fingerprint = excluded.fingerprint, site_file = excluded.site_file`,
      site,
      fingerprint,
      siteFile ?? null,
    );
    this.#database.seal("sites", "site = ?", site);
    for (const dataset of datasets) {
      this.#database.run(
        `INSERT INTO datasets (service_id, record) VALUES (?, ?)
         ON CONFLICT (service_id) DO UPDATE SET record = excluded.record`,
        dataset.serviceId,
        JSON.stringify(dataset),
      );
      this.#database.seal("datasets", "service_id = ?", dataset.serviceId);
    }
  }

  /** Ends orders whose finished file has data that are replaced now: the next order must not get it. */
  #endOrdersOfOtherData({ site, datasets, points }: SiteRecord): void {
    const files = new Set(points.map(({ file }) => file));
    for (const { serviceId } of datasets) {
      const replaced = this.#database.find("points", { service_id: serviceId, site })
        .some(({ record }) => !files.has(JSON.parse(record as string).file));
      if (!replaced) continue;
      for (
        const { id } of this.#database.find("orders", { service_id: serviceId, state: "complete" })
      ) {
        this.#database.run("UPDATE orders SET state = 'delivered' WHERE id = ?", id);
        this.#database.seal("orders", "id = ?", id);
      }
    }
  }

  #putPoints({ site, points }: SiteRecord): void {
    this.#database.run("DELETE FROM points WHERE site = ?", site);
    for (const point of points) {
      this.#database.run(
        `INSERT INTO points (service_id, site, latitude, longitude, record) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (service_id, latitude, longitude) DO UPDATE SET
           site = excluded.site, record = excluded.record`,
        point.serviceId,
        site,
        point.latitude,
        point.longitude,
        JSON.stringify(point),
      );
    }
    this.#database.seal("points", "site = ?", site);
  }

  #putTurbines(
    { site, datasets, turbines }: SiteRecord,
    before: ReadonlyMap<string, readonly StoredMonth[]>,
  ): ReadonlyMap<string, RevisedMonths> {
    const present = turbines.map(({ stored }) => stored.turbine.id);
    this.#database.run(
      "DELETE FROM turbines WHERE site = ? AND turbine_id NOT IN (SELECT value FROM json_each(?))",
      site,
      JSON.stringify(present),
    );
    const serviceIds = datasets.map(({ serviceId }) => serviceId);
    return new Map(
      turbines.map((entry) => {
        const { id } = entry.stored.turbine;
        return [id, this.#putTurbine(site, serviceIds, entry, before.get(id) ?? [])];
      }),
    );
  }

  #putTurbine(
    site: string,
    serviceIds: readonly string[],
    { stored, months }: SiteRecord["turbines"][number],
    before: readonly StoredMonth[],
  ): RevisedMonths {
    const turbine: StoredTurbine = { ...stored, site, serviceIds };
    const { id } = turbine.turbine;
    this.#database.run(
      `INSERT INTO turbines (turbine_id, site, record) VALUES (?, ?, ?)
       ON CONFLICT (turbine_id) DO UPDATE SET site = excluded.site, record = excluded.record`,
      id,
      site,
      JSON.stringify(turbine),
    );
    this.#database.seal("turbines", "turbine_id = ?", id);
    const { calibration } = stored;
    if (calibration) {
      this.#database.run(
        `INSERT INTO calibrations (turbine_id, revision, record) VALUES (?, ?, ?)
         ON CONFLICT (turbine_id, revision) DO UPDATE SET record = excluded.record`,
        id,
        calibration.revision,
        JSON.stringify(calibration),
      );
      this.#database.seal(
        "calibrations",
        "turbine_id = ? AND revision = ?",
        id,
        calibration.revision,
      );
    }
    const revised = this.#months.put(id, before, calibration?.revision, stored.edition, months);
    writeHistory(this.#database, id);
    return revised;
  }
}
