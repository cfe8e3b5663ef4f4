import { ArgumentError } from "../api/errors.ts";
import windowsZones from "./windows_zones.json" with { type: "json" };

/** IANA zones by their names in Windows: the territory "001" of windowsZones in CLDR 48. */
const zonesOfWindows = new Map<string, string>(Object.entries(windowsZones));

/** Area and place, each with a capital: the runtime accepts another case, Polars does not. */
const zoneName = /^[A-Z][A-Za-z_]*(\/[A-Z0-9][A-Za-z0-9_+-]*)+$/;

/** Whether a text names an IANA time zone (offsets and abbreviations do not count). */
export function isTimeZone(zone: string): boolean {
  if (zone !== "UTC" && !zoneName.test(zone)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions();
    return timeZone === zone || timeZone.toLowerCase() !== zone.toLowerCase(); // accepts an alias
  } catch {
    return false;
  }
}

/** Names of universal time. "GMT" without a place is universal time, too. */
const universal = new Set([
  "UTC",
  "GMT",
  "Z",
  "UCT",
  "Zulu",
  "Etc/UTC",
  "Etc/GMT",
  "Etc/UCT",
  "Etc/Zulu",
]);

/** A fixed offset: "+01:00", "UTC+1", "GMT-0300". */
const fixedOffset = /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?(00))?$/;

/** Name of a zone of a fixed offset: the sign in `Etc` names is the opposite one. */
export function zoneOfOffset(sign: string, hours: number): string | undefined {
  if (hours === 0) return "UTC";
  const last = sign === "+" ? 14 : 12; // the easternmost zones are 14 h ahead
  return hours > last ? undefined : `Etc/GMT${sign === "+" ? "-" : "+"}${hours}`;
}

/**
 * Finds the IANA time zone for the name that a service uses: an IANA name, a Windows name such as "Romance Standard
 * Time", UTC under its other names, or an offset of whole hours such as "+01:00", "UTC+1" or "GMT-3".
 *
 * @param name The name; case counts
 * @returns A name that frames accept; `undefined` for abbreviations such as "CET", which may or may not include summer
 * time, and for offsets with minutes, which have no zone
 */
export function resolveTimeZone(name: string): string | undefined {
  const trimmed = name.trim();
  if (universal.has(trimmed)) return "UTC";
  const ofWindows = zonesOfWindows.get(trimmed);
  if (ofWindows !== undefined) return ofWindows;
  const [, sign, hours] = fixedOffset.exec(trimmed) ?? [];
  if (sign) return zoneOfOffset(sign, Number(hours));
  return isTimeZone(trimmed) ? trimmed : undefined;
}

/**
 * Checks the name of a time zone.
 *
 * @throws {ArgumentError} If it is not an IANA time zone
 */
export function assertTimeZone(zone: string, subject = "time zone"): void {
  if (!isTimeZone(zone)) {
    throw new ArgumentError(
      `Cannot use ${subject} "${zone}": it is not an IANA time zone. Give a name like "Europe/Copenhagen"`,
      { code: "time_zone", value: zone },
    );
  }
}

/** Whether two names mean the same IANA zone, as "UTC" and "Etc/UTC". */
export function isSameZone(one: string, other: string): boolean {
  const [first, second] = [one, other]
    .map((zone) => Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone));
  return first.equals(second);
}

/** Date and time in a zone at an instant. */
export function clockAt(instant: number, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(Math.floor(instant)).toZonedDateTimeISO(timeZone);
}

/** Calendar day of an instant in a zone. */
export function dayAt(instant: number, timeZone: string): Temporal.PlainDate {
  return clockAt(instant, timeZone).toPlainDate();
}

/** Formats the date and time of an instant in a zone: "2024-03-03 05:00". */
export function formatClock(instant: number, timeZone: string): string {
  return clockAt(instant, timeZone).toPlainDateTime().toString({ smallestUnit: "minute" })
    .replace("T", " ");
}

/** Computes how far the clock of a zone is ahead of UTC at an instant, ms. */
export function computeOffset(instant: number, timeZone: string): number {
  return clockAt(instant, timeZone).offsetNanoseconds / 1e6;
}

/**
 * Finds the zone of a place's clock without summer time: "Etc/GMT-1" of Berlin; `undefined` if it differs from UTC by
 * a part of an hour.
 *
 * @param instant Any time in the year to consider
 */
export function zoneWithoutSummer(instant: number, timeZone: string): string | undefined {
  const year = clockAt(instant, timeZone).year;
  const offsets = [0, 6].map((month) => computeOffset(Date.UTC(year, month, 15), timeZone));
  const hours = Math.min(...offsets) / 3_600_000;
  return Number.isInteger(hours) ? zoneOfOffset(hours < 0 ? "-" : "+", Math.abs(hours)) : undefined;
}

/** Computes how much later the hours of a zone's clock begin than those of UTC at an instant, ms: 0 in most zones. */
export function computeClockShift(instant: number, timeZone: string): number {
  const hour = 3_600_000;
  return (hour - computeOffset(instant, timeZone) % hour) % hour;
}

/** Start of a calendar day in a zone, milliseconds since 1970 UTC. */
export function startOfDay(day: Temporal.PlainDate, timeZone: string): number {
  return day.toZonedDateTime(timeZone).epochMilliseconds;
}

/** Start of a calendar month in a zone, milliseconds since 1970 UTC. */
export function startOfMonth(month: Temporal.PlainYearMonth, timeZone: string): number {
  return startOfDay(month.toPlainDate({ day: 1 }), timeZone);
}

/** Calendar month of an instant in a zone. */
export function monthAt(instant: number, timeZone: string): Temporal.PlainYearMonth {
  return dayAt(instant, timeZone).toPlainYearMonth();
}

/** Days from 1970-01-01 to the first day of a month, as frames store months. */
export function monthAsDays(month: Temporal.PlainYearMonth): number {
  return Temporal.PlainDate.from("1970-01-01").until(month.toPlainDate({ day: 1 })).days;
}

/** Month of a day counted from 1970-01-01. */
export function monthOfDays(days: number): Temporal.PlainYearMonth {
  return Temporal.PlainDate.from("1970-01-01").add({ days }).toPlainYearMonth();
}

/** Formats a month: "2018-05". */
export function formatMonthLabel(month: { readonly year: number; readonly month: number }): string {
  return `${String(month.year).padStart(4, "0")}-${String(month.month).padStart(2, "0")}`;
}

/** Months since year 0: year x 12 + month - 1. */
export function monthNumberOf(month: { readonly year: number; readonly month: number }): number {
  return month.year * 12 + month.month - 1;
}

/** Months since year 0 of an instant in UTC. For a million of them, Temporal would take a gigabyte. */
export function monthNumberAt(instant: number): number {
  const date = new Date(instant);
  return monthNumberOf({ year: date.getUTCFullYear(), month: date.getUTCMonth() + 1 });
}

/** Month with a number of months since year 0. */
export function monthOfNumber(number: number): Temporal.PlainYearMonth {
  return Temporal.PlainYearMonth.from({ year: Math.floor(number / 12), month: number % 12 + 1 });
}

const HOUR = 3600 * 1e6; // microseconds

/** Hours ahead of UTC by the name of a zone; some names differ by country. */
const KNOWN: Readonly<Record<string, readonly number[]>> = {
  ...{ UTC: [0], GMT: [0], WET: [0], WEZ: [0], WEST: [1], WESZ: [1], BST: [1] },
  ...{ CET: [1], MEZ: [1], MET: [1], CEST: [2], MESZ: [2], MEST: [2] },
  ...{ EET: [2], OEZ: [2], EEST: [3], OESZ: [3], MSK: [3], IST: [1, 2, 5.5], SAST: [2] },
  ...{ NST: [-3.5], NDT: [-2.5], AST: [-4, 3], ADT: [-3], EST: [-5, 10], EDT: [-4, 11] },
  ...{ CST: [-6, 8, 9.5], CDT: [-5, 10.5], MST: [-7], MDT: [-6], PST: [-8], PDT: [-7] },
  ...{ AEST: [10], AEDT: [11], ACST: [9.5], ACDT: [10.5], AWST: [8], NZST: [12], NZDT: [13] },
};

/**
 * Offsets of the names of zones in a file, such as "MESZ" and "MEZ", or "S" and "D". Stamps with only one possible
 * offset show what a name means in a repeated hour.
 */
export class ZoneNames {
  readonly #offsets = new Map<string, number>();

  /**
   * Learns the offset of a name; returns its problem, if it has one.
   *
   * @param offset Microseconds by which the clock of the zone is ahead of UTC at its stamp
   * @param timeZone The declared zone
   */
  learn(name: string, offset: number, timeZone: string): string | undefined {
    const before = this.#offsets.get(name);
    if (before === offset || Number.isNaN(before)) return undefined;
    const known = KNOWN[name.toUpperCase()];
    if (known && !known.includes(offset / HOUR)) {
      return `"${name}" is ${formatOffset(known[0])}, but the clock of ${timeZone} is ${
        formatOffset(offset / HOUR)
      } at that time. Declare the time_zone that fits all of these names${adviseFixed(known[0])}`;
    }
    if (before !== undefined && name === "") this.#offsets.set(name, NaN); // rows without a name have both offsets
    else if (before !== undefined) {
      return `"${name}" is ${formatOffset(before / HOUR)} in rows above, but ${
        formatOffset(offset / HOUR)
      } here, by the clock of ${timeZone}. If all rows have this name, put it in brackets in time_format, such as [${name}]. ` +
        "If the name marks the repeated hour, declare it as X";
    } else this.#offsets.set(name, offset);
  }

  /** Finds the possible offsets of a name, microseconds; empty if it is unknown. */
  find(name: string): readonly number[] {
    const learned = this.#offsets.get(name);
    if (learned !== undefined) return Number.isNaN(learned) ? [] : [learned];
    return (KNOWN[name.toUpperCase()] ?? []).map((hours) => hours * HOUR);
  }
}

/** Advises on the zone in which all rows have one offset, of whole hours. */
function adviseFixed(hours: number): string {
  const zone = Number.isInteger(hours) && zoneOfOffset(hours < 0 ? "-" : "+", Math.abs(hours));
  return zone ? `, such as "${zone}" if all rows have that name` : "";
}

/** Formats how far a clock is ahead of UTC: "UTC+1", "UTC-3:30". */
function formatOffset(hours: number): string {
  if (hours === 0) return "UTC";
  const minutes = Math.round(Math.abs(hours) % 1 * 60);
  return `UTC${hours < 0 ? "-" : "+"}${Math.floor(Math.abs(hours))}${
    minutes === 0 ? "" : `:${String(minutes).padStart(2, "0")}`
  }`;
}
