import type { SiteRecord, StoredPoint } from "../../storage/store/site_record.ts";
import { formatPoints, toServedPoints } from "../../storage/store/site_rows.ts";
import { findTable } from "../../storage/store/stored_tables.ts";
import { beginReplacing } from "./points_lock.ts";
import type { PostgresQueries } from "./postgres_queries.ts";
import { insertRows } from "./postgres_rows.ts";

/** Points of a dataset, of each place the one that is served. */
export async function readPoints(all: PostgresQueries, serviceId: string): Promise<StoredPoint[]> {
  return toServedPoints(
    await all.all(
      `SELECT record FROM vindkit.points WHERE service_id = $1
       ORDER BY latitude, longitude, site`,
      serviceId,
    ),
  );
}

/** Stores the points of a site in place of those that it had; finished orders of what is served no longer are not joined any more. */
export async function putPoints(all: PostgresQueries, record: SiteRecord): Promise<void> {
  const { site, datasets } = record;
  await beginReplacing(all);
  const listFiles = async (serviceId: string) =>
    (await readPoints(all, serviceId)).map(({ file }) => file);
  const had = await all.all("SELECT DISTINCT service_id FROM vindkit.points WHERE site = $1", site);
  const serviceIds = new Set([
    ...datasets.map(({ serviceId }) => serviceId),
    ...had.map((row) => String(row.service_id)),
  ]);
  const before = new Map<string, string[]>();
  for (const serviceId of serviceIds) before.set(serviceId, await listFiles(serviceId));
  await all.run("DELETE FROM vindkit.points WHERE site = $1", site);
  await insertRows(all, findTable("points"), formatPoints(record));
  for (const [serviceId, files] of before) {
    const after = new Set(await listFiles(serviceId));
    if (files.every((file) => after.has(file))) continue;
    // The next order must not get a finished file whose data are replaced now.
    await all.run(
      "UPDATE vindkit.orders SET state = 'delivered' WHERE service_id = $1 AND state = 'complete'",
      serviceId,
    );
  }
}
