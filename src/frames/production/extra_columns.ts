/**
 * Columns beside the production of a file: status, availability and valid hours.
 *
 * @module
 */
import { type Cell, type CellTable, refuseCell } from "../cells/cell_table.ts";
import type { ProductionFormat } from "./production_format.ts";

/**
 * Reads the status by row; all null if the turbine has no such column.
 *
 * @param column Position of its column
 * @throws {DataFormatError} If a cell is not a text; the message names it
 */
export function readStatus(
  table: CellTable,
  column: number | undefined,
  height: number,
): (string | null)[] {
  const cells = column === undefined ? Array<Cell>(height).fill(null) : table.columns[column].cells;
  return cells.map((cell, row) => {
    if (cell !== null && typeof cell === "object") {
      const found = "fault" in cell ? cell.fault : "a time";
      return refuseCell(table, row, column!, `${found} is not a status`);
    }
    const text = cell === null ? "" : String(cell).trim();
    return text === "" ? null : text;
  });
}

const unit = { code: "unit", field: "availability_unit" } as const;

/**
 * Checks availabilities, and converts them to shares.
 *
 * @param column Position of their column
 * @param read Its numbers; missing is NaN
 * @throws {DataFormatError} If one is not a share of the time; the message names its cell
 */
export function readAvailability(
  table: CellTable,
  column: number,
  read: Float64Array,
  { availability_unit: availabilityUnit }: ProductionFormat,
): Float64Array {
  const shares = availabilityUnit === "%" ? read.map((value) => value / 100) : read;
  const row = shares.findIndex((share) => share < 0 || share > 1);
  if (row !== -1) {
    const found = `an availability of ${read[row]} is not a share of the time`;
    refuseCell(table, row, column, `${found}. Check availability_unit`, unit);
  }
  const some = read.findIndex((value) => value > 0);
  if (availabilityUnit === "%" && some !== -1 && !read.some((value) => value > 1)) {
    const found =
      "no availability is above 1 %: they look like shares. Cells that Excel shows as " +
      '97 % hold 0.97: declare availability_unit "share"';
    refuseCell(table, some, column, found, unit);
  }
  return shares;
}

/**
 * Checks valid hours. The hour by which a month is longer where clocks are turned back is accepted for each period.
 *
 * @param column Position of their column
 * @param read Its numbers; missing is NaN
 * @param hoursOf Hours of the period of a row
 * @throws {DataFormatError} If there are fewer than none, or more than the period has; the message names the cell
 */
export function readValidHours(
  table: CellTable,
  column: number,
  read: Float64Array,
  hoursOf: (row: number) => number,
): Float64Array {
  const row = read.findIndex((value, i) => value < 0 || value > hoursOf(i) + 1);
  if (row !== -1) {
    const found = read[row] < 0 ? "fewer than none" : `more than the ${hoursOf(row)} of the period`;
    const advice = "Give the hours for which the energy is known";
    refuseCell(table, row, column, `${read[row]} valid hours are ${found}. ${advice}`);
  }
  return read;
}
