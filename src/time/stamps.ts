import type { Problem } from "../api/errors.ts";
import { buildLocalClock, type LocalClock, type PassRule } from "./local_clock.ts";
import { zoneWithoutSummer } from "./zones.ts";

/** First and last year of a stamp, in UTC: reanalyses begin in 1806. */
export const STAMP_YEARS = [1800, 2199] as const;

/** Milliseconds from 1970 to either end of the calendar, a little less. */
const LAST = 8.6e15;

const [FIRST_YEAR, LAST_YEAR] = STAMP_YEARS;
const EARLIEST = Date.UTC(FIRST_YEAR, 0);
const END = Date.UTC(LAST_YEAR + 1, 0);

/**
 * Formats a stamp for messages, with seconds and fractions only if it has them.
 *
 * @param stamp Milliseconds since 1970 UTC; any number
 */
export function formatStamp(stamp: number): string {
  if (!(Math.abs(stamp) <= LAST)) return `${stamp} ms since 1970`;
  const instant = new Temporal.Instant(BigInt(Math.round(stamp * 1000)) * 1000n);
  return instant.toString(stamp % 60_000 === 0 ? { smallestUnit: "minute" } : {});
}

/** Problem of a stamp that {@linkcode isLikely} rejects. */
export const UNLIKELY =
  `is not within the years ${FIRST_YEAR} to ${LAST_YEAR}. Correct the timestamp`;

/** Whether a stamp of a file can be right, milliseconds since 1970 UTC. */
export const isLikely = (stamp: number): boolean => stamp >= EARLIEST && stamp < END;

/** Finds why a stamp of a file cannot be right, milliseconds since 1970 UTC; `undefined` if it can be. */
export function findStampProblem(stamp: number): string | undefined {
  return isLikely(stamp) ? undefined : `${formatStamp(stamp)} ${UNLIKELY}`;
}

const stampText =
  /^\d{4}-\d{2}-\d{2}(?:(?<separator>[T ])\d{2}:\d{2}(?<seconds>:\d{2}(?<fraction>\.\d+)?)?)?(?<offset>Z|[+-]\d{2}(?::?\d{2})?)?(?<zone>\[[^\]]+\])?$/;

const [PLUS, MINUS, DOT, COLON, LETTER_Z] = [..."+-.:Z"].map((mark) => mark.charCodeAt(0));
const SECOND = 1e6;
const NO_DIGITS = -1000;

/** Format of the stamps of a column, taken from the first one. */
interface StampFormat {
  /** Byte between date and time; 0 without a time. */
  readonly separator: number;
  readonly seconds: boolean;
  readonly fraction: boolean;
  readonly offset: "" | "Z" | "+hh" | "+hhmm" | "+hh:mm";
  /** Name of the zone after the offset, in brackets. */
  readonly zone: string;
  /** Length without a fraction. */
  readonly length: number;
}

function readFormat(text: string): StampFormat | undefined {
  const groups = stampText.exec(text)?.groups;
  const { separator, seconds, fraction, offset = "", zone = "" } = groups ?? {};
  if (!groups || zone !== "" && offset === "") return undefined; // the offset counts
  return {
    separator: separator?.charCodeAt(0) ?? 0,
    seconds: seconds !== undefined,
    fraction: fraction !== undefined,
    offset: offset === "" || offset === "Z"
      ? offset
      : offset.length === 3
      ? "+hh"
      : offset.length === 5
      ? "+hhmm"
      : "+hh:mm",
    zone,
    length: text.length - (fraction?.length ?? 0),
  };
}

/** Reads two digits; negative if they are not digits. */
function readTwoDigits(bytes: Uint8Array, at: number): number {
  const tens = bytes[at] - 48;
  const ones = bytes[at + 1] - 48;
  return tens >>> 0 > 9 || ones >>> 0 > 9 ? NO_DIGITS : tens * 10 + ones;
}

/** Counts the days from 1970-01-01; NaN for a day that does not exist. */
export function countDays(year: number, month: number, day: number): number {
  if (month < 1 || month > 12 || day < 1) return NaN;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 ? (leap ? 29 : 28) : 30 + (month + (month >> 3)) % 2;
  if (day > days) return NaN;
  // Years that begin in March have their leap day at the end.
  const shifted = month > 2 ? year : year - 1;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return 365 * shifted + Math.floor(shifted / 4) - Math.floor(shifted / 100) +
    Math.floor(shifted / 400) + dayOfYear - 719_468;
}

const formatClock = (local: number) =>
  new Date(local / 1000).toISOString().slice(0, 16).replace("T", " ");

/** Advises which zone to declare if the clock of a file has no summer time. */
function adviseNoSummer(local: number, timeZone: string): string {
  const fixed = zoneWithoutSummer(local / 1000, timeZone);
  const zones = fixed === undefined || fixed === "UTC" ? '"UTC"' : `"UTC" or "${fixed}"`;
  return `If the file has no summer time, declare its time zone as ${zones}`;
}

/** Describes a local stamp that does not exist in its zone. */
export function describeSkippedHour(local: number, timeZone: string): string {
  return `${formatClock(local)} does not exist in ${timeZone}, because the clocks skip it. ${
    adviseNoSummer(local, timeZone)
  }. If the rows of that hour were filled in, remove them`;
}

/** Describes a local stamp that may be either of two hours of its zone. */
export function describeUnclearHour(local: number, timeZone: string): string {
  return `${
    formatClock(local)
  } may be either of two hours in ${timeZone}, because the clocks go back then and the rows do ` +
    `not have both hours in sequence. ${
      adviseNoSummer(local, timeZone)
    }. Otherwise use timestamps with ` +
    "an offset, or remove the rows of that hour";
}

/**
 * Reads stamps of ISO 8601 with or without offset as microseconds since 1970 UTC; the first one sets the format of all.
 * Digits of a fraction beyond the sixth are dropped.
 */
export class StampReader {
  /** Position after the stamp read last. */
  end = 0;
  readonly #timeZone: string | undefined;
  readonly #rule: PassRule | undefined;
  readonly #back: number;
  #format: StampFormat | undefined;
  #first = "";
  #clock: LocalClock | undefined;
  // Hourly stamps share their day with their neighbours.
  #year = 0;
  #month = 0;
  #day = 0;
  #days = NaN;

  /**
   * Makes a reader.
   *
   * @param timeZone IANA zone of stamps without offset; without it such stamps are refused
   * @param rule How to tell the two passes of a repeated hour apart. @default by the order of the rows
   * @param back Microseconds by which {@linkcode place} moves a local stamp back, on the clock of its zone
   */
  constructor(timeZone?: string, rule?: PassRule, back = 0) {
    this.#timeZone = timeZone;
    this.#rule = rule;
    this.#back = back;
  }

  /** Whether the first stamp was read, which sets the format. */
  get hasFormat(): boolean {
    return this.#format !== undefined;
  }

  /** Sets the format by the first stamp; returns its problem, if it has one. */
  begin(text: string): Problem | undefined {
    const format = readFormat(text);
    if (!format) return this.explainMismatch(text);
    if (format.offset === "" && this.#timeZone === undefined) {
      const problem = `${
        JSON.stringify(text)
      } has no offset from UTC. Give its time zone, such as `;
      return ["time_zone", `${problem}"UTC" or "Europe/Copenhagen"`, text];
    }
    if (format.offset === "" && this.#timeZone !== "UTC") {
      this.#clock = buildLocalClock(this.#timeZone!, this.#rule);
    }
    this.#format = format;
    this.#first = text;
  }

  /**
   * Reads the stamp at a position; NaN if it does not have the format. {@linkcode end} is the position after it.
   * Convert a local stamp with {@linkcode place}.
   */
  read(bytes: Uint8Array, at: number): number {
    const format = this.#format!;
    if (at + format.length > bytes.length) return NaN;
    const century = readTwoDigits(bytes, at);
    const yearInCentury = readTwoDigits(bytes, at + 2);
    if (century < 0 || yearInCentury < 0) return NaN;
    const year = century * 100 + yearInCentury;
    const month = readTwoDigits(bytes, at + 5);
    const day = readTwoDigits(bytes, at + 8);
    if (bytes[at + 4] !== MINUS || bytes[at + 7] !== MINUS) return NaN;
    if (day !== this.#day || month !== this.#month || year !== this.#year) {
      this.#days = countDays(year, month, day);
      this.#day = day;
      this.#month = month;
      this.#year = year;
    }
    let micros = this.#days * 86_400 * SECOND;
    let i = at + 10;
    if (format.separator !== 0) {
      const hour = readTwoDigits(bytes, i + 1);
      const minute = readTwoDigits(bytes, i + 4);
      if (bytes[i] !== format.separator || bytes[i + 3] !== COLON) return NaN;
      if (hour < 0 || hour > 23 || minute < 0 || minute > 59) return NaN;
      micros += (hour * 3600 + minute * 60) * SECOND;
      i += 6;
      if (format.seconds) {
        const second = readTwoDigits(bytes, i + 1);
        if (bytes[i] !== COLON || second < 0 || second > 59) return NaN;
        micros += second * SECOND;
        i += 3;
      }
      if (format.fraction) {
        if (bytes[i] !== DOT) return NaN;
        let unit = SECOND;
        const first = ++i;
        for (let digit; (digit = bytes[i] - 48) >= 0 && digit <= 9; i++) {
          unit /= 10;
          if (unit >= 1) micros += digit * unit;
        }
        if (i === first) return NaN;
      }
    }
    if (format.offset === "Z") {
      if (bytes[i++] !== LETTER_Z) return NaN;
    } else if (format.offset !== "") {
      const sign = bytes[i];
      if (sign !== PLUS && sign !== MINUS) return NaN;
      const hours = readTwoDigits(bytes, i + 1);
      i += 3;
      let minutes = 0;
      if (format.offset !== "+hh") {
        if (format.offset === "+hh:mm" && bytes[i++] !== COLON) return NaN;
        minutes = readTwoDigits(bytes, i);
        i += 2;
      }
      if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return NaN;
      const offset = (hours * 3600 + minutes * 60) * SECOND;
      micros += sign === PLUS ? -offset : offset;
    }
    for (let j = 0; j < format.zone.length; j++) {
      if (bytes[i++] !== format.zone.charCodeAt(j)) return NaN;
    }
    this.end = i;
    return i > bytes.length ? NaN : micros;
  }

  /** Whether stamps are local times of a zone, which {@linkcode place} converts. */
  get local(): boolean {
    return this.#clock !== undefined;
  }

  /** Converts a local stamp of the zone to its instant; NaN if the zone's clock skips it. */
  place(micros: number, line: number): number {
    return this.#clock!.toInstant(micros - this.#back, line);
  }

  /** Explains why {@linkcode place} returned NaN. */
  explainUnplaced(micros: number): string {
    return describeSkippedHour(micros, this.#timeZone!);
  }

  /** Explains why a text is not a stamp of the format. */
  explainMismatch(text: string): Problem {
    const quoted = JSON.stringify(text.slice(0, 60));
    const format = readFormat(text);
    const hasSameFormat = format && JSON.stringify(format) === JSON.stringify(this.#format);
    const problem = text === ""
      ? "the timestamp is missing"
      : !this.hasFormat
      ? `${quoted} does not have the format 2023-05-01T13:00:00`
      : hasSameFormat
      ? `${quoted} is not a valid date and time`
      : `${quoted} does not have the format of the first timestamp, ${this.#first}`;
    return ["time_format", problem, text];
  }

  /** Finds the first stamp that may be either of two hours, and explains it. Call it at the end of the column. */
  findUnclearHour(): { readonly row: number; readonly explanation: string } | undefined {
    const unclear = this.#clock?.findUnclearHour();
    return unclear &&
      { row: unclear.line, explanation: describeUnclearHour(unclear.local, this.#timeZone!) };
  }
}
