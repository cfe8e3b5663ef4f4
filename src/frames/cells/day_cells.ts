import { DataFormatError } from "../../api/errors.ts";
import { TimeFormat } from "../../time/time_format.ts";
import { computeOffset } from "../../time/zones.ts";
import type { CellTable } from "./cell_table.ts";
import { readStampCells, type StampFormat } from "./stamp_cells.ts";

/**
 * Reads the stamps of days.
 *
 * @param table The table; the stamps are its first column, or date and time of day its first two
 * @param times Number of these columns
 * @returns Times of the clock of the declared zone, ms since 1970 as if it were UTC; whether they have a time of day
 * @throws {DataFormatError} If a cell is not a stamp; the message names the cell
 */
export function readDayCells(
  table: CellTable,
  times: 1 | 2,
  { time_zone: zone, ...format }: StampFormat,
): { readonly stamps: Float64Array; readonly hasClock: boolean } {
  const hasClock = times === 2 || findClock(table, format);
  try {
    const instants = readStampCells(table, times, format);
    const stamps = instants.map((instant) => instant + computeOffset(instant, zone ?? "UTC"));
    return { stamps, hasClock };
  } catch (error) {
    if (zone === undefined || !(error instanceof DataFormatError) || error.code !== "time_zone") {
      throw error;
    }
    // Not placed in the zone: it may skip midnight, as Chile does in spring, but not the day.
    return { stamps: readStampCells(table, times, { ...format, time_zone: "UTC" }), hasClock };
  }
}

/** Whether stamps in one column have a time of day. */
function findClock({ columns: [{ cells: [cell] }] }: CellTable, format: StampFormat): boolean {
  if (format.time_format !== undefined) return new TimeFormat(format.time_format).hasHour;
  return typeof cell === "string" && cell.includes(":");
}
