import type { SiteRecord, StoredPoint } from "../site_record.ts";
import { formatPoints, toServedPoints } from "../site_rows.ts";
import { findTable } from "../stored_tables.ts";
import { POINT_ORDER, readPointRows } from "./contents.ts";
import type { SqliteDatabase } from "./sqlite_database.ts";
import { insertRow } from "./sqlite_rows.ts";

/** The climate points of the sites in a SQLite store. */
export class SqlitePoints {
  readonly #database: SqliteDatabase;

  /** @param database Their database */
  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  /** Points of a dataset, of each place the one that is served. */
  all(serviceId: string): StoredPoint[] {
    return toServedPoints(readPointRows(this.#database, serviceId));
  }

  /** Stores the points of a site in place of those that it had; finished orders of what is served no longer are not joined any more. */
  put(record: SiteRecord): void {
    const { site, datasets } = record;
    const had = this.#database.find("points", { site });
    const serviceIds = new Set([
      ...datasets.map(({ serviceId }) => serviceId),
      ...had.map((row) => String(row.service_id)),
    ]);
    const before = [...serviceIds].map((id) => [id, this.#listServedFiles(id)] as const);
    this.#database.run("DELETE FROM points WHERE site = ?", site);
    for (const row of formatPoints(record)) insertRow(this.#database, findTable("points"), row);
    this.#database.seal("points", "site = ?", site);
    for (const [serviceId, files] of before) {
      const after = new Set(this.#listServedFiles(serviceId));
      if (!files.every((file) => after.has(file))) this.#endOrders(serviceId);
    }
  }

  /** Files of a dataset that readers get: its list is sealed anew at the end of the import. */
  #listServedFiles(serviceId: string): string[] {
    const rows = this.#database.find("points", { service_id: serviceId }, POINT_ORDER);
    return toServedPoints(rows).map(({ file }) => file);
  }

  /** Ends orders whose finished file has data that are replaced now: the next order must not get it. */
  #endOrders(serviceId: string): void {
    const complete = this.#database.find("orders", { service_id: serviceId, state: "complete" });
    for (const { id } of complete) {
      this.#database.run("UPDATE orders SET state = 'delivered' WHERE id = ?", id);
      this.#database.seal("orders", "id = ?", id);
    }
  }
}
