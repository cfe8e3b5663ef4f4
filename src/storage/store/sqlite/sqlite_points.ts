import type { SiteRecord, StoredPoint } from "../site_record.ts";
import { formatPoints, toServedPoints } from "../site_rows.ts";
import { findTable } from "../stored_tables.ts";
import { POINT_ORDER, readPointRows } from "./contents.ts";
import type { SqliteDatabase } from "./sqlite_database.ts";
import { insertRow } from "./sqlite_rows.ts";

/** Points of a dataset, of each place the one that is served. */
export function readPoints(database: SqliteDatabase, serviceId: string): StoredPoint[] {
  return toServedPoints(readPointRows(database, serviceId));
}

/** Stores the points of a site in place of those that it had; finished orders of what is served no longer are not joined any more. */
export function putPoints(database: SqliteDatabase, record: SiteRecord): void {
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
