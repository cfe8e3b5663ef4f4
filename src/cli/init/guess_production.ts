import { findUnit } from "../../frames/cells/named_unit.ts";
import type { RecognizedColumn } from "../../sites/mod.ts";
import { TimeFormat } from "../../time/time_format.ts";
import { type Proposal, proven, unsure } from "./dialogue.ts";

/** Names of production columns: the first pattern that matches some column decides. */
const PRODUCTION = [
  /\b(?:active|grid|net)?[ _]*(?:power|production|energy|export)\b/i,
  /power|leistung|effekt|puissance|potencia|potenza|potência|vermogen|\bmoc\b|pro?d[uo][ckzç]|energ|ertrag|yield|arbeit|\b[kM]Wh?\b|_[km]wh?\b/i,
];

/** Names with these words that are other quantities. */
const OTHER_QUANTITY =
  /factor|reactive|reactiv|blind|set.?point|reference|max|min|std|dev|limit|loss|lost|potential|status|estado/i;

const TURBINE =
  /turbine?|anlage|wtg|wea\b|windmill|mølle|aero|éolienne|eolienne|station|unit|asset|device|maquina|máquina/i;

/** The same for columns of numbers, but not "turbine wind speed". */
const TURBINE_NUMBER =
  /^(?:turbine?|anlage|wtg|wea|aero\w*|station|unit|asset|device|m[aá]quina)[ _.-]*(?:id|no|nr|num\w*|name)?\.?$/i;

/** A time of day, optionally with a mark for a repeated hour. */
const CLOCK = /^\d{1,2} ?[ABX*]?[:.]\d{2}(?:[:.]\d{2})?$/;

/** The number of an hour, optionally with such a mark. */
const HOUR = /^(?:[01]?\d|2[0-5]) ?[ABX*]?$/;

/** Names of columns with one part of a time each, in order, and their letters in the format. */
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

/** Least and greatest minutes between rows, by resolution. */
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

/** Minutes of a resolution with timestamps; `undefined` for months and years. */
export function findMinutes(resolution: unknown): number | undefined {
  const minutes = PERIODS.find(([name]) => name === resolution)?.[1] ?? Infinity;
  return minutes <= 1440 ? minutes : undefined;
}

const NONE: Proposal = {};

/** Guesses the roles of columns: proven if only one column fits. */
export function guessColumns(
  columns: readonly RecognizedColumn[],
): Record<"time" | "column" | "turbine", Proposal> {
  const times = columns.filter(({ cells }) => cells === "times");
  const second = columns[columns.indexOf(times[0]) + 1];
  const isHour = times.length > 0 && second?.first.length > 0 &&
    second.first.every((cell) =>
      CLOCK.test(cell) || PARTS[3][0].test(second.name) && HOUR.test(cell)
    );
  const parts = PARTS.map(([pattern]) => columns.find(({ name }) => pattern.test(name)));
  const dated = parts.slice(0, [...parts, undefined].indexOf(undefined)) as RecognizedColumn[];
  const stamped = dated.length > 1 ? dated : isHour ? [times[0], second] : times.slice(0, 1);
  const turbine = columns.find(({ cells, name }) =>
    cells === "texts" ? TURBINE.test(name) : cells === "numbers" && TURBINE_NUMBER.test(name)
  );
  // The first rows of a column may be empty.
  const numbers = columns.filter((column) =>
    ["numbers", "empty"].includes(column.cells) && !stamped.includes(column) && column !== turbine
  );
  const named =
    PRODUCTION.map((pattern) =>
      numbers.filter(({ name }) => pattern.test(name) && !OTHER_QUANTITY.test(name))
    ).find((matches) => matches.length > 0) ?? (numbers.length === 1 ? numbers : []);
  const equal = named.filter(({ name }) => nameShape(name) === nameShape(named[0].name));
  const other = named.filter((one) => !equal.includes(one)).map(({ name }) => `"${name}"`);
  const [time, column] = [stamped, equal].map((some) => {
    const names = some.map(({ name }) => name);
    return names.length > 1 ? names : names[0];
  });
  const isSure = times.length <= (isHour ? 2 : 1) || dated.length > 1;
  return {
    time: isSure
      ? proven(time, "its cells are timestamps")
      : unsure(time, "the first column with timestamps"),
    column: other.length > 0 ? unsure(column, `not ${other.join(", ")}`) : proven(
      column,
      equal.length > 1 ? "one column for each turbine" : "from its name and values",
    ),
    turbine: turbine && equal.length < 2 ? proven(turbine.name, "named so") : NONE,
  };
}

/** The common part of the column names of several turbines: everything except numbers and single letters. */
function nameShape(name: string): string {
  return name.toLowerCase().replaceAll(/\d+|\b[a-z]\b/g, "#");
}

/**
 * Names turbines by the words that differ between their columns, a number with the word before it: "R80711 Production
 * (kWh)" is R80711.
 */
export function nameTurbines(columns: readonly string[]): string[] {
  const words = columns.map((column) => column.split(/[\s_]+/).filter((word) => word !== ""));
  const at = words[0].findIndex((word, i) => words.some((one) => one[i] !== word));
  const names = words.map((one) =>
    /^\d+$/.test(one[at]) && at > 0 ? `${one[at - 1]} ${one[at]}` : one[at] ?? ""
  );
  return names.includes("") || new Set(names).size < names.length ? [...columns] : names;
}

/** The unit in the names of production columns. */
export function guessUnit(names: readonly string[]): Proposal {
  const [unit] = names.flatMap((name) => findUnit(name, "power") ?? []);
  return unit ? proven(unit, "from the column name") : NONE;
}

/** The decimal and thousands marks, from a number with both; a single mark is detected elsewhere. */
export function guessMarks(cells: readonly string[]): Record<"decimal" | "thousands", Proposal> {
  const match = cells.map((cell) =>
    /^[+-]?\d{1,3}(?:(?<thousands>[.,' \u00a0\u202f])\d{3})+(?!\k<thousands>)(?<decimal>[.,])\d+$/
      .exec(cell)
  ).find((one) => one !== null);
  if (!match) return { decimal: NONE, thousands: NONE };
  const { decimal, thousands } = match.groups!;
  const reason = `as in "${match.input}"`;
  return {
    decimal: proven(decimal, reason),
    thousands: proven(/\s/.test(thousands) ? " " : thousands, reason),
  };
}

/**
 * The first timestamps, joined from several columns if necessary. Times of day get the first day in front, because a file
 * may state the date only once a day.
 */
export function joinTimes(columns: readonly RecognizedColumn[]): readonly string[] {
  const [first, clock] = columns;
  if (!first || !clock) return first?.first ?? [];
  if (columns.length > 2 || /^\d{4}$/.test(first.first[0] ?? "")) {
    return first.first.map((_, i) => columns.map((column) => column.first[i] ?? "").join(" "));
  }
  return clock.first.map((cell) => `${first.first[0]} ${cell}`);
}

/** Whether timestamps have a UTC offset. */
export function hasOffset(stamp: string): boolean {
  return /\d{2}:\d{2}.*(?:Z|[+-]\d{2}:?\d{0,2})$/.test(stamp) ||
    /^[01]?\d{9}(?:\d{3})?$/.test(stamp);
}

/** Date formats, the usual ones first; other widths are derived from them. */
const DATES = [
  ...["-", "/", "."].map((mark) => ["YYYY", "MM", "DD"].join(mark)),
  "YYYYMMDD",
  ...[".", "-", "/"].flatMap((mark) => ["YYYY", "YY"].map((year) => ["DD", "MM", year].join(mark))),
  ...["YYYY", "YY"].map((year) => `MM/DD/${year}`),
  ...["-", " ", ". "].flatMap((mark) =>
    ["YYYY", "YY"].map((year) => `DD${mark}MMM${mark === "-" ? "-" : " "}${year}`)
  ),
].flatMap((date) => [date, date.replace(/DD/, "D").replace(/(?<!M)MM(?!M)/, "M")]);

/** Times of day after a date: "AM" is not a time zone. */
const CLOCKS = [
  ...["hh:mm", "hh:mm:ss"].flatMap((clock) =>
    [clock, clock.slice(1)].flatMap((one) => [`${one} A`, `${one}A`])
  ),
  ...["HH:mm", "HH:mm:ss", "HH:mm:ss.SSS", "HH.mm", "HH.mm.ss"].flatMap((clock) => [
    clock,
    clock.slice(1),
    clock.replace("HH", "HX"),
  ]),
  ...["HHmm", "HHmmss"],
].flatMap((clock) => ["", "Z", " Z", "z", " z"].map((zone) => clock + zone));

let formats: readonly TimeFormat[] | undefined;

/** All date formats, with or without a time of day. An hour alone may count from midnight. */
const buildFormats = () =>
  [
    ...DATES.flatMap((date) => [
      date,
      ...[" ", "[T]", ...date === "YYYYMMDD" ? [""] : []].flatMap((gap) =>
        CLOCKS.map((clock) => date + gap + clock)
      ),
      ...[" H", " HX", " N"].map((hour) => date + hour),
    ]),
    ...["YYYY M", "YYYY M D", "YYYY M D H", "YYYY M D H m"],
    ...["YYYYMM", "YYYY/MM", "YYYY/M", "YYYY.MM", "YYYY.M"],
    ...["-", "/", "."].flatMap((mark) => [`MM${mark}YYYY`, `M${mark}YYYY`]),
    ...["-", " ", "."].flatMap((mark) => [`MMM${mark}YYYY`, `MMM${mark}YY`]),
  ].map((format) => new TimeFormat(format));

/** Formats of numeric times. */
const NUMBERS: readonly (readonly [RegExp, string])[] = [
  [/^[01]?\d{9}$/, "unix"],
  [/^\d{13}$/, "unix-ms"],
  [/^[2-5]\d{4}(?:[.,]\d+)?$/, "excel"],
];

/** A format without the widths of its numbers and without marks that only some rows have. */
const shapeOf = (format: string) =>
  format.replace(/(?<!M)MM(?!M)/, "M").replace("DD", "D").replace(/(HH|H)X?/, "H")
    .replace(/ ?A?(?: ?[Zz])?$/, "").replace(/hh|h/, "H");

/** Formats that fit the times: two if day and month are ambiguous; ISO 8601 is `null`. */
export function listTimeFormats(all: readonly string[]): (string | null)[] {
  const [first = ""] = all;
  const weekday = /^\p{L}{2,3}\.? (?=\d)/u.exec(first)?.[0];
  if (weekday) {
    return listTimeFormats(all.map((stamp) => stamp.replace(/^\p{L}+\.? /u, "")))
      .flatMap((format) => format === null ? [] : [`ddd ${format}`]);
  }
  if (/^\d{4}(?:-\d{2})?$/.test(first)) return [null];
  const number = NUMBERS.find(([pattern]) => pattern.test(first));
  if (number) return [number[1]];
  const byShape = new Map<string, string>();
  for (const format of formats ??= buildFormats()) {
    if (all.some((stamp) => typeof format.read(stamp) === "string")) continue;
    const shape = shapeOf(format.text);
    if (!byShape.has(shape)) byShape.set(shape, format.text);
  }
  return [.../^\d{4}-\d{2}-\d{2}/.test(first) ? [null] : [], ...byShape.values()];
}

/** Minutes of a timestamp since 1970, by its own clock; NaN if it does not fit the format. */
function readMinutes(stamp: string, format: string | null): number {
  if (format !== null) {
    const read = new TimeFormat(format).read(stamp);
    return typeof read === "string" ? NaN : (read.local + (read.counted ?? 0)) / 60e6;
  }
  const [year, month = 1, day = 1, hour = 0, minute = 0] = stamp.split(/\D+/).map(Number);
  return Date.UTC(year, month - 1, day, hour, minute) / 60_000;
}

/** The resolution of rows whose times follow each other at this step; none if formats disagree. */
export function guessResolution(
  stamps: readonly string[],
  formats: readonly (string | null)[],
): Proposal {
  const all = formats.map((format) => stamps.map((stamp) => readMinutes(stamp, format)))
    .filter((minutes) => !minutes.some(Number.isNaN));
  const periods = new Set(all.map((minutes) => {
    const steps = minutes.slice(1).map((minute, i) => minute - minutes[i]).filter((s) => s > 0);
    const step = Math.min(...steps);
    return PERIODS.find(([, least, most]) => step >= least && step <= most)?.[0];
  }));
  const [period] = periods;
  return periods.size === 1 && period !== undefined
    ? proven(period, "the step of its first rows")
    : NONE;
}

/** Describes the day that a format reads from a time. */
export function describeFormat(stamp: string, format: string | null): string {
  const minutes = readMinutes(stamp, format);
  return Number.isNaN(minutes) ? "" : `"${stamp}" is ${new Date(minutes * 60_000).toDateString()}`;
}

/**
 * Guesses which end of its period a timestamp marks: a file that begins at 00:00 marks the start of periods, one that
 * begins at 00:10 or 01:00 the end.
 *
 * @param first The first time of day, as HH:mm
 */
export function guessStamp(first: string, resolution: unknown): Proposal {
  const [hour, minute] = first.split(":").map(Number);
  const minutes = 60 * hour + minute;
  const stamp = minutes === 0 ? "start" : minutes === findMinutes(resolution) ? "end" : undefined;
  return stamp ? unsure(stamp, `its first time is ${first}`) : NONE;
}
