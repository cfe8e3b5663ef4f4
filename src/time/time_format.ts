import { ArgumentError } from "../api/errors.ts";
import { countDays } from "./stamps.ts";

const SECOND = 1e6; // microseconds
const HOUR = 3600 * SECOND;
/** Languages whose names of months are read, in full or abbreviated. */
const LANGUAGES = ["en", "da", "de", "es", "fi", "fr", "it", "nl", "no", "pl", "pt", "sv"];

let monthNames: ReadonlyMap<string, number> | undefined;

/** Finds the number of a month by its name, without a period at its end; 0 for another word. */
export function findMonth(name: string): number {
  monthNames ??= new Map(
    LANGUAGES.flatMap((language) =>
      Array.from({ length: 12 }, (_, i) => {
        const day = Temporal.PlainDate.from({ year: 2023, month: i + 1, day: 1 });
        return [{ month: "short" }, { month: "long" }, { month: "short", day: "numeric" }, {
          month: "long",
          day: "numeric",
        }].map((how): [string, number] => {
          const text = day.toLocaleString(language, how as Intl.DateTimeFormatOptions);
          return [/\p{L}{3,}/u.exec(text)?.[0].toLowerCase() ?? "", i + 1];
        });
      }).flat()
    ).reverse(), // the first language wins
  );
  return monthNames.get(name.toLowerCase()) ?? monthNames.get(name.toLowerCase().slice(0, 3)) ?? 0;
}

/** Regular expressions of the tokens, each with a group named for its part of the time. */
const tokens: Readonly<Record<string, string>> = {
  YYYY: "(?<year>\\d{4})",
  YY: "(?<shortYear>\\d{2})",
  MMM: "(?<name>\\p{L}{3,})\\.?",
  ddd: "(?<weekday>\\p{L}{2,})\\.?",
  MM: "(?<month>\\d{2})",
  M: "(?<month>\\d{1,2})",
  DDD: "(?<yearDay>\\d{1,3})",
  DD: "(?<day>\\d{2})",
  D: "(?<day>\\d{1,2})",
  HH: "(?<hour>\\d{2})",
  H: "(?<hour>\\d{1,2})",
  hh: "(?<half>\\d{2})",
  h: "(?<half>\\d{1,2})",
  mm: "(?<minute>\\d{2})",
  m: "(?<minute>\\d{1,2})",
  ss: "(?<second>\\d{2})",
  s: "(?<second>\\d{1,2})",
  SSS: "(?<fraction>\\d{3})",
  A: "(?<noon>[AaPp]\\.?\\s?[Mm]\\.?)",
  Z: "(?<offset>Z|[+-]\\d{2}(?::?\\d{2})?)",
  N: "(?<count>\\d{1,2})",
  X: "(?<pass>[ABXYNabxyn*])?",
  z: "\\(?(?<zone>\\p{L}+|[01])?\\)?",
};

/** Tokens whose text may be missing in some rows, with the space before it. */
const OPTIONAL = ["X", "z"];

const tokenOrText = /YYYY|YY|MMM|MM|M|ddd|DDD|DD|D|HH|H|hh|h|mm|m|SSS|ss|s|[ANXZz]|\[[^\]]*\]|[^]/g;

/** Formats of times that are numbers: seconds of one unit, and of its beginning since 1970. Excel's numbers are local times. */
const NUMBERS: Readonly<Record<string, readonly [unit: number, begin: number]>> = {
  "unix": [1, 0],
  "unix-ms": [1e-3, 0],
  "excel": [86_400, -25_569 * 86_400],
};

/** Start of a range in one cell, with the separator before its end: 01.01.2023 00:00 - 01.01.2023 01:00, and intervals of ISO 8601. */
export const RANGE: RegExp = /^(.{8,}?)( - |\s*\u2013\s*|\/)(?=\d)/;

/** A local time, with the marks of its text for offset, zone and repeated hours. */
export interface ClockTime {
  /** Microseconds since 1970 as if it were UTC; midnight if `counted` has the hour. */
  readonly local: number;
  /** Microseconds ahead of UTC. */
  readonly offset?: number | undefined;
  /** Microseconds counted from midnight: hour 25 is the last one of the day on which clocks go back. */
  readonly counted?: number;
  /** Name of the zone, or a mark of summer time, such as "MESZ" or "S"; empty if a row has none. */
  readonly zone?: string | undefined;
  /** Pass of a repeated hour, if a mark shows it. */
  readonly pass?: "earlier" | "later" | undefined;
}

/** The letters of a format, for messages. */
const LETTERS =
  "YYYY or YY (year), MM, M or MMM (month), DD or D (day), DDD (day of the year), ddd (day of the week), HH or H (hour), hh or h with A (AM, PM), " +
  "N (hour counted from midnight, up to 25), X (mark of the repeated hour), mm or m (minute), ss or s (second), " +
  "SSS (millisecond), Z (offset) and z (name of the zone); or unix, unix-ms or excel, for numbers";

/** Pattern of a format, and the parts of the time that it has. */
interface FormatPattern {
  readonly pattern: RegExp;
  readonly parts: ReadonlySet<string>;
}

/** Reads a format; returns a problem if it is not one. */
function readPattern(text: string): FormatPattern | string {
  if (Object.hasOwn(NUMBERS, text)) {
    return { pattern: /^(?<number>\d+(?:[.,]\d+)?)$/, parts: new Set(["month", "day", "hour"]) };
  }
  let pattern = "";
  const parts = new Set<string>();
  const again = new Set<string>(); // the parts of the end of a range
  for (const [part] of text.matchAll(tokenOrText)) {
    const token = tokens[part];
    if (token) {
      const name = /<(\w+)>/.exec(token)![1];
      const isEnd = parts.has(name);
      if (again.has(name) || again.size > 0 && !isEnd) return DUPLICATED;
      (isEnd ? again : parts).add(name);
      if (OPTIONAL.includes(part)) pattern = pattern.replace(/\\s\+$/, "\\s*");
      pattern += isEnd ? token.replace(`<${name}>`, `<${name}${END}>`) : token;
    } else if (part.length === 1 && /[A-Za-z]/.test(part)) {
      return `"${part}" is not a letter of time formats`;
    } else pattern += escapePattern(part.length > 1 ? part.slice(1, -1) : part);
  }
  if (again.size > 0 && !["day", ...HOURS].some((name) => again.has(name))) return DUPLICATED;
  if (HOURS.filter((name) => parts.has(name)).length > 1) return "it states the hour twice";
  if (!parts.has("year") && !parts.has("shortYear")) return "it has no year";
  if (parts.has("half") !== parts.has("noon")) return "hh and A need each other";
  if (parts.has("day") && !parts.has("month") && !parts.has("name")) {
    return "it has a day but no month";
  }
  if (again.size > 0) parts.add("end");
  return { pattern: new RegExp(`^${pattern}$`, "u"), parts };
}

const DUPLICATED = "a part of the time is duplicated";

/** Suffix of the groups of the end of a range. */
const END = "End";

/** Parts that are an hour. */
const HOURS = ["hour", "half", "count"];

/**
 * Finds the problem of a format of times, and adds the letters that it can have.
 *
 * @returns `undefined` if it is valid
 */
export function findTimeFormatProblem(text: string): string | undefined {
  const parsed = readPattern(text);
  return typeof parsed !== "string"
    ? undefined
    : `${
      JSON.stringify(text)
    } is not a time format: ${parsed}. Give a format like "DD/MM/YYYY HH:mm", made of ${LETTERS}. ` +
      "Put other letters in brackets";
}

/** Format of times, as `DD.MM.YYYY HH:mm`. */
export class TimeFormat {
  /** The format. */
  readonly text: string;
  readonly #pattern: RegExp;
  readonly #parts: ReadonlySet<string>;

  /**
   * Reads a format.
   *
   * @param text Letters as declared, and the characters between them
   * @throws {ArgumentError} If it is not a format
   */
  constructor(text: string) {
    const parsed = readPattern(text);
    if (typeof parsed === "string") {
      const facts = { field: "time_format", value: text };
      throw new ArgumentError(`Cannot read times: ${findTimeFormatProblem(text)}`, facts);
    }
    this.text = text;
    this.#pattern = parsed.pattern;
    this.#parts = parsed.parts;
  }

  #has(...parts: readonly string[]): boolean {
    return parts.some((part) => this.#parts.has(part));
  }

  /** Whether it has the month. */
  get hasMonth(): boolean {
    return this.#has("month", "name", "yearDay");
  }

  /** Whether it has the day. */
  get hasDay(): boolean {
    return this.hasMonth && this.#has("day", "yearDay");
  }

  /** Whether it has all parts down to the hour. */
  get hasHour(): boolean {
    return this.hasDay && this.#has(...HOURS);
  }

  /** Whether it has the name of a zone. */
  get hasZone(): boolean {
    return this.#has("zone");
  }

  /** Whether it has the start and the end of a period. */
  get isRange(): boolean {
    return this.#has("end");
  }

  /** Whether the last part may be missing in some rows. */
  get mayEndEmpty(): boolean {
    return OPTIONAL.includes(this.text.slice(-1));
  }

  /** Writes a day, microseconds since 1970, as the part of the format before its hour. */
  formatDay(local: number): string {
    const date = new Date(local / 1000);
    const write: Readonly<Record<string, () => string>> = {
      YYYY: () => String(date.getUTCFullYear()),
      YY: () => String(date.getUTCFullYear()).slice(-2),
      M: () => String(date.getUTCMonth() + 1),
      D: () => String(date.getUTCDate()),
      MMM: () => date.toLocaleString("en", { month: "short", timeZone: "UTC" }),
      ddd: () => date.toLocaleString("en", { weekday: "short", timeZone: "UTC" }),
      MM: () => write.M().padStart(2, "0"),
      DD: () => write.D().padStart(2, "0"),
    };
    let day = "";
    for (const [part] of this.text.matchAll(tokenOrText)) {
      if (/^(?:H|h|N)/.test(part)) break;
      day += write[part]?.() ?? (part.length > 1 ? part.slice(1, -1) : part);
    }
    return day.trim();
  }

  /** Advises how to declare a part of a text that the format lacks; empty if the text differs otherwise. */
  #explainMore(text: string): string {
    const fits = (part: string) => part !== text && this.#pattern.test(part);
    const zone = /\s*\(?(\p{L}+)\)?$/u.exec(text);
    if (zone && !this.hasZone && fits(text.slice(0, zone.index))) {
      return `: it ends with "${
        zone[1]
      }". For the name of a zone or a word for summer time, write z at the end of time_format`;
    }
    const marked = ["$1", "0$1"].map((hour) => text.replace(/(\d ?)[ABX*](?=\W|$)/i, hour));
    if (!this.#has("pass") && marked.some(fits)) {
      return ": an hour has a mark, probably for a repeated hour. Write X for the mark in time_format, such as HX:mm";
    }
    const [, beforeEnd = "", end] = /^(.*?)(\s*\([^()]*\))$/.exec(text) ?? [];
    if (end && fits(beforeEnd)) {
      const marked = end.replace("(", "[(") + "]";
      return `: it ends with "${end.trim()}". Write that in square brackets, such as ${
        JSON.stringify(this.text + marked)
      }`;
    }
    const [, start = "", between] = RANGE.exec(text) ?? [];
    if (between && !this.isRange && fits(start)) {
      return `: it has a start and an end. Write both in time_format, such as ${
        JSON.stringify(this.text + between + this.text)
      }`;
    }
    return "";
  }

  /** Reads a time, or returns the problem of the text. */
  read(text: string): ClockTime | string {
    const quoted = JSON.stringify(text.slice(0, 60));
    const groups = this.#pattern.exec(text.trim())?.groups;
    if (!groups) {
      const below = /\d/.test(text) ? "" : ". List rows that are not periods in leave_out";
      return `${quoted} does not have the format ${this.text}${
        below || this.#explainMore(text.trim())
      }`;
    }
    if (groups.number) {
      const [unit, begin] = NUMBERS[this.text];
      // Excel stores days as floats with rounding errors; it shows whole seconds, too.
      const local = Math.round(Number(groups.number.replace(",", ".")) * unit + begin) * SECOND;
      return this.text === "excel" ? { local } : { local, offset: 0 };
    }
    const start = readMoment(groups);
    if (start === undefined) {
      const counted = /^2[45]$/.test(groups.hour ?? "")
        ? `: it has hour ${groups.hour}. If hours are counted from midnight, up to 25 on the day when clocks go back, write N in time_format ` +
          "instead of H or HH"
        : "";
      return `${quoted} is not a valid date and time${counted}`;
    }
    if (this.isRange && !endsAfter(start, groups)) return `${quoted} does not end after its start`;
    const { offset, zone } = groups;
    const pass = groups.pass?.toUpperCase() ?? "N";
    return {
      ...start,
      offset: offset ? readOffset(offset) : undefined,
      zone: this.hasZone ? zone ?? "" : undefined,
      pass: pass === "N" ? undefined : pass === "A" ? "earlier" : "later",
    };
  }
}

type Groups = Readonly<Record<string, string | undefined>>;

/** Reads date and time of day; `undefined` if there is no such time. */
function readMoment(groups: Groups): Pick<ClockTime, "local" | "counted"> | undefined {
  const year = groups.year ? Number(groups.year) : 2000 + Number(groups.shortYear);
  const month = groups.name ? findMonth(groups.name) : Number(groups.month ?? 1);
  const days = groups.yearDay === undefined
    ? countDays(year, month, Number(groups.day ?? 1))
    : countDaysOfYear(year, Number(groups.yearDay));
  const minute = Number(groups.minute ?? 0);
  const second = Number(groups.second ?? 0);
  const fraction = Number(groups.fraction ?? 0) * 1000;
  const hour = readHour(groups);
  // Meters write the end of a day as 24:00.
  const last = groups.count === undefined ? 24 : 25;
  const within = hour < last || hour === last && minute === 0 && second === 0 && fraction === 0;
  if (Number.isNaN(days) || !within || minute > 59 || second > 59) return undefined;
  const midnight = days * 86_400 * SECOND;
  const since = (hour * 3600 + minute * 60 + second) * SECOND + fraction;
  return groups.count === undefined
    ? { local: midnight + since }
    : { local: midnight, counted: since };
}

/** Counts the days from 1970-01-01 to a day of a year, counted from 1; NaN if the year has no such day. */
function countDaysOfYear(year: number, day: number): number {
  const days = countDays(year, 1, 1) + day - 1;
  return day > 0 && days <= countDays(year, 12, 31) ? days : NaN;
}

/** Whether a range ends after its start; an end without a date has the date of the start. */
function endsAfter(start: Pick<ClockTime, "local" | "counted">, groups: Groups): boolean {
  const ends = Object.fromEntries(
    Object.entries(groups).filter(([name, value]) => name.endsWith(END) && value)
      .map(([name, value]) => [name.slice(0, -END.length), value]),
  );
  const { local, counted = 0 } = readMoment({ ...groups, ...ends }) ?? { local: NaN };
  const [from, to] = [start.local + (start.counted ?? 0), local + counted];
  // If clocks go back, an hour may end at the time at which it begins.
  return ends.day === undefined && to <= from || to >= from - HOUR;
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&").replaceAll(/\s+/g, "\\s+");
}

/** Reads the hour of the day; 99 for an hour that a twelve-hour clock does not have. */
function readHour(groups: Groups): number {
  if (groups.half === undefined) return Number(groups.hour ?? groups.count ?? 0);
  const half = Number(groups.half);
  if (half < 1 || half > 12) return 99;
  return half % 12 + (/^p/i.test(groups.noon!) ? 12 : 0);
}

function readOffset(text: string): number {
  if (text === "Z") return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(3).replace(":", "") || 0);
  return (text[0] === "-" ? -1 : 1) * (hours * 3600 + minutes * 60) * SECOND;
}
