import type { RecognizedColumn } from "../../sites/mod.ts";
import type { Proposal } from "./question.ts";

interface ColumnGuess {
  /** Formats that the first times may have; two where day and month may be either. */
  readonly timeFormats: readonly string[];
  readonly resolution: Proposal;
  readonly unit: Proposal;
  readonly zone: Proposal;
  readonly stamp: Proposal;
  readonly decimal: Proposal;
  readonly thousands: Proposal;
}

/** Names of columns with production: the first pattern that some column has counts. */
const PRODUCTION = [
  /\b(?:active|grid|net)?[ _]*(?:power|production|energy|export)\b/i,
  /power|leistung|effekt|puissance|produ[ck]|energ|ertrag|yield|wirkarbeit|\b[kM]Wh?\b|_[km]wh?\b/i,
];

/** Names that have these words but are other things. */
const OTHER =
  /factor|reactive|blind|set.?point|reference|max|min|std|dev|limit|loss|lost|potential/i;

const TURBINE = /turbine|anlage|wtg|wea\b|windmill|mølle|station|unit|asset|device/i;

const UNITS: readonly (readonly [RegExp, string])[] = [
  [/(?<![a-z])mwh(?![a-z])/i, "MWh"],
  [/(?<![a-z])kwh(?![a-z])/i, "kWh"],
  [/(?<![a-z])mw(?![a-z])/i, "MW"],
  [/(?<![a-z])kw(?![a-z])/i, "kW"],
];

const CLOCK = /^\d{1,2}[:.]\d{2}(?:[:.]\d{2})?$/;

const MINUTES: readonly (readonly [string, number, number])[] = [
  ["10min", 10, 10],
  ["hour", 60, 60],
  ["month", 28 * 1440, 31 * 1440],
  ["year", 365 * 1440, 366 * 1440],
];

const NONE: Proposal = {};

/** Guesses which columns have what. */
export function guessColumns(
  columns: readonly RecognizedColumn[],
): Record<"time" | "column" | "turbine", Proposal> {
  const times = columns.filter(({ cells }) => cells === "times");
  const at = columns.indexOf(times[0]);
  const clock = at >= 0 && columns[at + 1]?.first.length > 0 &&
    columns[at + 1].first.every((cell) => CLOCK.test(cell));
  const time = clock
    ? [times[0].name, columns[at + 1].name]
    : times.slice(0, 1).map(({ name }) => name);
  const numbers = columns.filter(({ cells, name }) => cells === "numbers" && !time.includes(name));
  const named = PRODUCTION.map((pattern) =>
    numbers.filter(({ name }) => pattern.test(name) && !OTHER.test(name))
  ).find((found) => found.length > 0);
  const equal = named?.filter(({ name }) => nameShape(name) === nameShape(named[0].name));
  const chosen = equal ?? (numbers.length === 1 ? numbers : []);
  const turbine = columns.find(({ cells, name }) => cells === "texts" && TURBINE.test(name));
  const others = (named ?? []).filter((column) => !chosen.includes(column));
  return {
    time: { answers: time, reason: clock ? "day and time of day" : "it has times" },
    column: {
      answers: chosen.map(({ name }) => name),
      reason: others.length > 0
        ? `not ${others.map(({ name }) => `"${name}"`).join(", ")}`
        : chosen.length > 1
        ? "turbines side by side"
        : named
        ? "named so"
        : "the only one with numbers",
      unsure: others.length > 0,
    },
    turbine: turbine ? { answers: [turbine.name], reason: "named so" } : NONE,
  };
}

/** What the names of equal columns of several turbines have in common: all but numbers, and letters that are alone. */
function nameShape(name: string): string {
  return name.toLowerCase().replaceAll(/\d+|\b[a-z]\b/g, "#");
}

/**
 * Names turbines by their columns: by the words that differ, as "R80711" of "R80711 Production (kWh)".
 *
 * @param columns Names of the columns
 */
export function nameTurbines(columns: readonly string[]): string[] {
  const words = columns.map((column) => column.split(/[\s_]+/));
  const differs = words[0].map((_, i) => words.some((one) => one[i] !== words[0][i]));
  const short = words.map((one) => one.filter((_, i) => differs[i] ?? true).join(" "));
  return short.includes("") || new Set(short).size < short.length ? [...columns] : short;
}

/**
 * Guesses what the chosen columns mean.
 *
 * @param time Column of the time, or those of day and time of day
 * @param production Columns of the production
 */
export function guessMeaning(
  time: readonly RecognizedColumn[],
  production: readonly RecognizedColumn[],
): ColumnGuess {
  const stamps = time[0].first.map((cell, i) =>
    [cell, ...time.slice(1).map(({ first }) => first[i])].join(" ")
  );
  const timeFormats = listTimeFormats(stamps);
  const minutes = timeFormats.map((format) => stamps.map((cell) => readMinutes(cell, format)));
  const [resolution = NONE, other = resolution] = minutes.map(guessResolution);
  const named = UNITS.find(([pattern]) => production.some(({ name }) => pattern.test(name)));
  return {
    timeFormats,
    resolution: resolution.answers?.[0] === other.answers?.[0] ? resolution : NONE,
    unit: named ? { answers: [named[1]], reason: "in the name of the column" } : NONE,
    zone: /utc|gmt/i.test(time.map(({ name }) => name).join(" "))
      ? { answers: ["UTC"], reason: "in the name of the column" }
      : NONE,
    stamp: guessStamp([minutes[0]?.[0] ?? NaN], resolution.answers?.[0]),
    ...guessMarks(production.flatMap(({ first }) => first)),
  };
}

/** Whether stamps have their offset from UTC. */
export function hasOffset({ first: [stamp = ""] }: RecognizedColumn): boolean {
  return /\d{2}:\d{2}.*(?:Z|[+-]\d{2}:?\d{0,2})$/.test(stamp);
}

/** Formats that times may have; "ISO" is ISO 8601. */
function listTimeFormats(stamps: readonly string[]): string[] {
  const [first = ""] = stamps;
  if (/^\d{4}(-\d{2}|$)/.test(first)) return ["ISO"];
  const parts = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(.*)$/.exec(first);
  if (!parts) return [];
  const [, , mark, , year, rest] = parts;
  const whole = stamps.every((stamp) => /^\d{2}.\d{2}/.test(stamp));
  const [day, month] = whole ? ["DD", "MM"] : ["D", "M"];
  const clock = /^( +)(\d{1,2})([:.])\d{2}(\3\d{2})?(?:( ?)[AP]M)?$/i.exec(rest);
  const hour = clock?.[5] === undefined ? "H" : "h";
  const hours = stamps.every((stamp) => / \d{2}[:.]/.test(stamp)) ? hour + hour : hour;
  const time = clock
    ? `${clock[1]}${hours}${clock[3]}mm${clock[4] ? `${clock[3]}ss` : ""}` +
      (clock[5] === undefined ? "" : `${clock[5]}A`)
    : rest;
  if (/\d/.test(time)) return [];
  const build = (order: readonly string[]) =>
    `${order.join(mark)}${mark}${year.length === 4 ? "YYYY" : "YY"}${time}`;
  const dayFirst = build([day, month]);
  return mark === "/" ? [dayFirst, build([month, day])] : [dayFirst];
}

/**
 * Says what each format makes of a time, the first that they read differently: "01/02/2023" is 1 February 2023 by DD/MM/YYYY.
 *
 * @param cells First times of the file
 * @param formats The formats, two
 */
export function describeFormats(cells: readonly string[], formats: readonly string[]): string {
  const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
  const readAll = (cell: string) =>
    formats.map((format) => day.format(readMinutes(cell, format) * 60_000));
  const shown = cells.find((cell) => new Set(readAll(cell)).size > 1) ?? cells[0];
  return `"${shown}" is ${readAll(shown).map((read, i) => `${read} by ${formats[i]}`).join(", ")}`;
}

/** Minutes of a stamp from a common beginning, in its own clock; NaN where it cannot be read. */
function readMinutes(stamp: string, format: string): number {
  const numbers = stamp.split(/\D+/).filter((part) => part !== "").map(Number);
  const [a, b = 1, c = 1, hour = 0, minute = 0] = numbers;
  const [year, month, day] = format === "ISO"
    ? [a, b, c]
    : format.startsWith("M")
    ? [c, a, b]
    : [c, b, a];
  const noon = /([AP])M$/i.exec(stamp)?.[1].toUpperCase();
  const hours = noon === undefined ? hour : hour % 12 + (noon === "P" ? 12 : 0);
  return Date.UTC(year, month - 1, day, hours, minute) / 60_000;
}

function guessResolution(minutes: readonly number[]): Proposal {
  const steps = minutes.slice(1).map((minute, i) => minute - minutes[i]).filter((step) => step > 0);
  const step = Math.min(...steps);
  const found = MINUTES.find(([, least, most]) => step >= least && step <= most);
  return found ? { answers: [found[0]], reason: "the step of its first rows" } : NONE;
}

/**
 * Guesses which end of its period a time names: a file begins with its first period, and ends with its last. One that
 * begins at 00:10 or 01:00 and ends at 00:00 is stamped at the end.
 *
 * @param times The first time, and the last where it is known, in minutes
 */
export function guessStamp(
  times: readonly number[],
  resolution: string | undefined,
): Proposal {
  const length = resolution === "10min" ? 10 : resolution === "hour" ? 60 : NaN;
  const [first, last] = times.map((minutes) => minutes % 1440);
  const clock = (minutes: number) =>
    Temporal.PlainTime.from({ hour: Math.floor(minutes / 60), minute: minutes % 60 }).toString()
      .slice(0, 5);
  for (const [answer, begin, end] of [["start", 0, 1440 - length], ["end", length, 0]] as const) {
    if (first !== begin) continue;
    const whole = last === end;
    // Its last row is neither: whole days have another.
    if (last !== undefined && !whole && (last === 0 || last === 1440 - length)) return NONE;
    const reason = `its first time is ${clock(first)}` +
      (whole ? `, its last ${clock(last)}: whole days, by the ${answer} of each period` : "");
    return { answers: [answer], reason, unsure: true };
  }
  return NONE;
}

/** Fewest repetitions of a value that is a mark. */
const MIN_REPEATS = 3;

/**
 * Finds a value that is repeated and cannot be: the least or the greatest, far from the others, or all nines.
 *
 * @param values Production as the file has it
 * @returns The value, how often it is there, and the nearest of the others; `undefined` where there is none
 */
export function findNullMark(values: readonly number[]) {
  const sorted = Float64Array.from(values).sort();
  for (const value of new Set([sorted[0], sorted[sorted.length - 1]])) {
    const others = sorted.filter((one) => one !== value);
    const count = sorted.length - others.length;
    if (count < MIN_REPEATS || others.length === 0) continue;
    const [least, greatest] = [others[0], others[others.length - 1]];
    const nines = /^-?9{2,}(?:\.9+)?$/.test(String(value));
    if (value < Math.min(0, 2 * least) && (nines || -value > greatest)) {
      return { value, count, next: least };
    }
    if (greatest > 0 && value > (nines ? 1.05 : 5) * greatest) {
      return { value, count, next: greatest };
    }
  }
}

function guessMarks(cells: readonly string[]): Pick<ColumnGuess, "decimal" | "thousands"> {
  const both = cells.map((cell) => /\d([.,])\d{3}([.,])\d+$/.exec(cell)).find((found) =>
    found && found[1] !== found[2]
  );
  if (both) {
    const reason = `as in "${both.input}"`;
    return {
      decimal: { answers: [both[2]], reason },
      thousands: { answers: [both[1]], reason },
    };
  }
  // 1,840 may be thousands; every other number of digits shows a decimal mark.
  const clear = cells.map((cell) => /^[+-]?(?:\d+([.,])(?:\d{1,2}|\d{4,})|0([.,])\d+)$/.exec(cell))
    .find((found) => found !== null);
  const mark = clear?.[1] ?? clear?.[2];
  return {
    decimal: mark ? { answers: [mark], reason: `as in "${clear!.input}"` } : NONE,
    thousands: NONE,
  };
}
