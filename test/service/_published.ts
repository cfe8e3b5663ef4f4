/**
 * Everything that the service publishes from a data directory, to compare before and after an import.
 *
 * @module
 */
import { monthlyIndexResource, type TurbineDetails } from "../../src/api/resources/resources.ts";
import {
  type MonthlyReportResource,
  monthlyReportResource,
} from "../../src/api/resources/report_resource.ts";
import { openStorage } from "../../src/storage/storage.ts";
import { openService } from "../../src/service/running/service.ts";
import type { StoredMonth, StoredTurbine } from "../../src/sites/keep/site_record.ts";
import { sitesOf } from "../../src/sites/keep/sites.ts";

/** A row of the wind_indices table by column, as sent. */
export type Row = Readonly<Record<string, string>>;

/** Everything that is published about a turbine, and its stored records. */
export interface PublishedFigures {
  readonly details: TurbineDetails;
  /** Rows of the wind_indices table by month, `2023-05`. */
  readonly table: ReadonlyMap<string, Row>;
  /** Monthly records by month. */
  readonly records: ReadonlyMap<string, Record<string, unknown>>;
  /** The latest report of each month. */
  readonly reports: ReadonlyMap<string, MonthlyReportResource>;
  /** Every revision of the reports: `2023-05 1`. */
  readonly revisions: ReadonlyMap<string, MonthlyReportResource>;
  /** The last report by the list of turbines; `undefined` without reports. */
  readonly lastReport: string | undefined;
  /** Turbine as stored. */
  readonly turbine: StoredTurbine;
  /** Latest months as stored. */
  readonly months: readonly StoredMonth[];
}

/** Calls a data directory's service without a key. */
export async function withAsk<T>(
  data: string,
  body: (ask: (path: string) => Promise<Response>) => Promise<T>,
): Promise<T> {
  const service = await openService(data, { trusted: true });
  try {
    return await body((path) => service.fetch(new Request(`http://localhost${path}`)));
  } finally {
    await service.close();
  }
}

const REPORTS = "/onlinedata-services/windindex/calibrated/report";

/** Path of a monthly report. */
export function reportPath(id: string, month: string, revision?: number): string {
  return `${REPORTS}/${id}/${month}` + (revision === undefined ? "" : `?revision=${revision}`);
}

/** Name of a month, `2023-05`. */
export function formatMonth({ year, month }: { year: number; month: number }): string {
  return `${year}-${String(month).padStart(2, "0")}`;
}

/** Months from one to another, both included. */
export function monthsBetween(first: string, last: string): string[] {
  const names: string[] = [];
  for (
    let month = Temporal.PlainYearMonth.from(first);
    month.toString() <= last;
    month = month.add({ months: 1 })
  ) names.push(month.toString());
  return names;
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status}: ${text}`);
  return JSON.parse(text);
}

/** Everything that a data directory publishes about a turbine; checks each answer against its resource. */
export async function readPublished(data: string, id = "E1"): Promise<PublishedFigures> {
  const { store } = await openStorage(data);
  const [turbine, months] = [(await sitesOf(store).turbine(id))!, await sitesOf(store).months(id)];
  await store.close();
  return await withAsk(data, async (ask) => {
    const get = async (path: string) => await readJson(await ask(path));
    const details = await get(`/wind-index/calibrated/details/${id}`) as TurbineDetails;
    const withFigures = months.filter((month) => month.month_index !== null);
    const table = new Map<string, Row>();
    if (months.length > 0) {
      const csv = await (await ask(`/wind-index/calibrated/wind_indices/${id}`)).text();
      const [header, ...lines] = csv.trimEnd().split("\n").map((line) => line.split(","));
      for (const fields of lines) {
        const row = Object.fromEntries(header.map((column, i) => [column, fields[i]]));
        table.set(formatMonth({ year: Number(row.year), month: Number(row.month) }), row);
      }
    }
    const records = new Map<string, Record<string, unknown>>();
    const reports = new Map<string, MonthlyReportResource>();
    const revisions = new Map<string, MonthlyReportResource>();
    for (const { year, month, revision } of withFigures) {
      const name = formatMonth({ year, month });
      const record = await get(`/wind-index/calibrated/wind_indices/${id}/${year}/${month}/`);
      records.set(name, monthlyIndexResource.parse(record));
      reports.set(name, monthlyReportResource.parse(await get(reportPath(id, name))));
      for (let earlier = 1; earlier <= revision; earlier++) {
        const response = await ask(reportPath(id, name, earlier));
        if (response.status === 404) continue; // a revision without figures
        revisions.set(`${name} ${earlier}`, monthlyReportResource.parse(await readJson(response)));
      }
    }
    const list = await ask(`${REPORTS}/`);
    const items = list.ok ? await list.json() as Record<string, string>[] : [];
    const lastReport = items.find((item) => item.turbine_id === id)?.last_available_report;
    return { details, table, records, reports, revisions, lastReport, turbine, months };
  });
}

/** Revision of each month. */
export function mapRevisions({ months }: Pick<PublishedFigures, "months">): Record<string, number> {
  return Object.fromEntries(months.map((month) => [formatMonth(month), month.revision]));
}

/** State of each month. */
export function mapStates({ months }: Pick<PublishedFigures, "months">): Record<string, string> {
  return Object.fromEntries(months.map((month) => [formatMonth(month), month.status]));
}

/** The same value for each of some months. */
export function all<T>(months: readonly string[], value: T): Record<string, T> {
  return Object.fromEntries(months.map((month) => [month, value]));
}
