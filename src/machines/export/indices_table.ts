import type { Column } from "../../api/columns/column.ts";
import { month, monthlyIndicesFrame, turbineId } from "../../api/columns/columns.ts";
import { calendarMonthTable, figures, monthState } from "../../api/columns/month_columns.ts";
import { buildFrame } from "../../frames/frame.ts";
import { monthAsDays } from "../../time/zones.ts";
import type { StoredMonth } from "../../storage/store/site_record.ts";
import { type ExportTable, PARTITION } from "./export_table.ts";

const partition: Column = { ...calendarMonthTable.year, name: PARTITION };

/** The latest figures of each month of each turbine, by their years in the turbine's zone. */
export const indicesTable: ExportTable = {
  name: "indices",
  columns: monthlyIndicesFrame,
  groupSize: 10_000,
  batchSize: 100, // 80 years of them are some 100,000 rows
  isFixed: false,
  async read({ store }, turbines) {
    const ids: string[] = [];
    const months: StoredMonth[] = [];
    const fleet = await store.sites.fleetMonths(turbines.map(({ turbine }) => turbine.id));
    for (const [id, all] of fleet) {
      for (const own of all) {
        ids.push(id);
        months.push(own);
      }
    }
    if (months.length === 0) return undefined;
    const rows = buildFrame([...monthlyIndicesFrame, partition], {
      ...Object.fromEntries([...figures, ...monthState].map(({ name }) => [
        name,
        months.map((own) => own[name]),
      ])),
      [turbineId.name]: ids,
      [month.name]: months.map((own) => monthAsDays(Temporal.PlainYearMonth.from(own))),
      [PARTITION]: months.map(({ year }) => year),
    });
    return rows.lazy().sort([PARTITION, turbineId.name, month.name]);
  },
};
