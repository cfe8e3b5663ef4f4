// deno-lint-ignore-file require-await -- SQLite answers at once; async turns what it throws into a rejection
import { figures, predictedInterval } from "../../../api/columns/columns.ts";
import type {
  Dataset,
  FreshMonth,
  LastMonth,
  SiteRecord,
  StoredCalibration,
  StoredMonth,
  StoredPoint,
  StoredTurbine,
} from "../site_record.ts";
import type { SiteStore } from "../store.ts";
import { ReadRecords } from "./read_records.ts";
import type { Row, SqliteDatabase } from "./sqlite_database.ts";

/** Names of the figure columns, in the order of the contract. */
const FIGURES = figures.map((column) => column.name);

/** Names of the ends of the interval. */
const INTERVAL = predictedInterval.map((column) => column.name);

/** Columns of a month beside its key. */
const MONTH_COLUMNS: readonly string[] = [...FIGURES, "completeness", "status", ...INTERVAL];

/** Figures that differ by less than this share are the same: a recalculation on another machine is no revision. */
const SAME = 1e-9;

const LATEST_MONTH = `SELECT * FROM months AS own WHERE turbine_id = ? AND revision =
  (SELECT max(revision) FROM months
   WHERE turbine_id = own.turbine_id AND year = own.year AND month = own.month
   AND edition <= ?)`;

/** Year and month stand in one number on the way, since a query within a query gives one. */
const LAST_MONTHS =
  `SELECT turbine_id AS turbineId, last / 12 AS year, last % 12 + 1 AS month FROM (
  SELECT turbine_id, (
    SELECT own.year * 12 + own.month - 1 FROM months AS own
    WHERE own.turbine_id = turbines.turbine_id AND own.month_index IS NOT NULL AND own.revision =
      (SELECT max(revision) FROM months
       WHERE turbine_id = own.turbine_id AND year = own.year AND month = own.month)
    ORDER BY own.year DESC, own.month DESC LIMIT 1
  ) AS last FROM turbines WHERE turbine_id IN (SELECT value FROM json_each(?))
) WHERE last IS NOT NULL ORDER BY turbine_id`;

/** An edition later than any: the latest figures. */
const LATEST = Number.MAX_SAFE_INTEGER;

/** A dataset from its row. */
function toDataset(row: Row): Dataset {
  return { ...JSON.parse(row.record as string), id: row.id };
}

/** A month whose data are gone. */
function withoutFigures({ year, month, status }: FreshMonth): FreshMonth {
  const none = Object.fromEntries([...FIGURES, ...INTERVAL].map((name) => [name, null]));
  return { year, month, status, completeness: 0, ...none } as FreshMonth;
}

/** Whether two months say the same. An interval that was drawn anew is no other figure, one where none was is. */
function sameFigures(a: FreshMonth, b: FreshMonth): boolean {
  const value = (month: FreshMonth, name: string) => month[name as "completeness"] as number | null;
  return a.status === b.status &&
    [...FIGURES, "completeness"].every((name) => {
      const [x, y] = [value(a, name), value(b, name)];
      return x === y || x !== null && y !== null && Math.abs(x - y) <= SAME * Math.abs(x);
    }) &&
    INTERVAL.every((name) => (value(a, name) === null) === (value(b, name) === null));
}

/** What imports bring to a SQLite store: sites with their datasets, points, turbines and months. */
export class SqliteSites implements SiteStore {
  readonly #database: SqliteDatabase;
  readonly #read: ReadRecords;

  /** @param database Where they are kept */
  constructor(database: SqliteDatabase) {
    this.#database = database;
    this.#read = new ReadRecords(database);
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
    return this.#months(turbineId, edition);
  }

  #months(turbineId: string, edition: number = LATEST): StoredMonth[] {
    const rows = this.#database.all(`${LATEST_MONTH} ORDER BY year, month`, turbineId, edition);
    return rows as unknown as StoredMonth[];
  }

  async lastMonths(turbineIds: readonly string[]): Promise<LastMonth[]> {
    const rows = this.#database.all(LAST_MONTHS, JSON.stringify(turbineIds));
    return rows as unknown as LastMonth[];
  }

  async month(
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
    return row as unknown as StoredMonth | undefined;
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

  async put(record: SiteRecord): Promise<ReadonlyMap<string, number>> {
    this.#read.forget();
    return this.#database.transaction(() => {
      this.#putSource(record);
      this.#endOrdersOfOtherData(record);
      this.#putPoints(record);
      return this.#putTurbines(record);
    });
  }

  #putSource({ site, fingerprint, dataset }: SiteRecord): void {
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
  }

  /** A finished file of other data is not what the next order of it is to get. */
  #endOrdersOfOtherData({ site, dataset, points }: SiteRecord): void {
    this.#database.run(
      `UPDATE orders SET state = 'delivered' WHERE state = 'complete' AND service_id = ? AND EXISTS (
         SELECT 1 FROM points WHERE site = ? AND json_extract(record, '$.file') NOT IN
           (SELECT value FROM json_each(?)))`,
      dataset.serviceId,
      site,
      JSON.stringify(points.map(({ file }) => file)),
    );
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

  #putTurbines({ site, dataset, turbines }: SiteRecord): ReadonlyMap<string, number> {
    const kept = turbines.map(({ stored }) => stored.turbine.id);
    this.#database.run(
      "DELETE FROM turbines WHERE site = ? AND turbine_id NOT IN (SELECT value FROM json_each(?))",
      site,
      JSON.stringify(kept),
    );
    return new Map(
      turbines.map((entry) => [
        entry.stored.turbine.id,
        this.#putTurbine(site, dataset.serviceId, entry),
      ]),
    );
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
      this.#months(turbineId).map((month) => [key(month), month]),
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
}
