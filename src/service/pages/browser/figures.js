/**
 * Figures as people read them.
 *
 * @module
 */
import { lastIndex, monthName } from "./months.js";

/** @typedef {import("./months.js").Month} Month */

const whole = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });
const place = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 2 });

/**
 * A figure with its unit, which stay on one line; "no data" where there is none.
 *
 * @param {number | null} value
 * @param {string} [unit]
 */
export function figure(value, unit = "%") {
  return value === null ? "no data" : `${whole.format(value)}\u00a0${unit}`;
}

/**
 * A place in words.
 *
 * @param {number} latitude deg
 * @param {number} longitude deg
 */
export function placeName(latitude, longitude) {
  const north = `${place.format(Math.abs(latitude))}°\u00a0${latitude < 0 ? "S" : "N"}`;
  return `${north}, ${place.format(Math.abs(longitude))}°\u00a0${longitude < 0 ? "W" : "E"}`;
}

/**
 * What a turbine's marker, and whoever does not see the chart, says of its last month.
 *
 * @param {readonly Month[]} months
 */
export function lastSentence(months) {
  const last = lastIndex(months);
  if (!last) return "No index yet.";
  const mark = last.preliminary ? " (preliminary)" : "";
  return `Index of ${monthName(last)}${mark}: ${figure(last.index)}, last 12 months: ${
    figure(last.last12)
  }.`;
}

/**
 * The chart in words.
 *
 * @param {readonly Month[]} months Months that the chart shows
 */
export function chartSentence(months) {
  const known = months.filter(({ index }) => index !== null);
  if (known.length === 0) return "No month has an index.";
  const sorted = known.toSorted((a, b) => Number(a.index) - Number(b.index));
  const [low, high] = [sorted[0], sorted[sorted.length - 1]];
  const missing = months.filter(({ index }) => index === null).map(monthName);
  const gaps = missing.length === 0 ? "" : ` No data: ${missing.join(", ")}.`;
  return `Month index from ${monthName(months[0])} to ${monthName(months[months.length - 1])}: ` +
    `lowest ${figure(low.index)} in ${monthName(low)}, highest ${figure(high.index)} in ` +
    `${monthName(high)}.${gaps} ${lastSentence(months)}`;
}

/**
 * All turbines in a sentence.
 *
 * @param {readonly (readonly Month[])[]} fleet Months of each turbine
 */
export function fleetSentence(fleet) {
  const lasts = fleet.map(lastIndex).filter((last) => last !== undefined);
  if (lasts.length === 0) return "None of them has an index yet.";
  const latest = lasts.reduce((a, b) => 12 * a.year + a.month >= 12 * b.year + b.month ? a : b);
  const same = lasts.filter(({ year, month }) => year === latest.year && month === latest.month);
  const values = same.map(({ index }) => Number(index));
  const [low, high] = [figure(Math.min(...values)), figure(Math.max(...values))];
  const span = low === high ? `of ${low}` : `between ${low} and ${high}`;
  const who = same.length === fleet.length
    ? (fleet.length === 1 ? "it" : "all of them")
    : `${same.length} of them`;
  return `The latest month is ${monthName(latest)}: ${who} had an index ${span}.`;
}
