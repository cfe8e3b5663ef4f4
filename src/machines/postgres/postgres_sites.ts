import { findMonth, selectLatest } from "../../storage/store/month_history.ts";
import type {
  Dataset,
  LastMonth,
  RevisedMonths,
  SiteRecord,
  StoredCalibration,
  StoredMonth,
  StoredPoint,
  StoredTurbine,
} from "../../storage/store/site_record.ts";
import {
  nameVersion,
  toDataset,
  toIds,
  toNamedFiles,
  toSiteFiles,
  toTurbine,
} from "../../storage/store/site_rows.ts";
import type { NamedFile, SiteStore } from "../../storage/store/store.ts";
import type { Records } from "./fresh_records.ts";
import { importSite } from "./postgres_import.ts";
import { readFleetMonths, readLastMonths, readRevisions } from "./postgres_months.ts";
import { readPoints } from "./postgres_points.ts";
import type { PostgresQueries } from "./postgres_queries.ts";

/** Every pointer to a file of an import. */
export const SITE_FILES = `
  SELECT record ->> 'file' AS name, 'the series of a point of ' || service_id AS what, site
    FROM vindkit.points
  UNION ALL
  SELECT record ->> 'modelFile', 'the hourly model of ' || turbine_id, site FROM vindkit.turbines`;

/** The imported data of a PostgreSQL store: sites with their datasets, points, turbines and months. */
export class PostgresSites implements SiteStore {
  readonly #database: PostgresQueries;
  readonly #records: Records;

  constructor(database: PostgresQueries, records: Records) {
    this.#database = database;
    this.#records = records;
  }

  async turbineIds(): Promise<string[]> {
    return await this.#records.get("turbine ids", async () => {
      return toIds(
        await this.#database.all("SELECT turbine_id FROM vindkit.turbines ORDER BY turbine_id"),
      );
    });
  }

  async nextTurbineIds(after: string, limit: number): Promise<string[]> {
    return toIds(
      await this.#database.all(
        "SELECT turbine_id FROM vindkit.turbines WHERE turbine_id > $1 ORDER BY turbine_id LIMIT $2",
        after,
        limit,
      ),
    );
  }

  async findTurbineIds(ids: readonly string[]): Promise<string[]> {
    return toIds(
      await this.#database.all(
        "SELECT turbine_id FROM vindkit.turbines WHERE turbine_id = ANY($1) ORDER BY turbine_id",
        ids,
      ),
    );
  }

  async version(): Promise<string> {
    await this.#records.renew();
    return await this.#records.get(
      "version",
      async () =>
        nameVersion(await this.#database.all("SELECT * FROM vindkit.sites ORDER BY site")),
    );
  }

  async turbine(id: string): Promise<StoredTurbine | undefined> {
    return await this.#records.get(`turbine ${id}`, async () => {
      const row = await this.#database.get(
        "SELECT record FROM vindkit.turbines WHERE turbine_id = $1",
        id,
      );
      return row && toTurbine(row);
    });
  }

  async turbines(ids: readonly string[]): Promise<StoredTurbine[]> {
    const rows = await this.#database.all(
      "SELECT record FROM vindkit.turbines WHERE turbine_id = ANY($1) ORDER BY turbine_id",
      ids,
    );
    return rows.map(toTurbine);
  }

  async fleetMonths(turbineIds: readonly string[]): Promise<ReadonlyMap<string, StoredMonth[]>> {
    return await readFleetMonths(this.#database, turbineIds);
  }

  async months(turbineId: string, edition?: number): Promise<StoredMonth[]> {
    return selectLatest(await this.#revisions(turbineId), edition);
  }

  async lastMonths(turbineIds: readonly string[]): Promise<LastMonth[]> {
    return await readLastMonths(this.#database, turbineIds);
  }

  async month(
    turbineId: string,
    year: number,
    month: number,
    revision?: number,
  ): Promise<StoredMonth | undefined> {
    return findMonth(await this.#revisions(turbineId), { year, month, revision });
  }

  #revisions(turbineId: string): Promise<readonly StoredMonth[]> {
    return this.#records.get(`months ${turbineId}`, () => readRevisions(this.#database, turbineId));
  }

  async calibration(turbineId: string, revision: number): Promise<StoredCalibration | undefined> {
    const row = await this.#database.get(
      "SELECT record FROM vindkit.calibrations WHERE turbine_id = $1 AND revision = $2",
      turbineId,
      revision,
    );
    return row && JSON.parse(row.record as string);
  }

  async datasets(): Promise<Dataset[]> {
    return await this.#records.get("datasets", async () => {
      const rows = await this.#database.all("SELECT * FROM vindkit.datasets ORDER BY id");
      return rows.map(toDataset);
    });
  }

  async dataset(serviceId: string): Promise<Dataset | undefined> {
    return (await this.datasets()).find((one) => one.serviceId === serviceId);
  }

  async points(serviceId: string): Promise<StoredPoint[]> {
    return await this.#records.get(
      `points ${serviceId}`,
      () => readPoints(this.#database, serviceId),
    );
  }

  async files(site?: string): Promise<readonly NamedFile[]> {
    return await this.#records.get(
      `files ${site ?? ""}`,
      async () =>
        toNamedFiles(
          site === undefined ? await this.#database.all(SITE_FILES) : await this.#database.all(
            `SELECT * FROM (${SITE_FILES}) AS named WHERE site = $1`,
            site,
          ),
        ),
    );
  }

  async fingerprint(site: string): Promise<string | undefined> {
    const row = await this.#database.get(
      "SELECT fingerprint FROM vindkit.sites WHERE site = $1",
      site,
    );
    return row?.fingerprint as string | undefined;
  }

  async edition(site: string): Promise<number> {
    const row = await this.#database.get("SELECT edition FROM vindkit.sites WHERE site = $1", site);
    return Number(row?.edition ?? 0);
  }

  async siteFiles(): Promise<ReadonlyMap<string, string | undefined>> {
    return toSiteFiles(await this.#database.all("SELECT * FROM vindkit.sites ORDER BY site"));
  }

  async setSiteFile(site: string, path: string | undefined): Promise<void> {
    await this.#database.run(
      "UPDATE vindkit.sites SET site_file = $2 WHERE site = $1",
      site,
      path ?? null,
    );
  }

  async put(record: SiteRecord, edition?: number): Promise<ReadonlyMap<string, RevisedMonths>> {
    return await this.#database.transaction((all) => importSite(all, record, edition));
  }
}
