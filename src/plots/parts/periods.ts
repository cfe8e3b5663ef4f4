import type { DataFrame } from "nodejs-polars";
import { pickColumns } from "../../api/columns/column.ts";
import { monthlyIndicesFrame, monthRecord } from "../../api/columns/columns.ts";
import type { Spec } from "./assemble.ts";
import { buildMonthRows, requireSingleTurbine } from "./month_rows.ts";
import { buildMonthChannel } from "./months.ts";
import { buildYearChannel, listYears, readYearPositions } from "./years.ts";

const [monthColumn] = pickColumns(monthlyIndicesFrame, ["month"]);
const [yearColumn] = pickColumns(monthRecord, ["year"]);

/** A month or year of a chart. */
export interface Period {
  /** "2023-05", or "2023". */
  readonly period: string;
  /** In words. */
  readonly label: string;
  /** Position of the row in the frame; `undefined` for a period that the frame leaves out. */
  readonly at: number | undefined;
}

/** The periods of a chart of one turbine. */
interface Periods {
  /** The turbine; empty where the frame names none. */
  readonly turbine: string;
  /** All periods from the first to the last. */
  readonly periods: readonly Period[];
  /** Horizontal channel of them, by their `period`. */
  readonly x: Spec;
}

/** Column by which a frame is drawn: months where it has them, else years. */
export function choosePeriodColumn(frame: DataFrame): string {
  const has = (name: string) => Object.keys(frame).includes(name);
  return has(yearColumn.name) && !has(monthColumn.name) ? yearColumn.name : monthColumn.name;
}

/**
 * The periods of a frame: months where it has months, else years.
 *
 * @param frame Frame with {@linkcode choosePeriodColumn}
 * @param width Width of the plot area, pixels
 * @param what What is plotted, for messages
 * @throws {ArgumentError} If a period is missing or stands twice, or there are several turbines
 */
export function readPeriods(frame: DataFrame, width: number, what: string): Periods {
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
