import { ArgumentError } from "../api/errors.ts";
import { countDays } from "./stamps.ts";

const SECOND = 1e6; // microseconds
/** Languages whose names of months are read, whole or as their dictionaries shorten them. */
const LANGUAGES = ["en", "da", "de", "es", "fi", "fr", "it", "nl", "no", "pl", "pt", "sv"];

let monthNames: ReadonlyMap<string, number> | undefined;

/** The number of a month by its name, without a period at its end; 0 for another word. */
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
    ).reverse(), // the first language counts
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
  DD: "(?<day>\\d{2})",
  D: "(?<day>\\d{1,2})",
  HH: "(?<hour>\\d{2})",
  H: "(?<hour>\\d{1,2})",
  hh: "(?<half>\\d{2})",
  h: "(?<half>\\d{1,2})",
  mm: "(?<minute>\\d{2})",
  ss: "(?<second>\\d{2})",
  SSS: "(?<fraction>\\d{3})",
  A: "(?<noon>AM|PM|am|pm)",
  Z: "(?<offset>Z|[+-]\\d{2}(?::?\\d{2})?)",
};

const tokenOrText = /YYYY|YY|MMM|MM|M|ddd|DD|D|HH|H|hh|h|mm|ss|SSS|A|Z|\[[^\]]*\]|[^]/g;

/** Formats of times that are numbers: the seconds of one, and of its beginning since 1970; those of Excel are of a local clock. */
const NUMBERS: Readonly<Record<string, readonly [unit: number, begin: number]>> = {
  "unix": [1, 0],
  "unix-ms": [1e-3, 0],
  "excel": [86_400, -25_569 * 86_400],
};

/** A local time, with its offset from UTC if the text has one. */
interface ClockTime {
  /** Microseconds since 1970 as if it were UTC. */
  readonly local: number;
  /** Microseconds ahead of UTC. */
  readonly offset?: number;
}

/** The letters of a format, for messages. */
const LETTERS =
  "YYYY or YY (year), MM, M or MMM (month), DD or D (day), ddd (day of the week), HH or H (hour), hh or h with A (AM, PM), " +
  "mm (minute), ss (second), SSS (millisecond) and Z (offset); or unix, unix-ms or excel, for numbers";

/** Pattern of a format, and the parts of the time that it has. */
interface FormatPattern {
  readonly pattern: RegExp;
  readonly parts: ReadonlySet<string>;
}

/** Reads a format; a sentence if it is not one. */
function readPattern(text: string): FormatPattern | string {
  if (Object.hasOwn(NUMBERS, text)) {
    return { pattern: /^(?<number>\d+(?:[.,]\d+)?)$/, parts: new Set(["month", "day", "hour"]) };
  }
  let pattern = "";
  const found: string[] = [];
  for (const [part] of text.matchAll(tokenOrText)) {
    const token = tokens[part];
    if (token) {
      found.push(/<(\w+)>/.exec(token)![1]);
      pattern += token;
    } else if (part.length === 1 && /[A-Za-z]/.test(part)) {
      return `"${part}" is not one of its letters`;
    } else pattern += escapePattern(part.length > 1 ? part.slice(1, -1) : part);
  }
  const parts = new Set(found);
  if (parts.size < found.length) return "a part of the time is duplicated";
  if (!parts.has("year") && !parts.has("shortYear")) return "it has no year";
  if (parts.has("half") !== parts.has("noon")) return "hh and A go together";
  if (parts.has("day") && !parts.has("month") && !parts.has("name")) {
    return "it has a day, and no month";
  }
  return { pattern: new RegExp(`^${pattern}$`, "u"), parts };
}

/**
 * Says what is wrong with a format of times, and which letters it can have.
 *
 * @returns `undefined` if nothing is
 */
export function findTimeFormatProblem(text: string): string | undefined {
  const found = readPattern(text);
  return typeof found !== "string"
    ? undefined
    : `${
      JSON.stringify(text)
    } is not a format of times: ${found}. Give one like "DD/MM/YYYY HH:mm", of ${LETTERS}; ` +
      "other letters are put in brackets";
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
    const found = readPattern(text);
    if (typeof found === "string") {
      const facts = { field: "time_format", value: text };
      throw new ArgumentError(`Cannot read times: ${findTimeFormatProblem(text)}`, facts);
    }
    this.text = text;
    this.#pattern = found.pattern;
    this.#parts = found.parts;
  }

  #has(...parts: readonly string[]): boolean {
    return parts.some((part) => this.#parts.has(part));
  }

  /** Whether it has the month. */
  get hasMonth(): boolean {
    return this.#has("month", "name");
  }

  /** Whether it has the day. */
  get hasDay(): boolean {
    return this.hasMonth && this.#has("day");
  }

  /** Whether it has all parts down to the hour. */
  get hasHour(): boolean {
    return this.hasDay && this.#has("hour", "half");
  }

  /** Reads a time, or returns the sentence that refuses the text. */
  read(text: string): ClockTime | string {
    const shown = JSON.stringify(text.slice(0, 60));
    const groups = this.#pattern.exec(text.trim())?.groups;
    if (!groups) {
      const below = /\d/.test(text) ? "" : ". Rows that are no periods are declared as leave_out";
      return `${shown} is not of the form ${this.text}${below}`;
    }
    if (groups.number) {
      const [unit, begin] = NUMBERS[this.text];
      // Excel stores days as floats with rounding errors; it shows whole seconds, too.
      const local = Math.round(Number(groups.number.replace(",", ".")) * unit + begin) * SECOND;
      return this.text === "excel" ? { local } : { local, offset: 0 };
    }
    const year = groups.year ? Number(groups.year) : 2000 + Number(groups.shortYear);
    const month = groups.name ? findMonth(groups.name) : Number(groups.month ?? 1);
    const days = countDays(year, month, Number(groups.day ?? 1));
    const minute = Number(groups.minute ?? 0);
    const second = Number(groups.second ?? 0);
    const fraction = Number(groups.fraction ?? 0) * 1000;
    const hour = readHour(groups);
    // Meters write the end of a day as 24:00.
    const within = hour < 24 || hour === 24 && minute === 0 && second === 0 && fraction === 0;
    if (Number.isNaN(days) || !within || minute > 59 || second > 59) {
      return `${shown} is not a valid date and time`;
    }
    const local = (days * 86_400 + hour * 3600 + minute * 60 + second) * SECOND + fraction;
    return groups.offset ? { local, offset: readOffset(groups.offset) } : { local };
  }
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&").replaceAll(/\s+/g, "\\s+");
}

/** Reads the hour of the day; 99 for an hour that a twelve-hour clock does not have. */
function readHour(groups: Readonly<Record<string, string | undefined>>): number {
  if (groups.half === undefined) return Number(groups.hour ?? 0);
  const half = Number(groups.half);
  if (half < 1 || half > 12) return 99;
  return half % 12 + (groups.noon!.toUpperCase() === "PM" ? 12 : 0);
}

function readOffset(text: string): number {
  if (text === "Z") return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(3).replace(":", "") || 0);
  return (text[0] === "-" ? -1 : 1) * (hours * 3600 + minutes * 60) * SECOND;
}
