import { checkOwner } from "../../storage/store/check_owner.ts";
import { refuseWorld } from "../../storage/store/refuse_world.ts";
import { SiteChangedError } from "../../storage/store/site_changed_error.ts";
import type { RevisedMonths, SiteRecord } from "../../storage/store/site_record.ts";
import { findTable } from "../../storage/store/stored_tables.ts";
import { beginNaming } from "./naming_lock.ts";
import { putMonths } from "./postgres_months.ts";
import { putPoints } from "./postgres_points.ts";
import type { PostgresQueries } from "./postgres_queries.ts";
import { putRows } from "./postgres_rows.ts";

/** How long an import may pause: whoever stores a site looks for its files before the end, maybe 100,000 of them. */
const IDLE_TIMEOUT = "10min";

/** Turbines that are written at once: their months of 80 years are 50,000 rows. */
const BATCH = 50;

type Turbines = SiteRecord["turbines"];

/**
 * Stores a site within a transaction: {@linkcode SiteStore.put}.
 *
 * @param all The transaction
 * @param edition Edition of the stored site that the record was computed from; any unless given
 * @returns Published months whose figures changed, by turbine
 */
export async function importSite(
  all: PostgresQueries,
  record: SiteRecord,
  edition: number | undefined,
): Promise<Map<string, RevisedMonths>> {
  await all.run(`SET LOCAL idle_in_transaction_session_timeout = '${IDLE_TIMEOUT}'`);
  await beginNaming(all);
  // Imports wait here for each other until one is committed, as writers of SQLite do.
  await all.run("UPDATE vindkit.about SET value = value::bigint + 1 WHERE name = 'imports'");
  await setWorld(all, record);
  await putSource(all, record, edition);
  await putDatasets(all, record);
  await removeTurbines(all, record);
  const revised = new Map<string, RevisedMonths>();
  for (let i = 0; i < record.turbines.length; i += BATCH) {
    const batch = record.turbines.slice(i, i + BATCH);
    const months = await putTurbines(all, record, batch);
    batch.forEach(({ stored }, k) => revised.set(stored.turbine.id, months[k]));
  }
  await putPoints(all, record); // last, as orders that are completed wait from here on
  return revised;
}

async function setWorld(all: PostgresQueries, { site, world }: SiteRecord): Promise<void> {
  const changed = await all.run(
    "UPDATE vindkit.about SET value = $1 WHERE name = 'world' AND value <> $1",
    world,
  );
  if (changed === 0) return;
  const other = await all.get("SELECT FROM vindkit.sites WHERE site <> $1 LIMIT 1", site);
  if (other) refuseWorld({ site, world });
}

async function putSource(
  all: PostgresQueries,
  { site, fingerprint, siteFile }: SiteRecord,
  edition: number | undefined,
): Promise<void> {
  const known = await all.get("SELECT edition FROM vindkit.sites WHERE site = $1", site);
  const stored = Number(known?.edition ?? 0);
  if (edition !== undefined && edition !== stored) throw new SiteChangedError(site);
  const row = { site, fingerprint, site_file: siteFile ?? null, edition: stored + 1 };
  await putRows(all, findTable("sites"), [row]);
}

/** Numbers of datasets are counted by hand: a sequence would lose some at each import. */
async function putDatasets(all: PostgresQueries, { datasets }: SiteRecord): Promise<void> {
  for (const dataset of datasets) {
    await all.run(
      `INSERT INTO vindkit.datasets (id, service_id, record)
       VALUES ((SELECT coalesce(max(id), 0) + 1 FROM vindkit.datasets), $1, $2)
       ON CONFLICT (service_id) DO UPDATE SET record = excluded.record`,
      dataset.serviceId,
      JSON.stringify(dataset),
    );
  }
}

/** Removes the turbines that a site has no more; those that it keeps must be there. */
async function removeTurbines(
  all: PostgresQueries,
  { site, turbines, keptTurbines = [] }: SiteRecord,
): Promise<void> {
  const kept = await all.all(
    "SELECT FROM vindkit.turbines WHERE site = $1 AND turbine_id = ANY($2)",
    site,
    keptTurbines,
  );
  if (kept.length < keptTurbines.length) throw new SiteChangedError(site);
  await all.run(
    "DELETE FROM vindkit.turbines WHERE site = $1 AND turbine_id <> ALL($2)",
    site,
    [...turbines.map(({ stored }) => stored.turbine.id), ...keptTurbines],
  );
}

async function putTurbines(
  all: PostgresQueries,
  { site, datasets }: SiteRecord,
  batch: Turbines,
): Promise<RevisedMonths[]> {
  const ids = batch.map(({ stored }) => stored.turbine.id);
  const rows = await all.all(
    `SELECT turbine_id, site, (record ->> 'edition')::bigint AS edition
     FROM vindkit.turbines WHERE turbine_id = ANY($1)`,
    ids,
  );
  for (const row of rows) {
    checkOwner(site, { site: String(row.site), turbine: { id: String(row.turbine_id) } });
  }
  const editions = new Map(rows.map(({ turbine_id, edition }) => [turbine_id, Number(edition)]));
  const attribution = datasets.flatMap((dataset) => dataset.attribution);
  const turbines = batch.map(({ stored }) => {
    const edition = (editions.get(stored.turbine.id) ?? 0) + 1;
    return { ...stored, site, attribution, edition };
  });
  await putRows(
    all,
    findTable("turbines"),
    turbines.map((one, i) => ({ turbine_id: ids[i], site, record: JSON.stringify(one) })),
  );
  const calibrations = turbines.flatMap(({ calibration: one }, i) =>
    one ? [{ turbine_id: ids[i], revision: one.revision, record: JSON.stringify(one) }] : []
  );
  await putRows(all, findTable("calibrations"), calibrations);
  return await putMonths(
    all,
    turbines.map(({ turbine, calibration, edition }, i) => ({
      turbineId: turbine.id,
      months: batch[i].months,
      of: { calibration: calibration?.revision, edition },
    })),
  );
}
