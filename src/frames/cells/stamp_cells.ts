import type { Problem } from "../../api/errors.ts";
import {
  type Cell,
  type CellTable,
  formatCell,
  isEmpty,
  isLocal,
  refuseCell,
  textOf,
} from "./cell_table.ts";
import { adviseTrailing, type TableAdvice, withAdvice } from "../csv/csv_layout.ts";
import { readStampText } from "../csv/field_column.ts";
import { type ClockTime, TimeFormat } from "../../time/time_format.ts";
import { ZoneNames } from "../../time/zones.ts";
import {
  describeSkippedHour,
  describeUnclearHour,
  findStampProblem,
  StampReader,
} from "../../time/stamps.ts";
import { buildLocalClock, type LocalClock, type PassRule } from "../../time/local_clock.ts";

const DAY = 86_400 * 1e6; // microseconds

/** Declared format of stamps. */
export interface StampFormat {
  /** Format of texts; ISO 8601 if not given. */
  readonly time_format?: string | undefined;
  /** IANA zone of stamps without offset. */
  readonly time_zone?: string | undefined;
  /** How to tell the two passes of a repeated hour apart. @default by the order of the rows */
  readonly passRule?: PassRule | undefined;
  /**
   * Milliseconds to go back on the clock of the file, from the end of a period to its start. The stamps are then
   * starts, and "03:00" is the hour from 02:00 even if the clocks change.
   * @default {0}
   */
  readonly back?: number;
}

/**
 * Joins the columns of the time into one: date and time of day, or the parts of a format in its order.
 *
 * @param parts Number of these columns, the first of the table
 * @param timeFormat Format of the joined parts. @default ISO 8601
 */
export function joinTimeCells(
  { columns }: CellTable,
  parts: number,
  timeFormat?: string,
): readonly Cell[] {
  const [{ cells: dates }] = columns;
  if (parts === 1) return dates;
  const format = timeFormat === undefined ? undefined : new TimeFormat(timeFormat);
  let day: Cell = null;
  return dates.map((date, row) => {
    const [, ...others] = columns.slice(0, parts).map(({ cells }) => cells[row]);
    // The date may be written only in the first row of each day.
    day = parts === 2 && isEmpty(date) && !format?.mayEndEmpty ? day : date;
    const joined = parts === 2 ? joinDateAndTime(day, others[0]) : null;
    const isWhole = joined !== null && !(typeof joined === "object" && "fault" in joined);
    return isWhole ? joined : joinParts([day, ...others], format) ?? joined;
  });
}

/** Joins the parts of a time as texts of its format; `undefined` if one is missing, or is not a text, number or date. */
function joinParts([day, ...others]: readonly Cell[], format?: TimeFormat): string | undefined {
  const last = others.length - 1;
  const texts = others.map((cell, i) =>
    isEmpty(cell) ? i === last && format?.mayEndEmpty ? "" : undefined : showPart(cell)
  );
  const isDay = isLocal(day) && day.local % DAY === 0;
  const first = isDay && format ? format.formatDay(day.local) : showPart(day);
  const all = [first, ...texts];
  return all.includes(undefined) ? undefined : all.join(" ").trim();
}

const showPart = (cell: Cell) => textOf(cell) || undefined;

/**
 * Reads stamps.
 *
 * @param table Table that begins with the columns of the stamps, which {@linkcode joinTimeCells} joins
 * @param parts Number of these columns
 * @returns Milliseconds since 1970 UTC
 * @throws {DataFormatError} If a cell is not a stamp, or may mean either of two hours; the message names the cell
 */
export function readStampCells(table: CellTable, parts: number, format: StampFormat): Float64Array {
  const reader = buildStampReader(format, table.advice);
  const cells = joinTimeCells(table, parts, format.time_format);
  const stamps = new Float64Array(cells.length);
  const clocks = table.columns[1]?.cells;
  const refuse = (row: number, [code, problem]: Problem) => {
    const clock = parts === 1 ? null : clocks[row]; // words instead of a time of day, as in a row of totals
    const words = typeof clock === "string" && !/\d/.test(clock) ? clock : cells[row];
    return refuseCell(table, row, 0, problem, { code, value: formatCell(words) });
  };
  for (const [row, cell] of reader.namesZones ? cells.entries() : []) {
    const problem = reader.learn(cell);
    if (problem) refuse(row, problem);
  }
  for (const [row, cell] of cells.entries()) {
    const read = reader.read(cell, row);
    if (typeof read !== "number") return refuse(row, read);
    stamps[row] = read / 1000;
  }
  const ambiguous = reader.findAmbiguous();
  if (ambiguous) {
    const problem = withAdvice(ambiguous.explanation, table.advice?.unclear);
    refuseCell(table, ambiguous.row, 0, problem, { code: "time_zone" });
  }
  return stamps;
}

/** Midnight in cells with only a time of day, microseconds: day zero of a workbook, whose dates count from 1900 or 1904. */
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

/** Excel's numbers of days from 1982 to 2064; a number outside is probably not a day. */
const [FIRST_DAY, LAST_DAY] = [30_000, 60_000];

const misread = (problem: string): Problem => ["time_format", problem];

/** Makes a reader of stamps in the order of the rows. */
function buildStampReader(
  { time_format: timeFormat, time_zone: zone, passRule, back: backMs = 0 }: StampFormat,
  advice?: TableAdvice,
) {
  const format = timeFormat === undefined ? undefined : new TimeFormat(timeFormat);
  const back = backMs * 1000;
  const iso = new StampReader(zone, passRule, back);
  const names = new ZoneNames();
  let clock: LocalClock | undefined;
  /** Clock that can place a time in either pass of a repeated hour. */
  let passes: LocalClock | undefined;

  /** Learns the offset of a zone name from a time outside repeated hours; returns the problem, if there is one. */
  function learn(cell: Cell): Problem | undefined {
    const time = typeof cell === "string" ? format!.read(cell) : "";
    if (typeof time === "string" || time.zone === undefined || time.offset !== undefined) return;
    const local = time.local - back;
    if (zone === undefined) return;
    const [instant, later] = findPasses(local);
    if (instant !== later) return;
    const problem = names.learn(time.zone, local - instant, zone);
    return problem === undefined ? undefined : ["time_zone", problem];
  }

  /** Both instants of a local time: different in a repeated hour, NaN in a skipped one. */
  function findPasses(local: number): [earlier: number, later: number] {
    if (zone === "UTC") return [local, local];
    passes ??= buildLocalClock(zone!, "earlier");
    const earlier = passes.toInstant(local, 0);
    return [earlier, passes.toInstant(local, 0, "later")];
  }

  /** Reads microseconds since 1970 UTC, or returns the problem of the cell. */
  function read(cell: Cell, row: number): number | Problem {
    if (isEmpty(cell)) return misread(`the timestamp is missing${adviseTrailing("", advice)}`);
    if (format && (typeof cell === "number" || typeof cell === "bigint")) {
      return readDeclared(String(cell), row);
    }
    if (typeof cell === "string") return format ? readDeclared(cell, row) : readIso(cell, row);
    if (typeof cell === "object" && "instant" in cell!) {
      const problem = findStampProblem(cell.instant / 1000);
      return problem === undefined ? cell.instant - back : misread(problem);
    }
    if (isLocal(cell)) return place(cell.local, row);
    const content = typeof cell === "object" ? (cell as { fault: string }).fault : String(cell);
    const isDay = typeof cell === "number" && cell > FIRST_DAY && cell < LAST_DAY;
    const remedy = isDay
      ? 'If it is an Excel day number, declare time_format "excel"'
      : "Store it as a date, or as a text in a declared time_format";
    return misread(`${content} is not a time. ${remedy}`);
  }

  function readDeclared(text: string, row: number): number | Problem {
    const time = format!.read(text);
    if (typeof time === "string") return misread(time);
    if (time.offset !== undefined) {
      return time.local + (time.counted ?? 0) - time.offset - back;
    }
    return time.counted === undefined
      ? place(time.local, row, time)
      : placeCounted(time.local, time.counted);
  }

  function place(stamp: number, row: number, marks?: ClockTime): number | Problem {
    if (zone === undefined) {
      return [
        "time_zone",
        'the timestamp has no offset from UTC. Give its time zone, such as "UTC" or "Europe/Copenhagen"',
      ];
    }
    const problem = findStampProblem(stamp / 1000);
    if (problem !== undefined) return misread(problem);
    const local = stamp - back;
    const pass = marks?.zone === undefined && marks?.pass === undefined
      ? undefined
      : findPass(local, marks);
    if (typeof pass === "object") return pass;
    if (zone === "UTC") return local;
    clock ??= buildLocalClock(zone, passRule);
    const instant = clock.toInstant(local, row, pass);
    return Number.isNaN(instant) ? ["time_zone", describeSkippedHour(stamp, zone)] : instant;
  }

  /** Finds the pass of a repeated hour by its mark or the name of its zone. */
  function findPass(
    local: number,
    { zone: name, pass }: ClockTime,
  ): "earlier" | "later" | Problem | undefined {
    const [earlier, later] = findPasses(local);
    if (Number.isNaN(earlier)) return undefined;
    if (pass !== undefined) {
      if (earlier !== later) return pass;
      return [
        "time_zone",
        `the timestamp has the mark of a repeated hour, but the clocks of ${zone} do not go back then. Declare the time zone of the file`,
      ];
    }
    const offsets = names.find(name!);
    if (earlier === later || offsets.length === 0) return undefined;
    if (offsets.includes(local - earlier)) return "earlier";
    if (offsets.includes(local - later)) return "later";
    return [
      "time_zone",
      `"${name}" matches neither of the two hours with that time in ${zone}`,
    ];
  }

  /** Places an hour counted from midnight. */
  function placeCounted(midnight: number, counted: number): number | Problem {
    if (zone === undefined) return place(midnight, 0);
    const problem = findStampProblem(midnight / 1000);
    if (problem !== undefined) return misread(problem);
    const [[start], [end]] = [midnight, midnight + DAY].map((day) => findPasses(day));
    const length = Number.isNaN(end - start) ? DAY : end - start;
    if (counted <= length) return start + counted - back;
    return [
      "time_zone",
      `the day has ${length / DAY * 24} hours in ${zone}, but hour ${
        counted / DAY * 24
      } is after its ` +
      "end. Declare the time zone of the file, or number the hours of that day from midnight",
    ];
  }

  function readIso(cell: string, row: number): number | Problem {
    const text = cell.trim();
    const read = readStampText(iso, text, row);
    if (typeof read === "number") return iso.local ? read : read - back;
    const [code, problem] = read;
    if (!iso.hasFormat) return [code, withAdvice(problem, advice?.times)];
    return code === "time_format" ? misread(problem + adviseTrailing(text, advice)) : read;
  }

  /** Finds the first stamp that may mean either of two hours. Call it after all are read. */
  function findAmbiguous(): ReturnType<StampReader["findUnclearHour"]> {
    const hour = clock?.findUnclearHour();
    if (hour) return { row: hour.line, explanation: describeUnclearHour(hour.local, zone!) };
    return iso.findUnclearHour();
  }

  return { namesZones: format?.hasZone ?? false, learn, read, findAmbiguous };
}
