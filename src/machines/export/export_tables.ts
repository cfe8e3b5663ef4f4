import { type ExportName, type ExportTable, PARTITION } from "./export_table.ts";
import pl from "nodejs-polars";
import {
  modelDataCsv,
  modelDataFrame,
  month,
  monthlyIndicesFrame,
  time,
  turbineId,
} from "../../api/columns/columns.ts";
import type { Column } from "../../api/columns/column.ts";
import { calendarMonthTable, figures, monthState } from "../../api/columns/month_columns.ts";
import { buildFrame } from "../../frames/frame.ts";
import { monthAsDays } from "../../time/zones.ts";
import type { StoredMonth } from "../../sites/keep/site_record.ts";
import { sitesOf } from "../../sites/keep/sites.ts";

const partition: Column = { ...calendarMonthTable.year, name: PARTITION };

/** The latest figures of each month of each turbine, by their years in the turbine's zone. */
export const indicesTable: ExportTable = {
  name: "indices",
  columns: monthlyIndicesFrame,
  groupSize: 10_000,
  batchSize: 100, // some 100,000 rows if they have 80 years
  isFixed: false,
  async read({ store }, turbines) {
    const ids: string[] = [];
    const months: StoredMonth[] = [];
    const fleet = await sitesOf(store).fleetMonths(turbines.map(({ turbine }) => turbine.id));
    for (const [id, all] of fleet) {
      for (const stored of all) {
        ids.push(id);
        months.push(stored);
      }
    }
    if (months.length === 0) return undefined;
    const rows = buildFrame([...monthlyIndicesFrame, partition], {
      ...Object.fromEntries([...figures, ...monthState].map(({ name }) => [
        name,
        months.map((stored) => stored[name]),
      ])),
      [turbineId.name]: ids,
      [month.name]: months.map((stored) => monthAsDays(Temporal.PlainYearMonth.from(stored))),
      [PARTITION]: months.map(({ year }) => year),
    });
    return rows.lazy().sort([PARTITION, turbineId.name, month.name]);
  },
};

/** The hours of the model of each turbine that is calibrated, by their years in UTC. */
export const hoursTable: ExportTable = {
  name: "hours",
  columns: modelDataFrame,
  groupSize: 500, // some 60 MB a year
  batchSize: 1,
  isFixed: true,
  async read({ files }, [{ turbine: { id }, modelFile }], scratch) {
    if (modelFile === null) return undefined;
    await Deno.writeFile(scratch, await files.read(modelFile));
    return pl.scanParquet(scratch).select(
      pl.lit(id).alias(turbineId.name),
      ...modelDataCsv.map(({ name }) => pl.col(name)),
      pl.col(time.name).dt.year().alias(PARTITION),
    );
  },
};

/** The tables that can be exported, by their names. */
export const exportTables: Readonly<Record<ExportName, ExportTable>> = {
  indices: indicesTable,
  hours: hoursTable,
};

/** Names of the tables that can be exported. */
export const EXPORT_NAMES: readonly string[] = Object.keys(exportTables);

/** Whether a word names a table. */
export function isExportName(word: unknown): word is ExportName {
  return EXPORT_NAMES.includes(word as string);
}
