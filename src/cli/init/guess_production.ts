import type { RecognizedColumn } from "../../sites/mod.ts";
import { RANGE, TimeFormat } from "../../time/time_format.ts";
import { type Proposal, proven, unsure } from "./dialogue.ts";

/** Names of columns with production: the first pattern that some column has counts. */
const PRODUCTION = [
  /\b(?:active|grid|net)?[ _]*(?:power|production|energy|export)\b/i,
  /power|leistung|effekt|puissance|potencia|potenza|potência|vermogen|\bmoc\b|pro?d[uo][ckzç]|energ|ertrag|yield|arbeit|\b[kM]Wh?\b|_[km]wh?\b/i,
];

/** Names that have these words but are other things. */
const OTHER =
  /factor|reactive|reactiv|blind|set.?point|reference|max|min|std|dev|limit|loss|lost|potential|status|estado/i;

const TURBINE =
  /turbine?|anlage|wtg|wea\b|windmill|mølle|aero|éolienne|eolienne|station|unit|asset|device|maquina|máquina/i;

/** Such names of columns with numbers; "turbine wind speed" is none. */
const TURBINE_NUMBER =
  /^(?:turbine?|anlage|wtg|wea|aero\w*|station|unit|asset|device|m[aá]quina)[ _.-]*(?:id|no|nr|num\w*|name)?\.?$/i;

const UNITS: readonly (readonly [RegExp, string])[] = [
  [/(?<![a-z])gwh(?![a-z])/i, "GWh"],
  [/(?<![a-z])mwh(?![a-z])/i, "MWh"],
  [/(?<![a-z])kwh(?![a-z])/i, "kWh"],
  [/(?<![a-z])mw(?![a-z])/i, "MW"],
  [/(?<![a-z])kw(?![a-z])/i, "kW"],
  [/(?<![a-z])wh(?![a-z])/i, "Wh"],
  [/[[(]\s*w\s*[\])]/i, "W"],
];

/** A time of day, with a mark where its hour is repeated. */
const CLOCK = /^\d{1,2} ?[ABX*]?[:.]\d{2}(?:[:.]\d{2})?$/;

/** A number of an hour, with such a mark. */
const HOUR = /^(?:[01]?\d|2[0-5]) ?[ABX*]?$/;

/** Names of columns with a part of the time each, in the order of a time, and their letters in its format. */
const PARTS: readonly (readonly [RegExp, string])[] = [
  [/^(?:year|yyyy|yr|jahr|år|ann[ée]e|anno|año|ano|jaar|rok)$/i, "YYYY"],
  [/^(?:month|mon?|monat|måned|månad|mois|mes|mês|mese|maand|miesi[aą]c)$/i, "M"],
  [/^(?:day|dy|tag|dag|jour|d[ií]a|giorno|dzie[nń])$/i, "D"],
  [
    /^(?:hour|hr|he|std|stunde|heure|hora|ora|uur|godzina|opr_?hr)s?$|hour.?(?:end|begin|of)|^stunde/i,
    "H",
  ],
  [/^(?:min|minut[eo]?|minuten)s?$/i, "m"],
];

/** Least and greatest minutes of the periods of rows. */
const PERIODS: readonly (readonly [string, number, number])[] = [
  ["5min", 5, 5],
  ["10min", 10, 10],
  ["15min", 15, 15],
  ["30min", 30, 30],
  ["hour", 60, 60],
  ["day", 1440, 1440],
  ["month", 28 * 1440, 31 * 1440],
  ["year", 365 * 1440, 366 * 1440],
];

/** Minutes of a period with a stamp; `undefined` for months and years. */
export function findMinutes(resolution: unknown): number | undefined {
  const minutes = PERIODS.find(([name]) => name === resolution)?.[1] ?? Infinity;
  return minutes <= 1440 ? minutes : undefined;
}

const NONE: Proposal = {};

/** Guesses which columns have what: proven where only one can be it. */
export function guessColumns(
  columns: readonly RecognizedColumn[],
): Record<"time" | "column" | "turbine", Proposal> {
  const times = columns.filter(({ cells }) => cells === "times");
  const at = columns.indexOf(times[0]);
  const second = at >= 0 && columns[at + 1]?.first.length > 0 ? columns[at + 1] : undefined;
  const isHour = second && PARTS[3][0].test(second.name);
  const clock = second?.first.every((cell) => CLOCK.test(cell) || isHour && HOUR.test(cell));
  const parts = PARTS.map(([pattern]) => columns.find(({ name }) => pattern.test(name)));
  const several = parts.slice(0, parts.concat(undefined).indexOf(undefined)).map((one) =>
    one!.name
  );
  const time = several.length > 1
    ? several
    : clock
    ? [times[0].name, second!.name]
    : times[0]?.name;
  const isTime = (name: string) => [time].flat().includes(name);
  const turbine = columns.find(({ cells, name }) =>
    cells === "texts" ? TURBINE.test(name) : cells === "numbers" && TURBINE_NUMBER.test(name)
  );
  // The first rows of a column may have no value.
  const numbers = columns.filter((column) =>
    (column.cells === "numbers" ||
      column.cells === "empty" && PRODUCTION.some((pattern) => pattern.test(column.name))) &&
    !isTime(column.name) && column !== turbine
  );
  const named = PRODUCTION.map((pattern) =>
    numbers.filter(({ name }) => pattern.test(name) && !OTHER.test(name))
  ).find((found) => found.length > 0);
  const equal = named?.filter(({ name }) => nameShape(name) === nameShape(named[0].name));
  const chosen = (equal ?? (numbers.length === 1 ? numbers : [])).map(({ name }) => name);
  const others = (named ?? []).filter(({ name }) => !chosen.includes(name));
  const reason = chosen.length > 1
    ? "turbines side by side"
    : named
    ? "named so"
    : "the only one with numbers";
  const value = chosen.length === 1 ? chosen[0] : chosen;
  return {
    time: time === undefined
      ? NONE
      : several.length > 1
      ? proven(time, "named so")
      : times.length > (clock ? 2 : 1)
      ? unsure(time, "the first with times")
      : proven(time, clock ? "day and time of day" : "it has times"),
    column: chosen.length === 0
      ? NONE
      : others.length > 0
      ? unsure(value, `not ${others.map(({ name }) => `"${name}"`).join(", ")}`)
      : proven(value, reason),
    turbine: turbine && chosen.length < 2 ? proven(turbine.name, "named so") : NONE,
  };
}

/** What the names of equal columns of several turbines have in common: all but numbers, and letters that are alone. */
function nameShape(name: string): string {
  return name.toLowerCase().replaceAll(/\d+|\b[a-z]\b/g, "#");
}

/**
 * Names turbines by their columns: by the first word that differs, as "R80711" of "R80711 Production (kWh)", a number with the
 * word before it; where that is not enough by all words that differ.
 *
 * @param columns Names of the columns
 */
export function nameTurbines(columns: readonly string[]): string[] {
  const words = columns.map((column) => column.split(/[\s_]+/).filter((word) => word !== ""));
  const differs = words[0].map((_, i) => words.some((one) => one[i] !== words[0][i]));
  const at = differs.indexOf(true);
  const first = words.map((one) => one[at] ?? "")
    .map((word, i) => /^\d+$/.test(word) && at > 0 ? `${words[i][at - 1]} ${word}` : word);
  const all = words.map((one) => one.filter((_, i) => differs[i] ?? true).join(" "));
  const unique = [first, all].find((names) =>
    !names.includes("") && new Set(names).size === names.length
  );
  return unique ?? [...columns];
}

/** The unit that a name of the columns of the production has. */
export function guessUnit(names: readonly string[]): Proposal {
  const found = UNITS.find(([pattern]) => names.some((name) => pattern.test(name)));
  return found ? proven(found[1], "in the name of the column") : NONE;
}

/** The decimal mark and that of thousands, where numbers have both: one of them alone is read by itself. */
export function guessMarks(cells: readonly string[]): Record<"decimal" | "thousands", Proposal> {
  const none = { decimal: NONE, thousands: NONE };
  const find = (pattern: RegExp) => cells.map((cell) => pattern.exec(cell)).find((one) => one);
  const grouped = find(/^[+-]?\d{1,3}([.,'\u00a0\u202f ])\d{3}(?:\1\d{3})*(?:[.,]\d+)?$/);
  const mark = grouped?.[1];
  const decimal = find(mark === "." ? /(,)\d+$/ : mark === "," ? /(\.)\d+$/ : /([.,])\d+$/);
  // 1,840 may have a decimal mark; another number shows which one it is.
  if (!grouped || !mark || /[.,]/.test(mark) && !decimal) return none;
  const reason = `as in "${grouped.input}"` +
    (decimal && decimal.input !== grouped.input ? ` and "${decimal.input}"` : "");
  return {
    decimal: proven(decimal?.[1] ?? ".", reason),
    thousands: proven(/\s/.test(mark) ? " " : mark, reason),
  };
}

/** The first cells of times, of more parts one after the other; those of a time of day with the first day before them, as a day may have its date once. */
export function joinTimes(columns: readonly RecognizedColumn[]): readonly string[] {
  const [first, clock] = columns;
  if (!first || !clock) return first?.first ?? [];
  if (columns.length > 2 || /^\d{4}$/.test(first.first[0] ?? "")) {
    return first.first.map((_, i) => columns.map((column) => column.first[i] ?? "").join(" "));
  }
  return clock.first.map((cell) => `${first.first[0]} ${cell}`);
}

/** Whether stamps have their offset from UTC. */
export function hasOffset(stamp: string): boolean {
  return /\d{2}:\d{2}.*(?:Z|[+-]\d{2}:?\d{0,2})$/.test(stamp) ||
    /^[01]?\d{9}(?:\d{3})?$/.test(stamp);
}

/** Formats that times may have: two where day and month may be either; ISO 8601 is `null`. */
export function listTimeFormats(all: readonly string[]): (string | null)[] {
  const weekday = /^\p{L}{2,3}\.? (?=\d)/u.exec(all[0] ?? "")?.[0];
  const stamps = weekday ? all.map((stamp) => stamp.replace(/^\p{L}+\.? /u, "")) : all;
  const formats = listDayFormats(stamps);
  return weekday ? formats.flatMap((format) => format === null ? [] : [`ddd ${format}`]) : formats;
}

/** Formats of ranges: those of the start, and of an end that may have no date. */
function listRangeFormats(stamps: readonly string[], mark: string): string[] {
  const halves = stamps.map((stamp) => {
    const [, start = "", between = ""] = RANGE.exec(stamp) ?? [];
    return [start, stamp.slice(start.length + between.length)];
  });
  const isClock = halves.every(([, end]) => /^\d{1,2}[:.]\d{2}(?:[:.]\d{2})?$/.test(end));
  return listDayFormats(halves.map(([start]) => start)).flatMap((format) => {
    if (format === null) return [];
    return [format + mark + (isClock ? format.slice(format.search(/[Hh]/)) : format)];
  });
}

function listDayFormats(stamps: readonly string[]): (string | null)[] {
  const [first = ""] = stamps;
  const range = RANGE.exec(first);
  if (range) return listRangeFormats(stamps, range[2]);
  if (/^\d{4}-\d{2}$|^\d{4}$/.test(first)) return [null];
  if (/^[01]?\d{9}$/.test(first)) return ["unix"];
  if (/^\d{13}$/.test(first)) return ["unix-ms"];
  if (/^[2-5]\d{4}(?:[.,]\d+)?$/.test(first)) return ["excel"];
  const padded = (pattern: RegExp, letter: string) =>
    stamps.every((stamp) => pattern.test(stamp)) ? letter + letter : letter;
  const year = (digits: string) => digits.length === 4 ? "YYYY" : "YY";
  const [month, day] = ["M", "D"];
  const dates: readonly (readonly [RegExp, (parts: readonly string[]) => string[]])[] = [
    [/^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?=\D|$)/, ([, , mark]) => [
      ["YYYY", padded(/^\d{4}.\d{2}/, month), padded(/^\d{4}.\d{1,2}.\d{2}/, day)].join(mark),
    ]],
    [/^\d{8}(?=\D|\d{4}(?:\d{2})?[A-Z]*$|$)/, () => ["YYYYMMDD"]],
    [/^\d{4}(?: \d{1,2}){1,4}$/, ([all]) => [
      PARTS.slice(0, all.split(" ").length).map(([, letter]) => letter).join(" "),
    ]],
    [/^\d{6}$/, () => ["YYYYMM"]],
    [/^\d{4}([/.])\d{1,2}$/, ([, mark]) => [`YYYY${mark}${padded(/^.{5}\d{2}$/, month)}`]],
    [/^\d{1,2}([-/.])\d{4}$/, ([, mark]) => [`${padded(/^\d{2}\D/, month)}${mark}YYYY`]],
    [
      /^(?:\d{1,2}(\. |[-. ]))?\p{L}{3,9}\.?([-. ])(\d{4}|\d{2})(?!\d)/u,
      ([, before, mark, digits]) => [
        `${before ? padded(/^\d{2}/, day) + before : ""}MMM${mark}${year(digits)}`,
      ],
    ],
    [/^\d{1,2}([./-])\d{1,2}\1(\d{4}|\d{2})(?!\d)/, ([, mark, digits]) => {
      const whole = stamps.every((stamp) => /^\d{2}.\d{2}/.test(stamp));
      const [one, other] = whole ? ["DD", "MM"] : [day, month];
      const build = (a: string, b: string) => [a, b, year(digits)].join(mark);
      return mark === "/" ? [build(one, other), build(other, one)] : [build(one, other)];
    }],
  ];
  for (const [pattern, build] of dates) {
    const parts = pattern.exec(first);
    const clock = parts && guessClock(first.slice(parts[0].length), padded, stamps);
    if (parts && clock !== undefined) {
      const dates = build(parts).map((date) => date + clock);
      // An hour alone may be counted from midnight, which only another row shows.
      const counted = dates.filter((date) => / H$/.test(date)).map((date) =>
        date.replace(/H$/, "N")
      );
      const formats = [...dates, ...counted];
      return first[4] === "-" && parts[3]?.length === 2 ? [null, ...formats] : formats;
    }
  }
  return [];
}

/** The format of the time of day behind a date; `undefined` where it is none. */
function guessClock(
  rest: string,
  padded: (pattern: RegExp, letter: string) => string,
  stamps: readonly string[],
): string | undefined {
  if (rest === "") return "";
  const digits = /^([ T]?)(\d{4}|\d{6})([A-Z]{1,4})?$/.exec(rest);
  if (digits) {
    return `${digits[1] === "T" ? "[T]" : digits[1]}HHmm${digits[2][4] ? "ss" : ""}${
      digits[3] === undefined ? "" : digits[3] === "Z" ? "Z" : "z"
    }`;
  }
  const marked = stamps.some((stamp) => / \d{1,2} ?[ABX*](?=[:.]|$)/.test(stamp)) ? "X" : "";
  if (/^ \d{1,2} ?[ABX*]?$/.test(rest)) return ` H${marked}`;
  const parts =
    /^([ T]+)\d{1,2} ?[ABX*]?([:.])\d{2}(\2\d{2})?(\.\d{3})?(?:( ?)[AP]M)?(?:( ?)(?:Z|[+-]\d{2}:?\d{2}))?(?:( ?)\(?[A-Z]{1,5}\)?)?$/i
      .exec(rest);
  if (!parts) return undefined;
  const [, gap, mark, seconds, fraction, noon, offset, zone] = parts;
  const hours = padded(/[ T]\d{2}[:.]/, noon === undefined ? "H" : "h");
  return `${gap === "T" ? "[T]" : gap}${hours}${marked}${mark}mm${seconds ? `${mark}ss` : ""}` +
    `${fraction ? ".SSS" : ""}${noon === undefined ? "" : `${noon}A`}` +
    (offset === undefined ? "" : `${offset}Z`) + (zone === undefined ? "" : `${zone}z`);
}

/** Minutes of a stamp since 1970, in its own clock; NaN where it does not have the format. */
function readMinutes(stamp: string, format: string | null): number {
  if (format !== null) {
    const read = new TimeFormat(format).read(stamp);
    return typeof read === "string" ? NaN : (read.local + (read.counted ?? 0)) / 60e6;
  }
  const [year, month = 1, day = 1, hour = 0, minute = 0] = stamp.split(/\D+/).map(Number);
  return Date.UTC(year, month - 1, day, hour, minute) / 60_000;
}

/** The period of rows whose times follow each other in this step; where formats do not agree, none. */
export function guessResolution(
  stamps: readonly string[],
  formats: readonly (string | null)[],
): Proposal {
  const all = formats.map((format) => stamps.map((stamp) => readMinutes(stamp, format)))
    .filter((minutes) => !minutes.some(Number.isNaN));
  const found = new Set(all.map((minutes) => {
    const steps = minutes.slice(1).map((minute, i) => minute - minutes[i]).filter((s) => s > 0);
    const step = Math.min(...steps);
    return PERIODS.find(([, least, most]) => step >= least && step <= most)?.[0];
  }));
  const [period] = found;
  return found.size === 1 && period !== undefined
    ? proven(period, "the step of its first rows")
    : NONE;
}

/** What each of some formats makes of a time, the first that they read differently. */
export function describeFormats(
  stamps: readonly string[],
  formats: readonly (string | null)[],
): string[] {
  const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
  const readAll = (stamp: string) => formats.map((format) => readMinutes(stamp, format));
  const shown = stamps.find((stamp) => new Set(readAll(stamp)).size > 1) ?? stamps[0];
  return readAll(shown).map((minutes) =>
    Number.isNaN(minutes) ? "" : `"${shown}" is ${day.format(minutes * 60_000)}`
  );
}

/**
 * Guesses which end of its period a time names: a file begins with its first period, and ends with its last. One that
 * begins at 00:10 or 01:00 and ends at 00:00 is stamped at the end.
 *
 * @param times The first time and the last, minutes of the day
 */
export function guessStamp(times: readonly number[], resolution: string | undefined): Proposal {
  const length = findMinutes(resolution) ?? NaN;
  const [first, last] = times;
  const clock = (minutes: number) =>
    `${Math.floor(minutes / 60)}`.padStart(2, "0") + ":" + `${minutes % 60}`.padStart(2, "0");
  for (const [value, begin, end] of [["start", 0, 1440 - length], ["end", length, 0]] as const) {
    if (first !== begin) continue;
    const whole = last === end;
    // Its last row is neither: whole days have another.
    if (!whole && (last === 0 || last === 1440 - length)) return NONE;
    const reason = `its first time is ${clock(first)}` +
      (whole ? `, its last ${clock(last)}: whole days, by the ${value} of each period` : "");
    return unsure(value, reason);
  }
  return NONE;
}

/** Fewest repetitions of a value that is a mark. */
const MIN_REPEATS = 3;

/**
 * Finds a value that is repeated and cannot be: the least or the greatest, far from the others, or all nines.
 *
 * @param values Production as the file has it
 */
export function guessNullValues(values: readonly number[]): Proposal {
  const sorted = Float64Array.from(values).sort();
  for (const value of new Set([sorted[0], sorted[sorted.length - 1]])) {
    const others = sorted.filter((one) => one !== value);
    const count = sorted.length - others.length;
    if (count < MIN_REPEATS || others.length === 0) continue;
    const [least, greatest] = [others[0], others[others.length - 1]];
    const nines = /^-?9{2,}(?:\.9+)?$/.test(String(value));
    const below = value < Math.min(0, 2 * least) && (nines || -value > greatest);
    if (!below && !(greatest > 0 && value > (nines ? 1.05 : 5) * greatest)) continue;
    const nearest = below ? least : greatest;
    return unsure([value], `${count} of the values; the nearest of the others is ${nearest}`);
  }
  return NONE;
}

/** Fewest values that show a meter, and the share of the steps in which its readings may fall: it was set back there. */
const [MIN_READINGS, MAX_FALLS] = [10, 0.05];

/**
 * Whether values may be the readings of a meter: they nearly only rise, or fall once a day.
 *
 * @param values Production of one turbine as the file has it, in the order of time
 * @param perDay Values a day. @default not known
 */
export function guessCounter(values: readonly number[], perDay?: number): Proposal {
  if (values.length < MIN_READINGS) return NONE;
  const steps = values.slice(1).map((value, i) => value - values[i]);
  const rises = steps.filter((step) => step > 0).length;
  const fallen = [...steps.keys()].filter((i) => steps[i] < 0);
  const falls = fallen.length;
  if (rises < steps.length / 5) return NONE;
  const again = fallen.filter((i) => fallen.includes(i + (perDay ?? NaN))).length;
  if (again > 0 && again >= (falls - 1) / 2 && falls <= 1 + steps.length / perDay!) {
    return unsure("daily", `it falls ${falls} times, most of them a day apart`);
  }
  if (falls > MAX_FALLS * steps.length) return NONE;
  if (falls === 0) return unsure(true, `it only rises, from ${values[0]} to ${values.at(-1)}`);
  return unsure("resets", `it rises ${rises} times, and falls ${falls} times`);
}
