import { isRecord } from "../../api/columns/column_table.ts";
import { ConfigurationError } from "../../api/errors.ts";
import { sha256 } from "../../disk/hashes.ts";
import { storedMonthTable } from "./month_table.ts";
import type {
  Dataset,
  SiteRecord,
  StoredMonth,
  StoredPoint,
  StoredTurbine,
} from "./site_record.ts";
import type { StoredRow } from "./stored_row.ts";
import type { NamedFile } from "./store.ts";

/**
 * Selects the series that readers get of each place that several sites have: the longest, of equally long ones that which
 * ends last, then the first.
 *
 * @param points Points of a dataset, those of a place one after the other, by site
 */
function selectServed(points: readonly StoredPoint[]): StoredPoint[] {
  const served: StoredPoint[] = [];
  for (const point of points) {
    const known = served.at(-1);
    if (known?.latitude !== point.latitude || known.longitude !== point.longitude) {
      served.push(point);
    } else if (
      point.hours > known.hours || point.hours === known.hours && point.start > known.start
    ) served[served.length - 1] = point;
  }
  return served;
}

/** A dataset from its row. */
export function toDataset(row: StoredRow): Dataset {
  return { ...JSON.parse(row.record as string), id: row.id };
}

/** Points that readers get of their rows, those of a place one after the other, by site. */
export function toServedPoints(rows: readonly StoredRow[]): StoredPoint[] {
  return selectServed(rows.map(({ record }): StoredPoint => JSON.parse(record as string)));
}

/** Rows of the points of a site, with what their datasets require now. */
export function formatPoints({ site, datasets, points }: SiteRecord) {
  return points.map((point) => {
    const { serviceId: service_id, latitude, longitude } = point;
    const dataset = datasets.find(({ serviceId }) => serviceId === service_id);
    const record = JSON.stringify({ ...point, attribution: dataset?.attribution ?? [] });
    return { service_id, site, latitude, longitude, record };
  });
}

/**
 * A month from its row.
 *
 * @throws {ConfigurationError} If the row is not what the program writes
 */
export function toMonth(row: StoredRow): StoredMonth {
  // A copy takes a third of the memory of what SQLite gives.
  const month = { ...row };
  if (isRecord(storedMonthTable, month)) return month;
  throw new ConfigurationError(
    `Cannot read a month of the database: ${JSON.stringify(row)} does not have the declared ` +
      "columns. Restore a backup",
  );
}

/** A turbine from its row. */
export function toTurbine(row: StoredRow): StoredTurbine {
  return JSON.parse(row.record as string);
}

/** Identifiers of the turbines of some rows. */
export function toIds(rows: readonly StoredRow[]): string[] {
  return rows.map(({ turbine_id }) => String(turbine_id));
}

/** Names what all sites have, by what decides it. */
export function nameVersion(rows: readonly StoredRow[]): string {
  return sha256(JSON.stringify(
    rows.map(({ site, fingerprint, edition }) => [site, fingerprint, Number(edition)]),
  ));
}

/** The path of the site file of each site; `undefined` for one without. */
export function toSiteFiles(rows: readonly StoredRow[]): Map<string, string | undefined> {
  return new Map(rows.map(({ site, site_file }) => [
    String(site),
    site_file === null ? undefined : String(site_file),
  ]));
}

/**
 * Files that rows name, each once.
 *
 * @param rows `name`, `what` and `site` of each pointer to a file
 * @param site Whose files; those of all, and of orders, unless given
 */
export function toNamedFiles(rows: readonly StoredRow[], site?: string): NamedFile[] {
  const files = rows
    .filter((row) => row.name !== null && (site === undefined || row.site === site))
    .map(({ name, what, site }): NamedFile => ({
      name: String(name),
      what: String(what),
      site: site === null ? null : String(site),
    }));
  return [...new Map(files.map((file) => [file.name, file])).values()];
}
