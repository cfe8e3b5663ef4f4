/**
 * Figures as people read them.
 *
 * @module
 */
import { findLastIndex, formatMonth, formatNormal } from "./months.js";

/** @typedef {import("./months.js").Month} Month */

const whole = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });
const place = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 2 });

/**
 * A figure with its unit, joined by a no-break space; "no data" where it is missing.
 *
 * @param {number | null} value
 * @param {string} [unit]
 */
export function figure(value, unit = "%") {
  return value === null ? "no data" : `${whole.format(value)}\u00a0${unit}`;
}

/**
 * Formats a position.
 *
 * @param {number} latitude deg
 * @param {number} longitude deg
 */
export function formatPosition(latitude, longitude) {
  const north = `${place.format(Math.abs(latitude))}°\u00a0${latitude < 0 ? "S" : "N"}`;
  return `${north}, ${place.format(Math.abs(longitude))}°\u00a0${longitude < 0 ? "W" : "E"}`;
}

/**
 * Describes the last month, for the marker of a turbine and for screen readers.
 *
 * @param {readonly Month[]} months
 */
export function describeLastMonth(months) {
  const last = findLastIndex(months);
  if (!last) return "No index yet.";
  const mark = last.preliminary ? " (preliminary)" : "";
  return `${formatMonth(last)}${mark}: ${figure(last.abnormality)} of ${
    formatNormal(last)
  }, last 12 months: ${figure(last.last12)}.`;
}

/**
 * Describes the chart in words.
 *
 * @param {readonly Month[]} months Months that the chart shows
 */
export function describeChart(months) {
  const known = months.filter(({ abnormality }) => abnormality !== null);
  if (known.length === 0) return "No month has an index.";
  const sorted = known.toSorted((a, b) => Number(a.abnormality) - Number(b.abnormality));
  const [low, high] = [sorted[0], sorted[sorted.length - 1]];
  const missing = months.filter(({ abnormality }) => abnormality === null).map(formatMonth);
  const gaps = missing.length === 0 ? "" : ` No data: ${missing.join(", ")}.`;
  return `Energy of the wind from ${formatMonth(months[0])} to ${
    formatMonth(months[months.length - 1])
  }, each month against a normal month of the same name: ` +
    `lowest ${figure(low.abnormality)} in ${formatMonth(low)}, highest ${
      figure(high.abnormality)
    } in ` +
    `${formatMonth(high)}.${gaps} ${describeLastMonth(months)}`;
}

/**
 * Describes all turbines in a sentence.
 *
 * @param {readonly (readonly Month[])[]} fleet Months of each turbine
 */
export function describeFleet(fleet) {
  const lasts = fleet.map(findLastIndex).filter((last) => last !== undefined);
  if (lasts.length === 0) return "None of them has an index yet.";
  const latest = lasts.reduce((a, b) => 12 * a.year + a.month >= 12 * b.year + b.month ? a : b);
  const same = lasts.filter(({ year, month }) => year === latest.year && month === latest.month);
  const values = same.map(({ abnormality }) => Number(abnormality));
  const [low, high] = [figure(Math.min(...values)), figure(Math.max(...values))];
  const span = low === high ? low : `between ${low} and ${high}`;
  const who = same.length === fleet.length
    ? (fleet.length === 1 ? "it" : "all of them")
    : `${same.length} of them`;
  return `The latest month is ${formatMonth(latest)}: ${who} had ${span} of the energy of ${
    formatNormal(latest)
  }.`;
}
