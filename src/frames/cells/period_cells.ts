import { DataFormatError, type ErrorCode } from "../../api/errors.ts";
import { countDays, findStampProblem, formatStamp, STAMP_YEARS } from "../../time/stamps.ts";
import {
  type Cell,
  type CellTable,
  formatCell,
  isEmpty,
  isLocal,
  refuseCell,
} from "./cell_table.ts";
import { TimeFormat } from "../../time/time_format.ts";
import { computeOffset, monthNumberAt } from "../../time/zones.ts";
import { readStampCells, type StampFormat } from "./stamp_cells.ts";

const DAY = 86_400 * 1e6; // microseconds

const firstDayOf = (month: number) => countDays(Math.floor(month / 12), month % 12 + 1, 1);

/** Months or years of a table. */
interface PeriodNumbers {
  /** Years, or numbers of months, counted from the year 0. */
  readonly numbers: readonly number[];
  /** Days from 1970-01-01 to the first day of a month. */
  readonly firstDayOf: (month: number) => number;
}

/**
 * Reads the months or years in the first column of a table.
 *
 * @param timeFormat Their format; "2018-05" or "2018" if not given
 * @throws {DataFormatError} If a cell is not a period, is duplicated or not in order; the message names it
 */
export function readPeriodCells(
  table: CellTable,
  resolution: "month" | "year",
  timeFormat?: string,
): PeriodNumbers {
  const format = new TimeFormat(timeFormat ?? (resolution === "month" ? "YYYY-MM" : "YYYY"));
  const declared = (cell: Cell) => timeFormat && typeof cell === "number" ? String(cell) : cell;
  const cells = table.columns[0].cells.map(declared);
  const refuse = (row: number, code: ErrorCode, problem: string) =>
    refuseCell(table, row, 0, problem, { code });
  const numbers: number[] = [];
  for (const [row, cell] of cells.entries()) {
    const number = readPeriod(cell, resolution, format);
    if (typeof number === "string") {
      const plain = timeFormat === undefined && typeof cell === "string" && !isEmpty(cell);
      return refuse(row, "time_format", plain ? explainForm(cell, resolution) : number);
    }
    const month = resolution === "month" ? number : number * 12;
    const start = firstDayOf(month) * DAY / 1000;
    const future = findFutureProblem(start, timeFormat);
    if (future !== undefined) refuse(row, "time_format", `${formatStamp(start)} ${future}`);
    numbers.push(number);
  }
  const row = numbers.findIndex((number, i) => number <= numbers[i - 1]);
  if (row !== -1) {
    const [code, problem] = explainOrder(numbers, row, resolution, (one) => formatDay(cells[one]));
    refuse(row, code, `${formatDay(cells[row])} ${problem}`);
  }
  const distances = numbers.slice(1).map((number, i) => number - numbers[i]);
  if (resolution === "month" && distances.length > 1 && !distances.includes(1)) {
    const problem =
      `this row and all others are at least ${Math.min(...distances)} months apart, so they are ` +
      "not months. Correct time_format, or write a row for each month";
    refuse(1, "resolution", problem);
  }
  return { numbers, firstDayOf };
}

/** Explains a period that does not follow the one before. */
function explainOrder(
  numbers: readonly number[],
  row: number,
  resolution: "month" | "year",
  show: (row: number) => string,
): [code: ErrorCode, problem: string] {
  const duplicates = numbers.length - new Set(numbers).size;
  const several =
    'the table has several turbines, or repeats some rows. Declare "turbine" (the column that names the turbine ' +
    'of each row) or "where". If the table has no such column, give each turbine its own file. Remove duplicate rows';
  if (numbers[row] === numbers[row - 1]) {
    return [
      "time_repeated",
      `is duplicated${duplicates > 1 ? `: ${several}` : ". Remove one of the rows"}`,
    ];
  }
  const after = `comes after ${show(row - 1)}`;
  const following = resolution === "month" && numbers[row] + 12 === numbers[row - 1] + 1;
  if (following) {
    return [
      "time_order",
      `${after}: the year is probably one too low. Correct the years from this row on`,
    ];
  }
  return [
    "time_order",
    after +
    (duplicates > 0
      ? `, and other rows have the same times: ${several}`
      : ". Sort the rows by time"),
  ];
}

/** Explains which format is expected, and how to declare another one. */
function explainForm(cell: string, resolution: "month" | "year"): string {
  const form = resolution === "month" ? '"2023-05"' : '"2023"';
  return `${JSON.stringify(cell.slice(0, 60))} does not have the format ${form}. Declare another ` +
    "time_format, and list rows that are not periods in leave_out";
}

const formatDay = (cell: Cell) => formatCell(cell).replace("T00:00Z", "");

/** Reads the number of a period, or returns the problem of the cell. */
function readPeriod(cell: Cell, resolution: "month" | "year", format: TimeFormat): number | string {
  if (isEmpty(cell)) {
    return `the ${resolution} is missing. List rows that are not periods in leave_out`;
  }
  if (typeof cell === "number" || typeof cell === "bigint") {
    const year = Number(cell);
    const [first, last] = STAMP_YEARS;
    if (resolution === "year" && Number.isInteger(year) && year >= first && year <= last) {
      return year;
    }
    return `${cell} is not a ${resolution}`;
  }
  let micros: number;
  if (typeof cell === "string") {
    const time = format.read(cell);
    if (typeof time === "string") return time;
    micros = time.local;
  } else if (isLocal(cell)) micros = cell.local;
  else return `${typeof cell === "object" ? "the cell" : cell} is not a ${resolution}`;
  const problem = findStampProblem(micros / 1000);
  if (problem !== undefined) return problem;
  const number = monthNumberAt(micros / 1000);
  if (firstDayOf(number) * DAY !== micros) {
    const date = new Date(micros / 1000);
    const swapped = date.getUTCMonth() === 0 && date.getUTCDate() <= 12;
    return `${formatDay(cell)} is not the first day of a ${resolution}${
      swapped ? ": day and month are probably swapped. Correct time_format, or write" : ". Write"
    } each ${resolution} as ${resolution === "month" ? "2023-05" : "2023"}`;
  }
  if (resolution === "month") return number;
  return number % 12 === 0
    ? number / 12
    : `${formatDay(cell)} is not the first day of a year. Write each year as 2023`;
}

/**
 * Explains, after a time in a message, why production cannot have it: it is after the current year. A year of two
 * digits may belong to the last century.
 *
 * @param time Milliseconds since 1970 UTC
 * @param timeFormat Its declared format
 * @param tolerance Milliseconds by which a stamp at the end of the year may be later, in any zone
 * @returns `undefined` if the time is possible
 */
export function findFutureProblem(
  time: number,
  timeFormat = "",
  tolerance = 0,
): string | undefined {
  const end = Date.UTC(new Date().getUTCFullYear() + 1, 0) + tolerance;
  if (!(time >= end)) return undefined;
  const advice = /(?<!Y)YY(?!Y)/.test(timeFormat)
    ? "Write years with four digits, and declare them as YYYY"
    : "Correct it, or remove the row";
  return `is after today. ${advice}`;
}

/**
 * Reads the stamps of days.
 *
 * @param table Table that begins with the columns of the stamps
 * @param times Number of these columns
 * @returns Local times in the declared zone, ms since 1970 as if they were UTC; whether they have a time of day
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
    // Read as UTC: the zone may skip midnight, as Chile does in spring, but not the day.
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
