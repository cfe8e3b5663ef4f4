import { ConfigurationError } from "../../api/errors.ts";
import type { World } from "../../api/world.ts";
import { MONTH_COLUMNS, type Row, sameFigures, toDataset, withoutFigures } from "./rows.ts";
import { MIGRATIONS, SCHEMA, SCHEMA_VERSION } from "./schema.ts";
import { SqliteDatabase } from "./sqlite_database.ts";
import { SqliteLicences } from "./sqlite_licences.ts";
import { ReadRecords } from "./read_records.ts";
import { SqliteOrders } from "./sqlite_orders.ts";
import type {
  Dataset,
  FreshMonth,
  Licence,
  LicenceEntry,
  Order,
  OrderChange,
  OrderState,
  SiteRecord,
  Store,
  StoredCalibration,
  StoredKey,
  StoredMonth,
  StoredPoint,
  StoredTurbine,
} from "./store.ts";

const LATEST_MONTH = `SELECT * FROM months AS own WHERE turbine_id = ? AND revision =
  (SELECT max(revision) FROM months
   WHERE turbine_id = own.turbine_id AND year = own.year AND month = own.month
   AND edition <= ?)`;

/** An edition later than any: the latest figures. */
const LATEST = Number.MAX_SAFE_INTEGER;

/** The store on one machine: SQLite in WAL mode. */
export class SqliteStore implements Store {
  readonly #database: SqliteDatabase;
  readonly #licences: SqliteLicences;
  readonly #orders: SqliteOrders;
  readonly #read: ReadRecords;

  /**
   * Opens a database, and makes it where there is none.
   *
   * @param path Path of the database
   * @param world Where the figures of a new database come from
   * @throws {ConfigurationError} If it has another schema
   */
  constructor(path: string, world: World = "own") {
    this.#database = new SqliteDatabase(path);
    this.#licences = new SqliteLicences(this.#database);
    this.#orders = new SqliteOrders(this.#database);
    this.#read = new ReadRecords(this.#database);
    try {
      this.#prepareSchema(path, world);
    } catch (cause) {
      this.#database.close();
      if (cause instanceof ConfigurationError) throw cause;
      throw new ConfigurationError(
        `Cannot open ${path}: it is damaged or no database (${(cause as Error).message})`,
        { cause },
      );
    }
  }

  #prepareSchema(path: string, world: World): void {
    this.#database.exec(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 10000; PRAGMA foreign_keys = ON",
    );
    this.#database.transaction(() => {
      const { user_version: version } = this.#database.get("PRAGMA user_version") as Row;
      if (version === SCHEMA_VERSION) return;
      const from = version as number;
      if (from < 0 || from > SCHEMA_VERSION) {
        throw new ConfigurationError(
          `Cannot open ${path}: its schema has version ${from}, this program knows ${SCHEMA_VERSION}`,
        );
      }
      if (from === 0) {
        this.#database.exec(SCHEMA);
        this.#database.run("INSERT INTO about VALUES ('world', ?)", world);
      } else {
        for (const migration of MIGRATIONS.slice(from - 1)) this.#database.exec(migration);
      }
      this.#database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    });
  }

  world(): Promise<World> {
    return Promise.resolve(
      this.#database.get("SELECT value FROM about WHERE name = 'world'")!.value as World,
    );
  }

  licenceOfKey(hash: string): Promise<{ licence: Licence; key: StoredKey } | undefined> {
    return Promise.resolve(this.#licences.ofKey(hash));
  }

  licence(serialNumber: string): Promise<Licence | undefined> {
    return Promise.resolve(this.#licences.licence(serialNumber));
  }

  licences(): Promise<LicenceEntry[]> {
    return Promise.resolve(this.#licences.all());
  }

  putLicence(licence: Licence): Promise<void> {
    return Promise.resolve(this.#licences.put(licence));
  }

  removeLicence(serialNumber: string): Promise<number | undefined> {
    return Promise.resolve(this.#licences.remove(serialNumber));
  }

  addKey(key: StoredKey): Promise<void> {
    return Promise.resolve(this.#licences.addKey(key));
  }

  turbines(): Promise<StoredTurbine[]> {
    const rows = this.#database.all("SELECT record FROM turbines ORDER BY turbine_id");
    return Promise.resolve(rows.map((row) => JSON.parse(row.record as string)));
  }

  turbine(id: string): Promise<StoredTurbine | undefined> {
    return Promise.resolve(this.#read.get(`turbine ${id}`, () => {
      const row = this.#database.get("SELECT record FROM turbines WHERE turbine_id = ?", id);
      return row && JSON.parse(row.record as string) as StoredTurbine;
    }));
  }

  months(turbineId: string, edition: number = LATEST): Promise<StoredMonth[]> {
    return Promise.resolve(this.#monthsUpTo(turbineId, edition));
  }

  #monthsUpTo(turbineId: string, edition: number): StoredMonth[] {
    const rows = this.#database.all(`${LATEST_MONTH} ORDER BY year, month`, turbineId, edition);
    return rows as unknown as StoredMonth[];
  }

  calibration(turbineId: string, revision: number): Promise<StoredCalibration | undefined> {
    const row = this.#database.get(
      "SELECT record FROM calibrations WHERE turbine_id = ? AND revision = ?",
      turbineId,
      revision,
    );
    return Promise.resolve(row && JSON.parse(row.record as string));
  }

  month(
    turbineId: string,
    year: number,
    month: number,
    revision?: number,
  ): Promise<StoredMonth | undefined> {
    const row = revision === undefined
      ? this.#database.get(
        `${LATEST_MONTH} AND year = ? AND month = ?`,
        turbineId,
        LATEST,
        year,
        month,
      )
      : this.#database.get(
        "SELECT * FROM months WHERE turbine_id = ? AND year = ? AND month = ? AND revision = ?",
        turbineId,
        year,
        month,
        revision,
      );
    return Promise.resolve(row as unknown as StoredMonth | undefined);
  }

  datasets(): Promise<Dataset[]> {
    const rows = this.#database.all("SELECT id, record FROM datasets ORDER BY id");
    return Promise.resolve(rows.map(toDataset));
  }

  dataset(serviceId: string): Promise<Dataset | undefined> {
    return Promise.resolve(this.#read.get(`dataset ${serviceId}`, () => {
      const row = this.#database.get(
        "SELECT id, record FROM datasets WHERE service_id = ?",
        serviceId,
      );
      return row && toDataset(row);
    }));
  }

  points(serviceId: string): Promise<StoredPoint[]> {
    const rows = this.#database.all(
      "SELECT record FROM points WHERE service_id = ? ORDER BY latitude, longitude",
      serviceId,
    );
    return Promise.resolve(rows.map((row) => JSON.parse(row.record as string)));
  }

  siteFingerprint(site: string): Promise<string | undefined> {
    const row = this.#database.get("SELECT fingerprint FROM sites WHERE site = ?", site);
    return Promise.resolve(row?.fingerprint as string | undefined);
  }

  putSite(record: SiteRecord): Promise<ReadonlyMap<string, number>> {
    const { site, fingerprint, dataset } = record;
    this.#read.forget();
    const revised = this.#database.transaction(() => {
      this.#database.run(
        "INSERT INTO sites VALUES (?, ?) ON CONFLICT (site) DO UPDATE SET fingerprint = excluded.fingerprint",
        site,
        fingerprint,
      );
      this.#database.run(
        `INSERT INTO datasets (service_id, record) VALUES (?, ?)
         ON CONFLICT (service_id) DO UPDATE SET record = excluded.record`,
        dataset.serviceId,
        JSON.stringify(dataset),
      );
      this.#database.run(
        // A finished file of other data is not what the next order of it is to get.
        `UPDATE orders SET state = 'delivered' WHERE state = 'complete' AND service_id = ? AND EXISTS (
           SELECT 1 FROM points WHERE site = ? AND json_extract(record, '$.file') NOT IN
             (SELECT value FROM json_each(?)))`,
        dataset.serviceId,
        site,
        JSON.stringify(record.points.map(({ file }) => file)),
      );
      this.#database.run("DELETE FROM points WHERE site = ?", site);
      for (const point of record.points) {
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
      const kept = record.turbines.map(({ stored }) => stored.turbine.id);
      this.#database.run(
        "DELETE FROM turbines WHERE site = ? AND turbine_id NOT IN (SELECT value FROM json_each(?))",
        site,
        JSON.stringify(kept),
      );
      return new Map(
        record.turbines.map((entry) => [
          entry.stored.turbine.id,
          this.#putTurbine(site, dataset.serviceId, entry),
        ]),
      );
    });
    return Promise.resolve(revised);
  }

  #putTurbine(
    site: string,
    serviceId: string,
    { stored, months }: SiteRecord["turbines"][number],
  ): number {
    const turbine: StoredTurbine = { ...stored, site, serviceId };
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
    return this.#putMonths(id, calibration?.revision, stored.edition, months);
  }

  /** Adds a revision of each month whose figures differ from its latest one; a month that is gone loses its figures. */
  #putMonths(
    turbineId: string,
    calibration: number | undefined,
    edition: number,
    months: readonly FreshMonth[],
  ): number {
    const key = ({ year, month }: { year: number; month: number }) => year * 12 + month;
    const known = new Map(
      this.#monthsUpTo(turbineId, LATEST).map((month) => [key(month), month]),
    );
    const named = new Set(months.map(key));
    const gone = [...known.values()]
      .filter((month) => !named.has(key(month)) && month.month_index !== null)
      .map((month) => withoutFigures(month));
    const keys = ["turbine_id", "year", "month", "revision", "calibration", "edition"];
    const columns = [...keys, ...MONTH_COLUMNS];
    const insert = `INSERT INTO months (${columns.join(", ")}) VALUES (${
      columns.map(() => "?").join(", ")
    })`;
    let revised = 0;
    for (const month of [...months, ...gone]) {
      const latest = known.get(key(month));
      if (latest && sameFigures(latest, month)) continue;
      if (latest?.month_index != null) revised++;
      this.#database.run(
        insert,
        turbineId,
        month.year,
        month.month,
        (latest?.revision ?? 0) + 1,
        calibration ?? latest?.calibration ?? 0,
        edition,
        ...MONTH_COLUMNS.map((name) => month[name as keyof typeof month]),
      );
    }
    return revised;
  }

  placeOrder(order: Order, now: number): Promise<Order> {
    return Promise.resolve(this.#orders.place(order, now));
  }

  order(id: string): Promise<Order | undefined> {
    return Promise.resolve(this.#orders.order(id));
  }

  orderOfToken(token: string): Promise<Order | undefined> {
    return Promise.resolve(this.#orders.ofToken(token));
  }

  unfinishedOrders(): Promise<Order[]> {
    return Promise.resolve(this.#orders.unfinished());
  }

  updateOrder(
    id: string,
    change: OrderChange,
    from?: readonly OrderState[],
  ): Promise<boolean> {
    return Promise.resolve(this.#orders.update(id, change, from));
  }

  close(): void {
    this.#database.close();
  }
}
