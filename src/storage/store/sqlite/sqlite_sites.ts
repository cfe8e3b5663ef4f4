// deno-lint-ignore-file require-await -- SQLite answers at once; async turns what it throws into a rejection
import { findMonth, selectLatest } from "../month_history.ts";
import { refuseWorld } from "../refuse_world.ts";
import { SiteChangedError } from "../site_changed_error.ts";
import type {
  Dataset,
  FreshMonth,
  LastMonth,
  RevisedMonths,
  SiteRecord,
  StoredCalibration,
  StoredMonth,
  StoredPoint,
  StoredTurbine,
} from "../site_record.ts";
import {
  formatPoints,
  nameVersion,
  toDataset,
  toIds,
  toMonth,
  toServedPoints,
  toSiteFiles,
  toTurbine,
} from "../site_rows.ts";
import type { NamedFile, SiteStore } from "../store.ts";
import { findTable } from "../stored_tables.ts";
import {
  AMONG_TURBINES,
  POINT_ORDER,
  readDatasetRows,
  readHistory,
  readMonthRows,
  readPointRows,
  readTurbineIds,
  verifyLists,
  writeHistory,
  writeLists,
} from "./contents.ts";
import { listNamedFiles } from "./named_files.ts";
import { RecordCache } from "./record_cache.ts";
import type { SqliteDatabase } from "./sqlite_database.ts";
import { putMonths, readFleetMonths, readLastMonths } from "./sqlite_months.ts";
import { insertRow, putRow } from "./sqlite_rows.ts";
import { checkOwner } from "../check_owner.ts";

/** How many of the turbines are found by the index that a single one is found by. */
const COUNT_FOUND = `SELECT count(*) AS found FROM turbines AS listed
  JOIN turbines AS own ON own.turbine_id = listed.turbine_id`;

/**
 * Compares the list of turbines with its seal, and looks whether the index leads to all of it: a turbine that is not found
 * then is none. Once between two imports, since that reads the whole list.
 *
 * @param read Knows whether the list has been compared
 * @throws {DamagedFileError} If it is not as it was written
 */
function verifyTurbineList(database: SqliteDatabase, read: RecordCache): void {
  read.checkOnce("turbines", () =>
    database.snapshot(() => {
      const { length } = readTurbineIds(database);
      if (database.get(COUNT_FOUND)!.found !== length) database.refuse("an index of turbines");
    }));
}

/**
 * Identifiers of some turbines of the list, once that is verified.
 *
 * @param rest What follows the name of the table in the query
 */
function selectTurbineIds(
  database: SqliteDatabase,
  read: RecordCache,
  rest: string,
  ...values: (string | number)[]
): string[] {
  return database.snapshot(() => {
    verifyTurbineList(database, read);
    return toIds(database.all(`SELECT turbine_id FROM turbines ${rest}`, ...values));
  });
}

/** Points of a dataset, of each place the one that is served. */
function readPoints(database: SqliteDatabase, serviceId: string): StoredPoint[] {
  return toServedPoints(readPointRows(database, serviceId));
}

/** Stores the points of a site in place of those that it had; finished orders of what is served no longer are not joined any more. */
function putPoints(database: SqliteDatabase, record: SiteRecord): void {
  const { site, datasets } = record;
  // Of a dataset as readers get it: its list is sealed anew at the end of the import.
  const listFiles = (serviceId: string) =>
    toServedPoints(database.find("points", { service_id: serviceId }, POINT_ORDER))
      .map(({ file }) => file);
  const had = database.find("points", { site });
  const serviceIds = new Set([
    ...datasets.map(({ serviceId }) => serviceId),
    ...had.map((row) => String(row.service_id)),
  ]);
  const before = [...serviceIds].map((id) => [id, listFiles(id)] as const);
  database.run("DELETE FROM points WHERE site = ?", site);
  for (const row of formatPoints(record)) insertRow(database, findTable("points"), row);
  database.seal("points", "site = ?", site);
  for (const [serviceId, files] of before) {
    const after = new Set(listFiles(serviceId));
    if (files.every((file) => after.has(file))) continue;
    // The next order must not get a finished file whose data are replaced now.
    for (const { id } of database.find("orders", { service_id: serviceId, state: "complete" })) {
      database.run("UPDATE orders SET state = 'delivered' WHERE id = ?", id);
      database.seal("orders", "id = ?", id);
    }
  }
}

/** What is stored of a turbine that is imported again. */
interface KnownTurbine {
  readonly edition: number;
  readonly months: readonly StoredMonth[];
}

/** The imported data of a SQLite store: sites with their datasets, points, turbines and months. */
export class SqliteSites implements SiteStore {
  readonly #database: SqliteDatabase;
  readonly #read: RecordCache;

  constructor(database: SqliteDatabase) {
    this.#database = database;
    this.#read = new RecordCache(database);
  }

  async turbineIds(): Promise<string[]> {
    return readTurbineIds(this.#database);
  }

  async nextTurbineIds(after: string, limit: number): Promise<string[]> {
    const rest = "WHERE turbine_id > ? ORDER BY turbine_id LIMIT ?";
    return selectTurbineIds(this.#database, this.#read, rest, after, limit);
  }

  async findTurbineIds(ids: readonly string[]): Promise<string[]> {
    return selectTurbineIds(this.#database, this.#read, AMONG_TURBINES, JSON.stringify(ids));
  }

  async version(): Promise<string> {
    return this.#read.get(
      "version",
      () => nameVersion(this.#database.select("sites", "ORDER BY site")),
    )!;
  }

  async turbine(id: string): Promise<StoredTurbine | undefined> {
    return this.#turbine(id);
  }

  #turbine(id: string): StoredTurbine | undefined {
    return this.#read.get(`turbine ${id}`, () => {
      const row = this.#database.snapshot(() => {
        const [found] = this.#database.find("turbines", { turbine_id: id });
        if (!found) verifyTurbineList(this.#database, this.#read);
        return found;
      });
      return row && toTurbine(row);
    });
  }

  async turbines(ids: readonly string[]): Promise<StoredTurbine[]> {
    return this.#database.snapshot(() => {
      const rows = this.#database.select("turbines", AMONG_TURBINES, JSON.stringify(ids));
      if (rows.length < new Set(ids).size) verifyTurbineList(this.#database, this.#read);
      return rows.map(toTurbine);
    });
  }

  async fleetMonths(turbineIds: readonly string[]): Promise<ReadonlyMap<string, StoredMonth[]>> {
    return readFleetMonths(this.#database, turbineIds);
  }

  async months(turbineId: string, edition?: number): Promise<StoredMonth[]> {
    return selectLatest(this.#revisions(turbineId), edition);
  }

  async lastMonths(turbineIds: readonly string[]): Promise<LastMonth[]> {
    return readLastMonths(this.#database, turbineIds);
  }

  async month(
    turbineId: string,
    year: number,
    month: number,
    revision?: number,
  ): Promise<StoredMonth | undefined> {
    return findMonth(this.#revisions(turbineId), { year, month, revision });
  }

  /** All revisions of all months of a turbine, in order of time: read and compared with their seal as a whole. */
  #revisions(turbineId: string): readonly StoredMonth[] {
    return this.#read.get(
      `months ${turbineId}`,
      () => readMonthRows(this.#database, turbineId).map(toMonth),
    )!;
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
      () => readPoints(this.#database, serviceId),
    )!;
  }

  async files(site?: string): Promise<readonly NamedFile[]> {
    return this.#read.get(
      `files ${site ?? ""}`,
      () => listNamedFiles(this.#database, 0, site).filter((file) => file.site !== null),
    )!;
  }

  async fingerprint(site: string): Promise<string | undefined> {
    return this.#database.findOne("sites", { site })?.fingerprint as string | undefined;
  }

  async edition(site: string): Promise<number> {
    return Number(this.#database.findOne("sites", { site })?.edition ?? 0);
  }

  async siteFiles(): Promise<ReadonlyMap<string, string | undefined>> {
    return toSiteFiles(this.#database.select("sites", "ORDER BY site"));
  }

  async setSiteFile(site: string, path: string | undefined): Promise<void> {
    await this.#database.write(() => {
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

  async put(
    record: SiteRecord,
    edition?: number,
  ): Promise<ReadonlyMap<string, RevisedMonths>> {
    try {
      return await this.#database.write(() => {
        this.#read.forget();
        verifyLists(this.#database); // they are written anew below
        const known = this.#readKnown(record);
        this.#setWorld(record);
        this.#putSource(record, edition);
        putPoints(this.#database, record);
        const revised = this.#putTurbines(record, known);
        writeLists(this.#database);
        return revised;
      });
    } finally {
      this.#read.forget();
    }
  }

  /** What is stored of the turbines of a record, before anything is written. */
  #readKnown({ site, turbines, keptTurbines = [] }: SiteRecord): KnownTurbine[] {
    if (keptTurbines.some((id) => this.#turbine(id)?.site !== site)) {
      throw new SiteChangedError(site);
    }
    return turbines.map(({ stored: { turbine: { id } } }) => {
      const turbine = this.#turbine(id);
      checkOwner(site, turbine);
      return {
        edition: turbine?.edition ?? 0,
        months: turbine ? selectLatest(this.#revisions(id)) : [],
      };
    });
  }

  /** One store never serves invented figures beside real ones: what it answers is marked as a whole. */
  #setWorld({ site, world }: SiteRecord): void {
    const changed = this.#database.run(
      "UPDATE about SET value = ? WHERE name = 'world' AND value <> ?",
      world,
      world,
    );
    this.#database.seal("about", "name = 'world'");
    const others = changed > 0 && this.#database.get("SELECT 1 FROM sites WHERE site <> ?", site);
    if (others) refuseWorld({ site, world });
  }

  #putSource(
    { site, fingerprint, siteFile, datasets }: SiteRecord,
    edition: number | undefined,
  ): void {
    const [known] = this.#database.find("sites", { site });
    const stored = Number(known?.edition ?? 0);
    if (edition !== undefined && edition !== stored) throw new SiteChangedError(site);
    const row = { site, fingerprint, site_file: siteFile ?? null, edition: stored + 1 };
    putRow(this.#database, findTable("sites"), row);
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

  #putTurbines(
    { site, datasets, turbines, keptTurbines = [] }: SiteRecord,
    known: readonly KnownTurbine[],
  ): ReadonlyMap<string, RevisedMonths> {
    const present = [...turbines.map(({ stored }) => stored.turbine.id), ...keptTurbines];
    this.#database.run(
      "DELETE FROM turbines WHERE site = ? AND turbine_id NOT IN (SELECT value FROM json_each(?))",
      site,
      JSON.stringify(present),
    );
    const attribution = datasets.flatMap((dataset) => dataset.attribution);
    return new Map(turbines.map(({ stored, months }, i) => {
      const turbine = { ...stored, site, attribution, edition: known[i].edition + 1 };
      return [stored.turbine.id, this.#putTurbine(turbine, known[i].months, months)];
    }));
  }

  #putTurbine(
    turbine: StoredTurbine,
    before: readonly StoredMonth[],
    months: readonly FreshMonth[],
  ): RevisedMonths {
    const { turbine: { id }, site, calibration, edition } = turbine;
    const row = { turbine_id: id, site, record: JSON.stringify(turbine) };
    putRow(this.#database, findTable("turbines"), row);
    if (calibration) {
      const { revision } = calibration;
      const record = JSON.stringify(calibration);
      putRow(this.#database, findTable("calibrations"), { turbine_id: id, revision, record });
    }
    const of = { calibration: calibration?.revision, edition };
    const revised = putMonths(this.#database, id, before, months, of);
    writeHistory(this.#database, id);
    return revised;
  }
}
