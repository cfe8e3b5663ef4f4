import { DataFormatError } from "../../api/errors.ts";
import { TimeFormat } from "../../time/time_format.ts";
import { computeOffset } from "../../time/zones.ts";
import type { CellTable } from "./cell_table.ts";
import { readStampCells, type StampFormat } from "./stamp_cells.ts";

/**
 * Reads the stamps of days.
 *
 * @param table The table; the stamps are its first column, or the first ones as for other stamps
 * @param times Number of these columns
 * @returns Times of the clock of the declared zone, ms since 1970 as if it were UTC; whether they have a time of day
 * @throws {DataFormatError} If a cell is not a stamp; the message names the cell
 */
export function readDayCells(
  table: CellTable,
  times: number,
  { time_zone: zone, ...format }: StampFormat,
): { readonly stamps: Float64Array; readonly hasClock: boolean } {
  const hasClock = findClock(table, times, format);
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

/** Whether stamps have a time of day. */
function findClock(
  { columns: [{ cells: [cell] }] }: CellTable,
  times: number,
  { time_format: format }: StampFormat,
): boolean {
  if (format !== undefined) return new TimeFormat(format).hasHour;
  return times === 2 || typeof cell === "string" && cell.includes(":");
}
