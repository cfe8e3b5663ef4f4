import { ArgumentError } from "../../api/errors.ts";
import { countDays } from "../../time/stamps.ts";

const SECOND = 1e6; // microseconds
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** Regular expressions of the tokens, each with a group named for its part of the time. */
const tokens: Readonly<Record<string, string>> = {
  YYYY: "(?<year>\\d{4})",
  YY: "(?<shortYear>\\d{2})",
  MMM: "(?<name>[A-Za-z]{3})",
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

const tokenOrText = /YYYY|YY|MMM|MM|M|DD|D|HH|H|hh|h|mm|ss|SSS|A|Z|\[[^\]]*\]|[^]/g;

/** A local time, with its offset from UTC if the text has one. */
interface ClockTime {
  /** Microseconds since 1970 as if it were UTC. */
  readonly local: number;
  /** Microseconds ahead of UTC. */
  readonly offset?: number;
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
   * @param text Tokens and the characters between them; letters that are not tokens are put in brackets
   * @throws {ArgumentError} If it has other letters, or a part of the time twice
   */
  constructor(text: string) {
    this.text = text;
    let pattern = "";
    const parts: string[] = [];
    for (const [part] of text.matchAll(tokenOrText)) {
      const token = tokens[part];
      if (token) {
        parts.push(/<(\w+)>/.exec(token)![1]);
        pattern += token;
      } else if (part.length === 1 && /[A-Za-z]/.test(part)) {
        this.#refuse(`"${part}" is not one of ${Object.keys(tokens).join(", ")}`);
      } else pattern += escapePattern(part.length > 1 ? part.slice(1, -1) : part);
    }
    this.#parts = new Set(parts);
    if (this.#parts.size < parts.length) this.#refuse("a part of the time is duplicated");
    if (!this.#has("year", "shortYear")) this.#refuse("it has no year");
    if (this.#has("half") !== this.#has("noon")) this.#refuse("hh and A go together");
    if (this.#has("day") && !this.#has("month", "name")) this.#refuse("it has a day, and no month");
    this.#pattern = new RegExp(`^${pattern}$`);
  }

  #refuse(found: string): never {
    throw new ArgumentError(`Cannot use timeFormat "${this.text}": ${found}`);
  }

  #has(...parts: readonly string[]): boolean {
    return parts.some((part) => this.#parts.has(part));
  }

  /** Whether it has the month. */
  get hasMonth(): boolean {
    return this.#has("month", "name");
  }

  /** Whether it has all parts down to the hour. */
  get hasHour(): boolean {
    return this.hasMonth && this.#has("day") && this.#has("hour", "half");
  }

  /** Whether it has the offset from UTC. */
  get hasOffset(): boolean {
    return this.#has("offset");
  }

  /** Reads a time, or returns the sentence that refuses the text. */
  read(text: string): ClockTime | string {
    const shown = JSON.stringify(text.slice(0, 60));
    const groups = this.#pattern.exec(text.trim())?.groups;
    if (!groups) {
      const below = /\d/.test(text) ? "" : ". Rows below the table are declared as footerRows";
      return `${shown} is not of the form ${this.text}${below}`;
    }
    const year = groups.year ? Number(groups.year) : 2000 + Number(groups.shortYear);
    const month = groups.name
      ? MONTHS.indexOf(groups.name.toLowerCase()) + 1
      : Number(groups.month ?? 1);
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
