import type { Column } from "../../api/columns/column.ts";

/**
 * Formats a number with thousands separators, fixed decimals and a typographic minus, the same in every locale: "−1,234.5".
 *
 * @param value Finite number
 */
export function formatNumber(value: number, decimals = 0): string {
  const text = value.toFixed(decimals);
  const [whole, fraction] = (Number(text) === 0 ? text.replace("-", "") : text).split(".");
  const marked = whole.replace(/\B(?=(\d{3})+$)/g, ",").replace("-", "\u2212");
  return fraction === undefined ? marked : `${marked}.${fraction}`;
}

/** Formats a change like {@linkcode formatNumber}, with its sign: "+1,234.5". */
export function formatSigned(value: number, decimals = 0): string {
  return `${value < 0 ? "" : "+"}${formatNumber(value, decimals)}`;
}

/** Decimals by unit: the one rule of tables, charts, reports and texts. */
const DECIMALS: Readonly<Record<string, number>> = {
  "%": 1,
  "% per decade": 1,
  MWh: 1,
  kW: 1,
  km: 1,
  "m/s": 2,
  degC: 1,
  "kg/m3": 3,
};

/** From this value on figures have no decimals: four digits match their accuracy. */
const LARGE = 1000;

/** Energies and powers below 1 get two more decimals, so values of single turbines are not rounded to zero. */
const SMALL_UNITS: ReadonlySet<string> = new Set(["MWh", "kW"]);

/**
 * Chooses the decimals of figures by their unit, the same for a whole column or range.
 *
 * @param unit Unit of the figures
 * @param largest The largest absolute figure
 * @returns `undefined` for a unit without a rule
 */
export function chooseDecimals(unit: string | undefined, largest: number): number | undefined {
  const decimals = unit?.endsWith("/MWh") ? 2 : unit === undefined ? undefined : DECIMALS[unit];
  if (decimals === undefined || unit === undefined) return undefined;
  if (largest >= LARGE) return 0;
  return decimals + (largest < 1 && largest > 0 && SMALL_UNITS.has(unit) ? 2 : 0);
}

/**
 * Formats figures of one unit with the same decimals, joined by a word: "1,057 MWh", "194.1 to 237.3 MWh".
 *
 * @param values Finite figures
 */
export function formatFigures(values: readonly number[], unit: string, between = " to "): string {
  const decimals = chooseDecimals(unit, Math.max(...values.map(Math.abs))) ?? 0;
  return `${values.map((value) => formatNumber(value, decimals)).join(between)} ${unit}`;
}

/** Formats a figure in %: "97.2 %". */
export function formatPercent(percent: number): string {
  return formatFigures([percent], "%");
}

/** Whether a column has shares of 0 to 1, which are shown in %. */
export function isShare({ dtype, unit, range }: Column): boolean {
  return dtype === "f64" && unit === undefined && range?.[0] === 0 && range[1] === 1;
}

/**
 * Formats a share in %, rounded down: 100 only if nothing is missing, and never up to a bound that it is below.
 *
 * @param share Share, 0 to 1
 */
export function formatShare(share: number, decimals = 1): string {
  const scale = 10 ** decimals;
  // compensates rounding errors of a division
  return (Math.floor(100 * scale * share + 1e-9) / scale).toFixed(decimals);
}

/** Formats a number of things: "1 turbine", "1,200 turbines", "2 entries". */
export function formatCount(count: number, thing: string, things = `${thing}s`): string {
  return `${formatNumber(count)} ${count === 1 ? thing : things}`;
}

/** A label for the middle of a sentence; it keeps the id of a turbine unchanged. */
export function lowerFirst(label: string): string {
  return label.slice(0, 1).toLowerCase() + label.slice(1);
}

/** Joins names: "a, b and c", or the first of many and the number of others. */
export function joinNames(names: readonly string[], max = Infinity, last = "and"): string {
  const more = names.length - max;
  const parts = more > 0 ? [...names.slice(0, max), `${formatNumber(more)} more`] : names;
  return parts.length < 2
    ? parts.join("")
    : `${parts.slice(0, -1).join(", ")} ${last} ${parts[parts.length - 1]}`;
}

/** Most names in a line. */
const MAX_LISTED = 20;

/** Lists names in a line of text: "a, b, c", or the first of very many and the number of others. */
export function listNames(names: readonly string[]): string {
  return names.length <= MAX_LISTED ? names.join(", ") : joinNames(names, MAX_LISTED);
}

const NAMES = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** Name of a month given as "2023-05": "May". */
export function calendarMonth(month: string): string {
  return NAMES[Number(month.slice(5, 7)) - 1];
}

/** Formats a month, the same in every locale: "May 2023" for "2023-05". */
export function formatMonth(month: string): string {
  return `${calendarMonth(month)} ${month.slice(0, 4)}`;
}

/** Name of the column of a calendar month in a table of years by months: "may" for 5. */
export function monthColumnName(month: number): string {
  return NAMES[month - 1].slice(0, 3).toLowerCase();
}

/**
 * Formats the period from one month or year to another, as short as possible: "May 2023", "2019 to 2024", "Jan to Jul
 * 2021", "Aug 2017 to Jul 2021".
 *
 * @param first First month, "2017-08", or year, "2019"
 * @param last Last one, included
 */
export function formatMonthSpan(first: string, last: string): string {
  const [from, to] = [first, last].map((month) => month.slice(0, 4));
  const months = first.length > 4;
  if (first === last) return months ? formatMonth(first) : first;
  if (!months || (first.endsWith("-01") && last.endsWith("-12"))) {
    return from === to ? from : `${from} to ${to}`;
  }
  const short = (month: string) => calendarMonth(month).slice(0, 3);
  return `${short(first)}${from === to ? "" : ` ${from}`} to ${short(last)} ${to}`;
}
