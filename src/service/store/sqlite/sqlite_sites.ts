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
import type { SiteStore } from "../store.ts";
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
    this.#months = new SqliteMonths(database);
  }

  async turbineIds(): Promise<string[]> {
    return this.#database.all("SELECT turbine_id FROM turbines ORDER BY turbine_id")
      .map((row) => row.turbine_id as string);
  }

  async turbine(id: string): Promise<StoredTurbine | undefined> {
    return this.#read.get(`turbine ${id}`, () => {
      const row = this.#database.get("SELECT record FROM turbines WHERE turbine_id = ?", id);
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
    const row = this.#database.get(
      "SELECT record FROM calibrations WHERE turbine_id = ? AND revision = ?",
      turbineId,
      revision,
    );
    return row && JSON.parse(row.record as string);
  }

  async datasets(): Promise<Dataset[]> {
    return this.#database.all("SELECT id, record FROM datasets ORDER BY id").map(toDataset);
  }

  async dataset(serviceId: string): Promise<Dataset | undefined> {
    return this.#read.get(`dataset ${serviceId}`, () => {
      const row = this.#database.get(
        "SELECT id, record FROM datasets WHERE service_id = ?",
        serviceId,
      );
      return row && toDataset(row);
    });
  }

  async points(serviceId: string): Promise<StoredPoint[]> {
    return this.#database.all(
      "SELECT record FROM points WHERE service_id = ? ORDER BY latitude, longitude",
      serviceId,
    ).map((row) => JSON.parse(row.record as string));
  }

  async fingerprint(site: string): Promise<string | undefined> {
    const row = this.#database.get("SELECT fingerprint FROM sites WHERE site = ?", site);
    return row?.fingerprint as string | undefined;
  }

  async put(record: SiteRecord): Promise<ReadonlyMap<string, RevisedMonths>> {
    this.#read.forget();
    return this.#database.transaction(() => {
      this.#setWorld(record);
      this.#putSource(record);
      this.#endOrdersOfOtherData(record);
      this.#putPoints(record);
      return this.#putTurbines(record);
    });
  }

  /** One store never serves invented figures beside real ones: what it answers is marked as a whole. */
  #setWorld({ site, world }: SiteRecord): void {
    const changed = this.#database.run(
      "UPDATE about SET value = ? WHERE name = 'world' AND value <> ?",
      world,
      world,
    );
    if (changed === 0 || !this.#database.get("SELECT 1 FROM sites WHERE site <> ?", site)) return;
    throw new ArgumentError(
      `Cannot import ${site}: ` +
        (world === "sample"
          ? `its files are ${SYNTHETIC}, and this data directory has real sites`
          : `this data directory has ${SYNTHETIC} sites, made of files of the sample`) +
        ". Import it into a directory of its own",
    );
  }

  #putSource({ site, fingerprint, datasets }: SiteRecord): void {
    this.#database.run(
      "INSERT INTO sites VALUES (?, ?) ON CONFLICT (site) DO UPDATE SET fingerprint = excluded.fingerprint",
      site,
      fingerprint,
    );
    for (const dataset of datasets) {
      this.#database.run(
        `INSERT INTO datasets (service_id, record) VALUES (?, ?)
         ON CONFLICT (service_id) DO UPDATE SET record = excluded.record`,
        dataset.serviceId,
        JSON.stringify(dataset),
      );
    }
  }

  /** Ends orders whose finished file has data that are replaced now: the next order must not get it. */
  #endOrdersOfOtherData({ site, datasets, points }: SiteRecord): void {
    for (const { serviceId } of datasets) {
      this.#database.run(
        `UPDATE orders SET state = 'delivered'
         WHERE state = 'complete' AND orders.service_id = ? AND EXISTS (
           SELECT 1 FROM points WHERE site = ? AND points.service_id = orders.service_id AND
             json_extract(record, '$.file') NOT IN (SELECT value FROM json_each(?)))`,
        serviceId,
        site,
        JSON.stringify(points.map(({ file }) => file)),
      );
    }
  }

  #putPoints({ site, points }: SiteRecord): void {
    this.#database.run("DELETE FROM points WHERE site = ?", site);
    for (const point of points) {
      this.#database.run(
        `INSERT INTO points VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (service_id, latitude, longitude) DO UPDATE SET
           site = excluded.site, record = excluded.record`,
        point.serviceId,
        site,
        point.latitude,
        point.longitude,
        JSON.stringify(point),
      );
    }
  }

  #putTurbines({ site, datasets, turbines }: SiteRecord): ReadonlyMap<string, RevisedMonths> {
    const present = turbines.map(({ stored }) => stored.turbine.id);
    this.#database.run(
      "DELETE FROM turbines WHERE site = ? AND turbine_id NOT IN (SELECT value FROM json_each(?))",
      site,
      JSON.stringify(present),
    );
    const serviceIds = datasets.map(({ serviceId }) => serviceId);
    return new Map(
      turbines.map((entry) => [
        entry.stored.turbine.id,
        this.#putTurbine(site, serviceIds, entry),
      ]),
    );
  }

  #putTurbine(
    site: string,
    serviceIds: readonly string[],
    { stored, months }: SiteRecord["turbines"][number],
  ): RevisedMonths {
    const turbine: StoredTurbine = { ...stored, site, serviceIds };
    const { id } = turbine.turbine;
    this.#database.run(
      `INSERT INTO turbines VALUES (?, ?, ?) ON CONFLICT (turbine_id) DO UPDATE SET
       site = excluded.site, record = excluded.record`,
      id,
      site,
      JSON.stringify(turbine),
    );
    const { calibration } = stored;
    if (calibration) {
      this.#database.run(
        `INSERT INTO calibrations VALUES (?, ?, ?)
         ON CONFLICT (turbine_id, revision) DO UPDATE SET record = excluded.record`,
        id,
        calibration.revision,
        JSON.stringify(calibration),
      );
    }
    return this.#months.put(id, calibration?.revision, stored.edition, months);
  }
}
