import type { Problem } from "../../api/errors.ts";
import { type Cell, type CellTable, formatCell, isEmpty, refuseCell } from "./cell_table.ts";
import { adviseTrailing, type TableAdvice, withAdvice } from "../csv/table_advice.ts";
import { readStampText } from "../csv/field_column.ts";
import { TimeFormat } from "../../time/time_format.ts";
import {
  describeSkippedHour,
  describeUnclearHour,
  findStampProblem,
  StampReader,
} from "../../time/stamps.ts";
import { LocalClock, type PassRule } from "../../time/local_clock.ts";

const DAY = 86_400 * 1e6; // microseconds

/** Declared format of stamps. */
export interface StampFormat {
  /** Format of texts; ISO 8601 if not given. */
  readonly time_format?: string | undefined;
  /** IANA zone of stamps without offset. */
  readonly time_zone?: string | undefined;
  /** How the pass of a stamp of a repeated hour is found. @default by the order of the rows */
  readonly passRule?: PassRule | undefined;
}

/**
 * Reads stamps.
 *
 * @param table The table; the stamps are its first column, or date and time of day its first two
 * @param parts Number of these columns
 * @returns Milliseconds since 1970 UTC
 * @throws {DataFormatError} If a cell is not a stamp, or may mean either of two hours; the message names the cell
 */
export function readStampCells(table: CellTable, parts: 1 | 2, format: StampFormat): Float64Array {
  const reader = new StampCells(format, table.advice);
  const height = table.columns[0].cells.length;
  const stamps = new Float64Array(height);
  const join = ([date, time]: readonly Cell[]) => parts === 1 ? date : joinDateAndTime(date, time);
  let day: Cell = null;
  for (let row = 0; row < height; row++) {
    const own = table.columns.slice(0, parts).map(({ cells }) => cells[row]);
    // The date may be written only in the first row of each day.
    if (parts === 2 && isEmpty(own[0])) own[0] = day;
    else day = own[0];
    const cell = join(own);
    const read = reader.read(cell, row);
    if (typeof read !== "number") {
      const [code, found] = read;
      const [, clock] = own; // words in place of a time of day: of a total
      const words = typeof clock === "string" && !/\d/.test(clock) ? clock : cell;
      return refuseCell(table, row, 0, found, { code, value: formatCell(words) });
    }
    stamps[row] = read / 1000;
  }
  const ambiguous = reader.findAmbiguous();
  if (ambiguous) refuseCell(table, ambiguous.row, 0, ambiguous.found, { code: "time_zone" });
  return stamps;
}

/** Midnight in cells that have a time of day only, microseconds: the first day of a workbook, of 1900 or 1904. */
const MIDNIGHTS = ["1899-12-31", "1904-01-01"]
  .map((day) => Temporal.PlainDate.from(day).toZonedDateTime("UTC").epochMilliseconds * 1000);

/** Joins date and time of day into one cell. */
function joinDateAndTime(date: Cell, time: Cell): Cell {
  if (isEmpty(date) || isEmpty(time)) return null;
  if (typeof date === "string" && typeof time === "string") return `${date.trim()} ${time.trim()}`;
  if (typeof date === "string" && typeof time === "number") return `${date.trim()} ${time}`;
  if (isLocal(date) && date.local % DAY === 0) {
    const sinceMidnight = readTimeOfDay(time, date.local);
    if (sinceMidnight !== undefined) return { local: date.local + sinceMidnight };
  }
  return { fault: `the date ${showCell(date)} with the time of day ${showCell(time)}` };
}

/** Reads microseconds since midnight, 24:00 included; `undefined` if the cell is not a time of that day. */
function readTimeOfDay(time: Cell, day: number): number | undefined {
  if (typeof time === "number") {
    return time >= 0 && time < 1 ? Math.round(time * 86_400) * 1e6 : undefined;
  }
  if (typeof time === "string") {
    const [, hour, minute, second = "0"] = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(time.trim()) ??
      [];
    const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second);
    const within = Number(minute) < 60 && Number(second) < 60 && seconds <= 86_400;
    return within ? seconds * 1e6 : undefined;
  }
  if (!isLocal(time)) return undefined;
  const midnight = MIDNIGHTS.find((start) => time.local >= start && time.local <= start + DAY);
  const since = time.local - (midnight ?? day);
  return since >= 0 && since <= DAY ? since : undefined;
}

/** Formats a cell for messages. */
const showCell = (cell: Cell) =>
  typeof cell === "object" ? formatCell(cell) : JSON.stringify(String(cell).slice(0, 60));

function isLocal(cell: Cell): cell is { readonly local: number } {
  return typeof cell === "object" && cell !== null && "local" in cell;
}

const misread = (found: string): Problem => ["time_format", found];

/** Reads stamps in the order of the rows. */
class StampCells {
  readonly #format: TimeFormat | undefined;
  readonly #zone: string | undefined;
  readonly #rule: PassRule | undefined;
  readonly #iso: StampReader;
  readonly #advice: TableAdvice | undefined;
  #clock: LocalClock | undefined;

  constructor(
    { time_format: timeFormat, time_zone: timeZone, passRule }: StampFormat,
    advice?: TableAdvice,
  ) {
    this.#advice = advice;
    this.#format = timeFormat === undefined ? undefined : new TimeFormat(timeFormat);
    this.#zone = timeZone;
    this.#rule = passRule;
    this.#iso = new StampReader(timeZone, passRule);
  }

  /** Reads microseconds since 1970 UTC, or returns what is wrong with the cell. */
  read(cell: Cell, row: number): number | Problem {
    if (isEmpty(cell)) return misread(`the stamp is missing${adviseTrailing("", this.#advice)}`);
    if (this.#format && (typeof cell === "number" || typeof cell === "bigint")) {
      return this.#readDeclared(String(cell), row);
    }
    if (typeof cell === "string") {
      return this.#format ? this.#readDeclared(cell, row) : this.#readIso(cell, row);
    }
    if (typeof cell === "object" && "instant" in cell!) {
      const problem = findStampProblem(cell.instant / 1000);
      return problem === undefined ? cell.instant : misread(problem);
    }
    if (isLocal(cell)) return this.#place(cell.local, row);
    const found = typeof cell === "object" ? (cell as { fault: string }).fault : String(cell);
    return misread(
      `${found} is not a time. Store it as a date, or as a text in a declared time_format`,
    );
  }

  #readDeclared(text: string, row: number): number | Problem {
    const time = this.#format!.read(text);
    if (typeof time === "string") return misread(time);
    return time.offset === undefined ? this.#place(time.local, row) : time.local - time.offset;
  }

  #place(local: number, row: number): number | Problem {
    const zone = this.#zone;
    if (zone === undefined) {
      return [
        "time_zone",
        'the stamp has no offset from UTC. Name its time zone, "UTC" or one like "Europe/Copenhagen"',
      ];
    }
    const problem = findStampProblem(local / 1000);
    if (problem !== undefined) return misread(problem);
    if (zone === "UTC") return local;
    this.#clock ??= new LocalClock(zone, this.#rule);
    const instant = this.#clock.toInstant(local, row);
    return Number.isNaN(instant) ? ["time_zone", describeSkippedHour(local, zone)] : instant;
  }

  #readIso(cell: string, row: number): number | Problem {
    const text = cell.trim();
    const read = readStampText(this.#iso, text, row);
    if (typeof read === "number") return read;
    const [code, found] = read;
    if (!this.#iso.hasFormat) return [code, withAdvice(found, this.#advice?.times)];
    return code === "time_format" ? misread(found + adviseTrailing(text, this.#advice)) : read;
  }

  /** Finds the first stamp that may mean either of two hours; to be called after all were read. */
  findAmbiguous(): ReturnType<StampReader["findUnclearHour"]> {
    const hour = this.#clock?.findUnclearHour();
    if (hour) return { row: hour.line, found: describeUnclearHour(hour.local, this.#zone!) };
    return this.#iso.findUnclearHour();
  }
}
