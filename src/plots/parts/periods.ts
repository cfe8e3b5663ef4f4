import type { DataFrame } from "nodejs-polars";
import { pickColumns } from "../../api/columns/column.ts";
import { monthlyIndicesFrame, monthRecord } from "../../api/columns/columns.ts";
import { buildMonthRows, requireSingleTurbine } from "./month_rows.ts";
import { buildMonthChannel } from "./months.ts";
import { buildYearChannel, listYears, readYearPositions } from "./years.ts";

const [monthColumn] = pickColumns(monthlyIndicesFrame, ["month"]);
const [yearColumn] = pickColumns(monthRecord, ["year"]);

/** A month or year of a chart. */
export interface Period {
  /** "2023-05", or "2023". */
  readonly period: string;
  /** In words, "May 2023" or "2023". */
  readonly label: string;
  /** Position of the row in the frame; `undefined` for a period that is missing there. */
  readonly at: number | undefined;
}

/** Column of the horizontal axis: `year` if the frame has it and no `month`, else `month`. */
export function choosePeriodColumn(frame: DataFrame): string {
  const has = (name: string) => Object.keys(frame).includes(name);
  return has(yearColumn.name) && !has(monthColumn.name) ? yearColumn.name : monthColumn.name;
}

/**
 * Reads the periods of a frame: months, or years if it has no months.
 *
 * @param frame Frame with {@linkcode choosePeriodColumn}
 * @param width Width of the plot area, pixels
 * @param what What is plotted, for messages
 * @throws {ArgumentError} If a period is missing or duplicated, or there are several turbines
 */
export function readPeriods(frame: DataFrame, width: number, what: string) {
  if (choosePeriodColumn(frame) === monthColumn.name) {
    const rows = buildMonthRows(frame, what);
    const x = { ...buildMonthChannel(rows.map((row) => row.month), width), field: "period" };
    const periods = rows.map(({ month, label, at }) => ({ period: month, label, at }));
    return { turbine: requireSingleTurbine(rows, what), periods, x };
  }
  const positions = readYearPositions(frame, yearColumn.name, what);
  const years = listYears(positions.keys());
  const periods = years.map((year) => ({
    period: String(year),
    label: String(year),
    at: positions.get(year),
  }));
  return { turbine: "", periods, x: buildYearChannel(years, width, yearColumn.label) };
}
